import { forAccount, prisma } from "@/lib/db";

/** How many rows an account has in each table. A refused request must not change them. */
export async function tracesOf(accountId: string): Promise<Record<string, number>> {
  const counts = await forAccount(accountId, async (tx) => ({
    transactions: await tx.transaction.count(),
    events: await tx.event.count({ where: { subject: { in: ["transaction", "subscription"] } } }),
    postings: await tx.ledgerPosting.count({ where: { accountId } }),
    entries: await tx.ledgerEntry.count({ where: { accountId } }),
    keys: await tx.idempotencyKey.count(),
    products: await tx.product.count(),
    images: await tx.productImage.count(),
    plans: await tx.plan.count(),
    splits: await tx.planSplit.count({ where: { accountId } }),
    webhooks: await tx.webhook.count(),
    deliveries: await tx.delivery.count(),
    outbox: await tx.outbox.count(),
  }));
  return { ...counts, credentials: await prisma().credential.count({ where: { accountId } }) };
}

/** Every event of a record, oldest first, as the statuses it moved through: "pending", "pending → completed". */
export async function historyOf(accountId: string, subjectId: string): Promise<string[]> {
  const where = { accountId, subjectId };
  const events = await forAccount(accountId, (tx) => tx.event.findMany({ where, orderBy: { id: "asc" } }));
  const moves = events.map(({ data }) => data as { status: string; previous_status: string | null });
  return moves.map(({ status, previous_status }) => (previous_status ? `${previous_status} → ${status}` : status));
}
