import { forAccount, type Tx } from "@/lib/db";
import { bodyOf } from "@/lib/webhooks/payloads";
import type { Delivery, Event, Transaction } from "@/prisma/client/client";

/** What a delivery says is the same for all with these four. */
export type Said = Pick<Delivery, "accountId" | "eventId" | "contract" | "event">;

/** Names what a delivery says, within its account. */
export const saidBy = ({ eventId, contract, event }: Omit<Said, "accountId">) => `${eventId} ${contract} ${event}`;

/** Keeps what these deliveries of one event say, each text once; what is there already stays. */
export async function keepBodies(tx: Tx, deliveries: readonly Said[], event: Event, sale: Transaction, at: Date) {
  const different = new Map(deliveries.map((delivery) => [saidBy(delivery), delivery]));
  const rows = [...different.values()].map(({ accountId, eventId, contract, event: name }) => ({
    ...{ accountId, eventId, contract, event: name, createdAt: at },
    body: JSON.stringify(bodyOf(contract, name, event, sale)),
  }));
  await tx.deliveryBody.createMany({ data: rows, skipDuplicates: true });
  return rows;
}

/** The body of a delivery that was made before bodies were kept, or whose body's term is over; it is kept again. */
export function renderBody(delivery: Said, at: Date): Promise<string> {
  const { accountId, eventId } = delivery;
  return forAccount(accountId, async (tx) => {
    const event = await tx.event.findUniqueOrThrow({ where: { accountId_id: { accountId, id: eventId } } });
    const sale = await saleOf(tx, event);
    const [kept] = await keepBodies(tx, [delivery], event, sale, at);
    return kept?.body ?? "";
  });
}

/** The sale that an event tells of. */
export const saleOf = (tx: Tx, { accountId, subjectId }: Event) =>
  tx.transaction.findUniqueOrThrow({ where: { accountId_id: { accountId, id: subjectId } } });
