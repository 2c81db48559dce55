import { z } from "zod";
import { countStored, RECORD_BYTES } from "@/lib/accounts/storage";
import { forAccount, type Tx } from "@/lib/db";
import type { EventType } from "@/lib/events/emit";
import { newId } from "@/lib/ids";
import type { Jobs } from "@/lib/jobs/enqueue";
import { keepBodies, saleOf } from "@/lib/webhooks/bodies";
import { notifyDue } from "@/lib/webhooks/due";
import { callbackHearingOf, type Hearing, hearingOf, registrationsFor } from "@/lib/webhooks/matches";
import { databaseNow } from "@/lib/webhooks/now";
import { BACKLOG_MS } from "@/lib/webhooks/schedule";
import type { Transaction, Webhook } from "@/prisma/client/client";

/** What `transactions.callback` holds. */
const Callback = z.object({ url: z.string() });

/**
 * The `webhooks.dispatch` job: one delivery for each receiver of an event, and what they say, in one transaction; a
 * worker finds those that are due (`lib/webhooks/run.ts`). Run again it finds its deliveries made (the index
 * `deliveries_once`) and does nothing. Those for a disabled webhook wait until it is on again.
 */
export async function dispatchEvent({ accountId, eventId }: Jobs["webhooks.dispatch"]): Promise<void> {
  const bytes = await forAccount(accountId, async (tx) => {
    const event = await tx.event.findUniqueOrThrow({ where: { accountId_id: { accountId, id: eventId } } });
    const type = event.type as EventType;
    const sale = await saleOf(tx, event);
    const at = await databaseNow(tx);
    const receivers = [...(await webhooksFor(tx, type, sale, at)), ...callbackOf(sale, type)];
    if (receivers.length === 0) return 0;
    const said = receivers.map(({ hearing }) => ({ accountId, eventId, ...hearing }));
    const bodies = await keepBodies(tx, said, event, sale, at);
    const made = await insertDeliveries(tx, { accountId, eventId, receivers, at });
    if (made === 0) return 0;
    return bodies.reduce((sum, { body }) => sum + Buffer.byteLength(body), made * RECORD_BYTES);
  });
  if (bytes > 0) countStored(accountId, bytes);
  notifyDue();
}

type New = { accountId: string; eventId: string; receivers: readonly Receiver[]; at: Date };

/** One statement for all receivers; those that have their delivery already are passed over. Returns how many are new. */
async function insertDeliveries(tx: Tx, { accountId, eventId, receivers, at }: New) {
  const rows = receivers.map(({ hearing, webhookId, url, isOff }) => ({
    ...{ id: newId(), webhook_id: webhookId, contract: hearing.contract, event: hearing.event, url },
    next_attempt_at: isOff ? null : at,
  }));
  return tx.$executeRaw`
    insert into deliveries (account_id, event_id, id, webhook_id, contract, event, url, next_attempt_at, created_at)
    select ${accountId}::uuid, ${eventId}::uuid, id, webhook_id, contract, event, url, next_attempt_at, ${at}
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(id uuid, webhook_id int, contract "DeliveryContract",
      event text, url text, next_attempt_at timestamptz)
    on conflict do nothing`;
}

type Receiver = { hearing: Hearing; webhookId: number | null; url: string; isOff: boolean };

async function webhooksFor(tx: Tx, type: EventType, sale: Transaction, at: Date): Promise<Receiver[]> {
  const { accountId } = sale;
  const where = { accountId, deletedAt: null, event: { in: registrationsFor(type, sale.method) } };
  let webhooks = await tx.webhook.findMany({ where });
  if (webhooks.some(({ disabledAt }) => disabledAt)) {
    await holdStill(tx, accountId, webhooks);
    webhooks = await tx.webhook.findMany({ where });
  }
  return webhooks
    .filter(hearsProducts)
    .filter((webhook) => isWorthWaiting(webhook, at))
    .flatMap((webhook) => {
      const hearing = hearingOf(webhook.event, type, sale.method);
      const { id, url, disabledAt } = webhook;
      return hearing ? [{ hearing, webhookId: id, url, isOff: disabledAt !== null }] : [];
    });
}

/** A disabled webhook must not be turned on between our look at it and our commit: its delivery would wait forever. */
async function holdStill(tx: Tx, accountId: string, webhooks: Webhook[]) {
  const ids = webhooks.map(({ id }) => id);
  await tx.$queryRaw`
    select id from webhooks where account_id = ${accountId}::uuid and id = any(${ids}) order by id for share`;
}

/** A webhook for chosen products hears only of sales of those, and no sale of this version names a product. */
const hearsProducts = ({ triggerAllProducts, products }: Webhook) => triggerAllProducts || products.length === 0;

/** The backlog of a disabled webhook is kept 14 days; after that nothing more is added to it. */
const isWorthWaiting = ({ disabledAt }: Webhook, at: Date) =>
  !disabledAt || at.getTime() - disabledAt.getTime() < BACKLOG_MS;

function callbackOf(sale: Transaction, type: EventType): Receiver[] {
  const callback = Callback.safeParse(sale.callback);
  const hearing = callbackHearingOf(type);
  if (!callback.success || !hearing) return [];
  return [{ hearing, webhookId: null, url: callback.data.url, isOff: false }];
}
