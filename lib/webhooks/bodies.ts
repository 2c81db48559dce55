import { forAccount, type Tx } from "@/lib/db";
import type { KeptEvent, OpenEvent, Route } from "@/lib/events/subject";
import { openEvent } from "@/lib/events/subjects";
import type { Delivery, Event } from "@/prisma/client/client";

/** What a body depends on: deliveries that are alike in these members have the same body. */
export type BodyKey = Pick<Delivery, "accountId" | "eventId" | "contract" | "event">;

export type Body = BodyKey & { body: string };

/** Identifies a body within its account. */
export const bodyKeyOf = ({ eventId, contract, event }: Omit<BodyKey, "accountId">) =>
  `${eventId} ${contract} ${event}`;

/** Renders the body of an event for each different route. */
export function bodiesOf(
  { accountId, id: eventId }: KeptEvent & { accountId: string },
  { body }: OpenEvent,
  routes: readonly Route[],
): Body[] {
  const different = new Map(routes.map((route) => [`${route.contract} ${route.name}`, route]));
  return [...different.values()].map((route) => ({
    ...{ accountId, eventId, contract: route.contract, event: route.name },
    body: JSON.stringify(body(route)),
  }));
}

/** Renders and stores the body of a delivery that was made before bodies were stored, or whose body was purged. */
export function renderBody({ accountId, eventId, contract, event: name }: BodyKey): Promise<string> {
  return forAccount(accountId, async (tx) => {
    const event = await findEvent(tx, accountId, eventId);
    const data = bodiesOf(event, openEvent(event), [{ contract, name }]);
    await tx.deliveryBody.createMany({ data, skipDuplicates: true });
    return data.map(({ body }) => body).join("");
  });
}

const findEvent = (tx: Tx, accountId: string, id: string): Promise<Event> =>
  tx.event.findUniqueOrThrow({ where: { accountId_id: { accountId, id } } });
