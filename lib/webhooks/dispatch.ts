import { countStored, rowBytes } from "@/lib/accounts/storage";
import type { Query } from "@/lib/db";
import { locked } from "@/lib/due/find";
import { wake } from "@/lib/due/wake";
import { type Happened, isByVisitor, type Leave } from "@/lib/events/consume";
import type { OpenEvent, Route } from "@/lib/events/subject";
import { openEvent } from "@/lib/events/subjects";
import { type Body, type BodyKey, bodiesOf } from "@/lib/webhooks/bodies";
import { BACKLOG_MS } from "@/lib/webhooks/schedule";
import type { Webhook } from "@/prisma/client/client";

/**
 * A consumer of events: creates one delivery for each receiver of each event, and their bodies, for all accounts at
 * once. A worker finds the deliveries that are due (`lib/webhooks/run.ts`); those to a disabled webhook wait until it is
 * enabled again. An event that comes a second time finds its deliveries there (the index `deliveries_once`) and gets
 * none. So where a disabled webhook's row is held, its events are left for later, with the deliveries of all others made.
 * Throws when no row describes an event.
 */
export async function dispatchEvents(
  query: Query,
  events: readonly Happened[],
  leave: Leave,
): Promise<(() => void) | undefined> {
  const opened = events.map((event) => ({ event, open: openEvent(event) }));
  const webhooks = await findWebhooks(query, opened);
  const bodies: Body[] = [];
  const deliveries: NewDelivery[] = [];
  for (const { event, open } of opened) {
    const mine = webhooks.get(event.accountId) ?? [];
    if (mine.some(({ isHeld }) => isHeld)) leave([event]);
    const known = mine.filter(({ isHeld }) => !isHeld);
    const receivers = [...receiversAmong(known, open), ...callbackOf(open)];
    const routes = receivers.map(({ route }) => route);
    bodies.push(...bodiesOf(event, open, routes));
    for (const { route, ...receiver } of receivers) {
      const { accountId, id: eventId } = event;
      deliveries.push({ accountId, eventId, contract: route.contract, event: route.name, ...receiver });
    }
  }
  if (deliveries.length === 0) return undefined;
  const values = [JSON.stringify(deliveries), JSON.stringify(bodies)];
  const made = await query<Made>("dispatch_deliveries", INSERT, values);
  if (made.length === 0) return undefined;
  return () => {
    countMade(events, made, bodies);
    wake("deliveries");
  };
}

type Receiver = { route: Route; webhookId: number | null; url: string; isDisabled: boolean };
type NewDelivery = BodyKey & Omit<Receiver, "route">;
type Opened = { event: Happened; open: OpenEvent };
type Registered = Pick<Webhook, "accountId" | "id" | "url" | "products" | "triggerAllProducts"> & {
  registration: string;
  isDisabled: boolean;
  isHeld: boolean;
};
/** An event and how many deliveries it got. */
type Made = Pick<BodyKey, "accountId" | "eventId"> & { count: number };

/** The webhooks that are registered for some of the events, by account. */
async function findWebhooks(query: Query, opened: readonly Opened[]): Promise<Map<string, Registered[]>> {
  const subscribed = opened.filter(({ open }) => open.subscriptions.length > 0);
  const accounts = new Set(subscribed.map(({ event }) => event.accountId));
  if (accounts.size === 0) return new Map();
  const registrations = new Set(opened.flatMap(({ open }) => open.subscriptions.map((one) => one.registration)));
  const values = [[...accounts], [...registrations], BACKLOG_MS];
  const webhooks = new Map([...accounts].map((accountId): [string, Registered[]] => [accountId, []]));
  const found = await query<Registered>("dispatch_webhooks", WEBHOOKS, values);
  for (const one of found) webhooks.get(one.accountId)?.push(one);
  return webhooks;
}

function receiversAmong(webhooks: readonly Registered[], open: OpenEvent): Receiver[] {
  if (webhooks.length === 0) return [];
  return webhooks.flatMap((webhook) => {
    const { id: webhookId, url, isDisabled } = webhook;
    const route = routeTo(webhook, open);
    return route ? [{ route, webhookId, url, isDisabled }] : [];
  });
}

