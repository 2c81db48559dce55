import { forAccount, type Tx } from "@/lib/db";
import type { OpenEvent, Route } from "@/lib/events/subject";
import { openEvent } from "@/lib/events/subjects";
import type { Delivery, Event } from "@/prisma/client/client";

/** What a body depends on: deliveries that are alike in these members have the same body. */
export type BodyKey = Pick<Delivery, "accountId" | "eventId" | "contract" | "event">;

/** Identifies a body within its account. */
export const bodyKeyOf = ({ eventId, contract, event }: Omit<BodyKey, "accountId">) =>
  `${eventId} ${contract} ${event}`;

/** Stores the body of an event for each different route; one that exists already stays as it is. */
export async function keepBodies(
  tx: Tx,
  { accountId, id: eventId }: Event,
  { body }: OpenEvent,
  routes: readonly Route[],
): Promise<string[]> {
  const different = new Map(routes.map((route) => [`${route.contract} ${route.name}`, route]));
  const rows = [...different.values()].map((route) => ({
    ...{ accountId, eventId, contract: route.contract, event: route.name },
    body: JSON.stringify(body(route)),
  }));
  await tx.deliveryBody.createMany({ data: rows, skipDuplicates: true });
  return rows.map((row) => row.body);
}

/** Renders and stores the body of a delivery that was made before bodies were stored, or whose body was purged. */
export function renderBody({ accountId, eventId, contract, event: name }: BodyKey): Promise<string> {
  return forAccount(accountId, async (tx) => {
    const event = await findEvent(tx, accountId, eventId);
    const [body = ""] = await keepBodies(tx, event, openEvent(event), [{ contract, name }]);
    return body;
  });
}

export const findEvent = (tx: Tx, accountId: string, id: string): Promise<Event> =>
  tx.event.findUniqueOrThrow({ where: { accountId_id: { accountId, id } } });
