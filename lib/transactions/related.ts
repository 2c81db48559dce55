import type { Tx } from "@/lib/db";
import { type TrackedName, type TransactionQuery, trackedNames } from "@/lib/transactions/schema";
import type { Transaction } from "@/prisma/client/client";

/**
 * A column or a value of `tracking`, each with an index of its own (of all of `tracking` it is that of the sales that have any), of
 * which the sales have one of these values.
 */
export type Related = {
  column: "plan_id" | "cycle_id" | "payment_link_id" | "client_document" | TrackedName;
  any: readonly string[];
};

type Asked = Pick<TransactionQuery, "plan" | "subscription" | "payment_link" | "customer" | TrackedName>;

/** What the listed sales must belong to. What the account does not have has no sales. */
export async function relatedTo(tx: Tx, accountId: string, asked: Asked): Promise<Related[]> {
  const { plan, subscription, payment_link: link, customer } = asked;
  return [
    ...(plan ? [{ column: "plan_id", any: [plan] } as const] : []),
    ...(subscription ? [{ column: "cycle_id", any: await cyclesOf(tx, accountId, subscription) } as const] : []),
    ...(link ? [{ column: "payment_link_id", any: [link] } as const] : []),
    ...(customer ? [{ column: "client_document", any: await documentsOf(tx, accountId, customer) } as const] : []),
    ...trackedNames.flatMap((column) => (asked[column] ? [{ column, any: [asked[column]] }] : [])),
  ];
}

async function cyclesOf(tx: Tx, accountId: string, subscriptionId: string): Promise<string[]> {
  const cycles = await tx.cycle.findMany({ where: { accountId, subscriptionId }, select: { id: true } });
  return cycles.map(({ id }) => id);
}

/** The document of a person, who is named by one of the person's sales or as a subscriber. */
async function documentsOf(tx: Tx, accountId: string, id: string): Promise<string[]> {
  const key = { accountId_id: { accountId, id } };
  const sale = await tx.transaction.findUnique({ where: key, select: { clientDocument: true } });
  const person = sale ? null : await tx.subscriber.findUnique({ where: key, select: { document: true } });
  return [sale?.clientDocument ?? person?.document ?? []].flat();
}

/** What a sale belongs to, for the page that shows it. */
export async function readRelated(tx: Tx, sale: Transaction) {
  const { accountId, subscriptionId, planId, paymentLinkId, clientDocument } = sale;
  const keyOf = (id: string) => ({ accountId_id: { accountId, id } });
  const plan = planId && (await tx.plan.findUnique({ where: keyOf(planId) }));
  const link = paymentLinkId && (await tx.paymentLink.findUnique({ where: keyOf(paymentLinkId) }));
  return {
    subscription: subscriptionId,
    plan: plan ? { token: plan.id, name: plan.name, product: plan.productId } : null,
    payment_link: link ? { token: link.id, description: link.description } : null,
    has_customer: clientDocument !== null,
  };
}
