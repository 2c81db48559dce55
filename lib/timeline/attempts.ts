import type { Tx } from "@/lib/db";
import { type Entry, onlyReal, plain } from "@/lib/timeline/entry";

/** The attempts to deliver these events; at most the latest `limit` of them and of the deliveries, where it is given. */
export async function attemptsOf(
  tx: Tx,
  accountId: string,
  events: readonly Pick<Entry, "id" | "cycle_number" | "sale">[],
  limit?: number,
): Promise<Entry[]> {
  const latest = { orderBy: { id: "desc" }, ...(limit && { take: limit }) } as const;
  const deliveries = await tx.delivery.findMany({
    where: { accountId, eventId: { in: events.map(({ id }) => id) } },
    ...latest,
    select: { id: true, event: true, eventId: true, url: true },
  });
  const attempts = await tx.deliveryAttempt.findMany({
    where: { accountId, deliveryId: { in: deliveries.map(({ id }) => id) } },
    ...latest,
    select: { id: true, deliveryId: true, responseStatus: true, error: true, createdAt: true },
  });
  const deliveryOf = new Map(deliveries.map((delivery) => [delivery.id, delivery]));
  const eventOf = new Map(events.map((event) => [event.id, event]));
  return attempts.reverse().map(({ id, deliveryId, responseStatus, error, createdAt }) => {
    const { event: title = "", eventId = null, url = null } = deliveryOf.get(deliveryId) ?? {};
    const status = responseStatus === null ? error : String(responseStatus);
    const { cycle_number = null, sale = null } = eventOf.get(eventId ?? "") ?? {};
    return {
      ...{ ...plain, ...onlyReal(createdAt), id, kind: "delivery", title },
      ...{ status, detail: url, cycle_number, sale, event: eventId },
    };
  });
}
