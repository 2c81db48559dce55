import { asSystem, prisma } from "@/lib/db";
import { everyRail, type Receipt } from "@/lib/rails/pix/port";

/** Movements compared at once. */
const BATCH = 1_000;

export type Movement = { provider: string; receipt: Receipt };

/**
 * Money that arrived in a rail's book between two instants of the rail's clock and neither completed a sale nor was
 * noted for the operator, in batches. Throws when a rail does not answer.
 */
export async function* unknownMovements(since: Date, until: Date): AsyncGenerator<Movement[]> {
  for (const { provider, receivedSince } of everyRail()) {
    let batch: Receipt[] = [];
    for await (const receipt of receivedSince(since)) {
      if (receipt.paidAt <= until) batch.push(receipt);
      if (batch.length < BATCH) continue;
      yield await unknownOf(provider, batch);
      batch = [];
    }
    yield await unknownOf(provider, batch);
  }
}

async function unknownOf(provider: string, receipts: Receipt[]): Promise<Movement[]> {
  if (receipts.length === 0) return [];
  const endToEndId = { in: receipts.map((receipt) => receipt.endToEndId) };
  const select = { endToEndId: true };
  const sales = await asSystem((tx) => tx.transaction.findMany({ where: { type: "cash_in", endToEndId }, select }));
  const noted = await prisma().unmatchedReceipt.findMany({ where: { provider, endToEndId }, select });
  const known = new Set([...sales, ...noted].map((row) => row.endToEndId));
  return receipts.filter((receipt) => !known.has(receipt.endToEndId)).map((receipt) => ({ provider, receipt }));
}
