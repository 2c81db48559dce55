import { readFor, type Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { aboutOf } from "@/lib/events/subjects";
import { readNumber } from "@/lib/ids";
import { COUNTED, metaOf, pageAfter, pageOfRead, skipOf, upTo } from "@/lib/lists/pagination";
import { type BodyKey, bodyKeyOf } from "@/lib/webhooks/bodies";
import { presentDelivery, presentWebhook } from "@/lib/webhooks/present";
import type { DeliveryQuery, WebhookQuery } from "@/lib/webhooks/schema";
import type { DeliveryAttempt, Delivery as DeliveryRow } from "@/prisma/client/client";

/** The account's webhooks, newest first; `search` looks into title, address and event. */
export async function listWebhooks(accountId: string, query: WebhookQuery) {
  const like = { contains: query.search ?? "", mode: "insensitive" as const };
  const where = {
    accountId,
    deletedAt: null,
    ...(query.search && { OR: [{ title: like }, { url: like }, { event: like }] }),
  };
  return readFor(accountId, async (tx) => {
    const total = await tx.webhook.count({ where });
    const rows = await tx.webhook.findMany({
      where,
      orderBy: { id: "desc" },
      skip: skipOf(query),
      take: query.per_page,
    });
    return { data: rows.map(presentWebhook), meta: metaOf(total, query) };
  });
}

/** The deliveries to one webhook, newest first, with their attempts. Throws `webhook_not_found`. */
export async function listDeliveries(accountId: string, idText: string, query: DeliveryQuery) {
  return readFor(accountId, async (tx) => {
    const webhook = await findWebhook(tx, accountId, idText);
    const where = {
      accountId,
      webhookId: webhook.id,
      ...(query.status && { status: query.status }),
      ...(query.event && { event: query.event }),
    };
    const found = await tx.delivery.count({ where, take: COUNTED + 1 });
    const after = query.cursor ? { ...where, id: { lt: query.cursor } } : where;
    const rows = await tx.delivery.findMany({ where: after, ...pageAfter(query) });
    const { shown, meta } = pageOfRead(rows, upTo(found), query);
    return { data: await presentDeliveries(tx, accountId, shown), meta };
  });
}

/** The webhook that a path names. Throws `webhook_not_found`, also for another account's and for a removed one. */
export async function findWebhook(tx: Tx, accountId: string, idText: string) {
  const id = webhookIdOf(idText);
  const row = await tx.webhook.findFirst({ where: { accountId, id, deletedAt: null } });
  if (!row) throw new AppError("webhook_not_found");
  return row;
}

/** The id in a path. Throws `webhook_not_found` for anything that is no id. */
export function webhookIdOf(text: string): number {
  const id = readNumber(text);
  if (id === undefined) throw new AppError("webhook_not_found");
  return id;
}

/** How many attempts of a delivery are shown: more than the schedule makes, while resends are not limited. */
const SHOWN_ATTEMPTS = 20;

/** Deliveries as the API shows them, each with its body and its last attempts, the last one first. */
export async function presentDeliveries(tx: Tx, accountId: string, rows: DeliveryRow[]) {
  const byDelivery = new Map<string, DeliveryAttempt[]>(rows.map(({ id }) => [id, []]));
  const attempts = await tx.deliveryAttempt.findMany({
    where: {
      accountId,
      OR: rows.map(({ id, attempts }) => ({ deliveryId: id, attempt: { gt: attempts - SHOWN_ATTEMPTS } })),
    },
    orderBy: { attempt: "desc" },
  });
  for (const attempt of attempts) byDelivery.get(attempt.deliveryId)?.push(attempt);
  const bodies = await bodiesOf(tx, accountId, rows);
  const abouts = await aboutsOf(tx, accountId, rows);
  return rows.map((row) => {
    const body = bodies.get(bodyKeyOf(row)) ?? null;
    const about = abouts.get(row.eventId) ?? null;
    return presentDelivery(row, byDelivery.get(row.id) ?? [], { body, about });
  });
}

/** What the events of these deliveries are about, by the event's id, while the events are kept. */
async function aboutsOf(tx: Tx, accountId: string, deliveries: readonly { eventId: string }[]) {
  const where = { accountId, id: { in: deliveries.map(({ eventId }) => eventId) } };
  const events = await tx.event.findMany({ where });
  return new Map(events.map((event) => [event.id, aboutOf(event)]));
}

/** The bodies of these deliveries that are still stored, by `bodyKeyOf`. */
async function bodiesOf(tx: Tx, accountId: string, deliveries: readonly BodyKey[]) {
  const where = { accountId, eventId: { in: deliveries.map(({ eventId }) => eventId) } };
  const rows = await tx.deliveryBody.findMany({ where });
  return new Map(rows.map((row) => [bodyKeyOf(row), row.body]));
}
