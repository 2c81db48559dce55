import { queryOf, readFor, type Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { countPast, lastEvents, type PastEvent } from "@/lib/events/past";
import { kindsFor, openEvent } from "@/lib/events/subjects";
import { firstIdAt, realTime } from "@/lib/ids";
import { COUNTED, pageAfter, pageOfRead, upTo } from "@/lib/lists/pagination";
import { boundsOf, FIRST_ID, LAST_ID } from "@/lib/lists/period";
import { iso } from "@/lib/time/clock";
import { presentDeliveries } from "@/lib/webhooks/read";
import type { EventDetail, EventItem, EventPage, EventQuery } from "@/lib/webhooks/schema";
import type { DeliveryStatus } from "@/prisma/client/enums";

/** The account's events that webhooks may be told of, newest first, each with the number of its deliveries. */
export const listEvents = (accountId: string, query: EventQuery): Promise<EventPage> =>
  readFor(accountId, async (tx) => {
    const { since, until } = boundsOf(query);
    const kinds = kindsFor().filter(({ subject }) => !query.subject || subject === query.subject);
    const past = { accountId, kinds, after: since ? firstIdAt(since) : FIRST_ID };
    const end = until ? firstIdAt(until) : LAST_ID;
    const before = query.cursor && query.cursor.toLowerCase() < end ? query.cursor : end;
    const place = { ...pageAfter(query), looked: COUNTED };
    const { rows, end: goesOn } = await lastEvents(queryOf(tx), { ...past, until: before }, place);
    const { found, isAll } = await countPast(queryOf(tx), { ...past, until: end }, COUNTED + 1);
    const { shown, meta } = pageOfRead(rows, { ...upTo(found), isExact: isAll }, query);
    return {
      data: await presentEvents(tx, accountId, shown),
      meta: { ...meta, next_cursor: meta.next_cursor ?? goesOn },
    };
  });

/** An event with its deliveries. Throws `event_not_found`, also for one that no webhook may be told of. */
export const readEvent = (accountId: string, id: string): Promise<{ data: EventDetail }> =>
  readFor(accountId, async (tx) => {
    const event = await tx.event.findUnique({ where: { accountId_id: { accountId, id } } });
    const [item] = event && isSent(event) ? await presentEvents(tx, accountId, [event]) : [];
    if (!item) throw new AppError("event_not_found");
    return { data: { ...item, deliveries: await deliveriesOf(tx, accountId, id) } };
  });

const isSent = ({ type }: PastEvent) => kindsFor().some(({ types }) => types.includes(type));

async function presentEvents(tx: Tx, accountId: string, events: readonly PastEvent[]): Promise<EventItem[]> {
  const counts = await countsOf(tx, accountId, events);
  return events.flatMap((event) => {
    const { subscriptions, callback, about } = openEvent(event);
    const names = [...new Set([...subscriptions, ...(callback ? [callback] : [])].map(({ name }) => name))];
    if (names.length === 0) return []; // a change that no contract has a word for
    return {
      ...{ id: event.id, names, subject: event.subject as EventItem["subject"], about },
      ...{ occurred_at: iso(event.occurredAt), created_at: iso(realTime(event.id)) },
      deliveries: counts.get(event.id) ?? NONE,
    };
  });
}

const NONE = { delivered: 0, pending: 0, failed: 0, exhausted: 0 } as const satisfies Record<DeliveryStatus, number>;

async function countsOf(tx: Tx, accountId: string, events: readonly PastEvent[]) {
  const rows = await tx.delivery.groupBy({
    by: ["eventId", "status"],
    where: { accountId, eventId: { in: events.map(({ id }) => id) } },
    _count: true,
  });
  const counts = new Map<string, EventItem["deliveries"]>();
  for (const { eventId, status, _count } of rows) {
    counts.set(eventId, { ...(counts.get(eventId) ?? NONE), [status]: _count });
  }
  return counts;
}

/** The deliveries of an event, the last one first, each with the webhook that it is for. */
async function deliveriesOf(tx: Tx, accountId: string, eventId: string): Promise<EventDetail["deliveries"]> {
  const rows = await tx.delivery.findMany({ where: { accountId, eventId }, orderBy: { id: "desc" } });
  const ids = rows.flatMap(({ webhookId }) => webhookId ?? []);
  const webhooks = await tx.webhook.findMany({
    where: { accountId, id: { in: ids } },
    select: { id: true, title: true },
  });
  const byId = new Map(webhooks.map((webhook) => [webhook.id, webhook]));
  const shown = await presentDeliveries(tx, accountId, rows);
  return shown.map((delivery, at) => ({ ...delivery, webhook: byId.get(rows[at]?.webhookId ?? 0) ?? null }));
}