/** The contract and the name in which a webhook gets an event; null where it does not get it. */
export function routeTo(
  { registration, products, triggerAllProducts }: Pick<Registered, "registration" | "products" | "triggerAllProducts">,
  open: OpenEvent,
): Route | null {
  const isAsked =
    triggerAllProducts || products.length === 0 || (open.productId !== null && products.includes(open.productId));
  return (isAsked && open.subscriptions.find((one) => one.registration === registration)) || null;
}

function callbackOf({ callback }: OpenEvent): Receiver[] {
  if (!callback) return [];
  const { url, ...route } = callback;
  return [{ route, webhookId: null, url, isDisabled: false }];
}

/** Counts what the deliveries store, and the bodies of events that got any. */
function countMade(events: readonly Happened[], made: readonly Made[], bodies: readonly Body[]) {
  const visited = new Set(events.filter(isByVisitor).map(({ id }) => id));
  const count = ({ accountId, eventId }: Pick<Made, "accountId" | "eventId">, bytes: number) =>
    countStored(accountId, bytes, visited.has(eventId) ? "visitors" : "account");
  for (const one of made) count(one, one.count * rowBytes.delivery);
  const delivered = new Set(made.map(({ eventId }) => eventId));
  for (const body of bodies) {
    if (delivered.has(body.eventId)) count(body, rowBytes.body + Buffer.byteLength(body.body));
  }
}

/**
 * The registered webhooks of accounts. A disabled one is read again once it is locked until the transaction ends: if it
 * were enabled in between, its delivery would wait for ever. One that another transaction has locked is not waited for.
 * Left out are webhooks that have been disabled for longer than their backlog is kept.
 */
const WEBHOOKS = `with found as materialized (
    select w.* from unnest($1::uuid[]) as a(id) cross join lateral (
      select * from webhooks where account_id = a.id offset 0
    ) w
    where w.deleted_at is null and w.event = any($2::text[])
  ), receiver as (
    select account_id, id, event, url, products, trigger_all_products, deleted_at, disabled_at, false as is_held
    from found where disabled_at is null
    union all
    select f.account_id, f.id, w.event, w.url, w.products, w.trigger_all_products, w.deleted_at, w.disabled_at, w.id is null
    from (select account_id, id from found where disabled_at is not null) f
    left join lateral (
      ${locked("select * from webhooks where account_id = f.account_id and id = f.id offset 0", "share")}
    ) w on true
  )
  select account_id as "accountId", id, event as registration, url, products,
    trigger_all_products as "triggerAllProducts", disabled_at is not null as "isDisabled", is_held as "isHeld"
  from receiver
  where is_held or deleted_at is null and event = any($2)
    and (disabled_at is null or disabled_at > now() - $3 * interval '1 millisecond')
  order by account_id, id`;

/**
 * Creates the deliveries of parameter 1, but for those that exist, and the bodies of parameter 2. The deliveries of one
 * receiver are planned a microsecond apart, so that they are sent in the order in which their events happened.
 */
const INSERT = `with body as (
    insert into delivery_bodies (account_id, event_id, contract, event, body)
    select b."accountId", b."eventId", b.contract, b.event, b.body
    from json_to_recordset($2::json) as b("accountId" uuid, "eventId" uuid, contract "DeliveryContract", event text,
      body text)
    on conflict do nothing
  ), made as (
    insert into deliveries (account_id, event_id, id, webhook_id, contract, event, url, next_attempt_at)
    select d."accountId", d."eventId", new_id(), d."webhookId", d.contract, d.event, d.url, case when not d."isDisabled"
      then date_trunc('milliseconds', statement_timestamp()) + (row_number() over ()) * interval '1 microsecond' end
    from json_to_recordset($1::json) as d("accountId" uuid, "eventId" uuid, "webhookId" int,
      contract "DeliveryContract", event text, url text, "isDisabled" boolean)
    on conflict do nothing
    returning account_id, event_id
  )
  select account_id as "accountId", event_id as "eventId", count(*)::int from made group by account_id, event_id`;
