import { countStored, RECORD_BYTES } from "@/lib/accounts/storage";
import { forAccount, type Query, type Tx } from "@/lib/db";
import type { Happened } from "@/lib/events/consume";
import type { OpenEvent, Route } from "@/lib/events/subject";
import { openEvent } from "@/lib/events/subjects";
import { newId } from "@/lib/ids";
import { findEvent, keepBodies } from "@/lib/webhooks/bodies";
import { notifyDue } from "@/lib/webhooks/due";
import { databaseNow } from "@/lib/webhooks/now";
import { BACKLOG_MS } from "@/lib/webhooks/schedule";
import type { Event, Prisma, Webhook } from "@/prisma/client/client";

/**
 * The `webhooks.dispatch` job: creates one delivery for each receiver of an event, and their bodies, in one
 * transaction. A worker finds the deliveries that are due (`lib/webhooks/run.ts`); those to a disabled webhook wait
 * until it is enabled again. A second run finds the deliveries there (the index `deliveries_once`) and does nothing.
 */
export async function dispatchEvent({ accountId, eventId }: { accountId: string; eventId: string }): Promise<void> {
  const bytes = await forAccount(accountId, async (tx) => {
    const event = await findEvent(tx, accountId, eventId);
    const opened = openEvent(event);
    const receivers = [...(await webhooksFor(tx, accountId, opened)), ...callbackOf(opened)];
    if (receivers.length === 0) return 0;
    const routes = receivers.map(({ route }) => route);
    const bodies = await keepBodies(tx, event, opened, routes);
    const created = await insertDeliveries(tx, event, receivers);
    if (created === 0) return 0;
    return bodies.reduce((sum, body) => sum + Buffer.byteLength(body), created * RECORD_BYTES);
  });
  if (bytes > 0) countStored(accountId, bytes);
  notifyDue();
}

/** Creates the deliveries of events (thin: each event in a transaction of its own). */
export async function dispatchEvents(_query: Query, events: readonly Happened[]) {
  for (const { accountId, id } of events) await dispatchEvent({ accountId, eventId: id });
  return undefined;
}

type Receiver = { route: Route; webhookId: number | null; url: string; isDisabled: boolean };

/**
 * One statement for all receivers, which passes over those that have their delivery already. Returns how many are new.
 */
async function insertDeliveries(tx: Tx, { accountId, id: eventId }: Event, receivers: readonly Receiver[]) {
  const rows = receivers.map(({ route, webhookId, url, isDisabled }) => ({
    ...{ id: newId(), webhook_id: webhookId, contract: route.contract, event: route.name, url },
    is_disabled: isDisabled,
  }));
  return tx.$executeRaw`
    insert into deliveries (account_id, event_id, id, webhook_id, contract, event, url, next_attempt_at)
    select ${accountId}::uuid, ${eventId}::uuid, id, webhook_id, contract, event, url,
      case when not is_disabled then date_trunc('milliseconds', statement_timestamp()) end
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(id uuid, webhook_id int, contract "DeliveryContract",
      event text, url text, is_disabled boolean)
    on conflict do nothing`;
}

async function webhooksFor(tx: Tx, accountId: string, { subscriptions }: OpenEvent): Promise<Receiver[]> {
  if (subscriptions.length === 0) return [];
  const routes = new Map<string, Route>(subscriptions.map((route) => [route.registration, route]));
  const where = { accountId, deletedAt: null, event: { in: [...routes.keys()] } };
  const found = await tx.webhook.findMany({ where });
  const webhooks = found.some(({ disabledAt }) => disabledAt) ? await lockWebhooks(tx, where, found) : found;
  return webhooks.filter(includesProducts).flatMap(({ id, url, event: registration, disabledAt }) => {
    const route = routes.get(registration);
    return route ? [{ route, webhookId: id, url, isDisabled: disabledAt !== null }] : [];
  });
}

/**
 * Reads webhooks again, locked until this transaction ends: if a disabled one were enabled in between, its delivery
 * would wait for ever. Leaves out those that have been disabled for longer than their backlog is kept.
 */
async function lockWebhooks(tx: Tx, where: Prisma.WebhookWhereInput & { accountId: string }, found: Webhook[]) {
  const ids = found.map(({ id }) => id);
  await tx.$queryRaw`
    select id from webhooks where account_id = ${where.accountId}::uuid and id = any(${ids}) order by id for share`;
  const at = await databaseNow(tx);
  const webhooks = await tx.webhook.findMany({ where });
  return webhooks.filter(({ disabledAt }) => !disabledAt || at.getTime() - disabledAt.getTime() < BACKLOG_MS);
}

/** A webhook for chosen products gets events about those products only, and no subject names a product yet. */
const includesProducts = ({ triggerAllProducts, products }: Webhook) => triggerAllProducts || products.length === 0;

function callbackOf({ callback }: OpenEvent): Receiver[] {
  if (!callback) return [];
  const { url, ...route } = callback;
  return [{ route, webhookId: null, url, isDisabled: false }];
}
