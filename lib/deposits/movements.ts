import { inBatches } from "@/lib/batch";
import { asSystem, prisma } from "@/lib/db";
import { everyRail, type Receipt } from "@/lib/rails/pix/port";

/** Payments of one rail. */
export type Movements = { provider: string; receipts: Receipt[] };

/**
 * Money that a Pix rail received between two instants of the rail's clock and that neither completed a sale nor was
 * recorded for the operator, in batches. Throws when a rail does not answer.
 */
export async function* unknownMovements(since: Date, until: Date): AsyncGenerator<Movements> {
  for (const { provider, receivedWithin } of everyRail()) {
    for await (const batch of inBatches(receivedWithin(since, until))) {
      yield { provider, receipts: await unknownOf(provider, batch) };
    }
  }
}

async function unknownOf(provider: string, receipts: Receipt[]): Promise<Receipt[]> {
  const endToEndId = { in: receipts.map((receipt) => receipt.endToEndId) };
  const select = { endToEndId: true };
  const sales = await asSystem((tx) => tx.transaction.findMany({ where: { method: "pix", endToEndId }, select }));
  const unmatched = await prisma().unmatchedReceipt.findMany({ where: { provider, endToEndId }, select });
  const known = new Set([...sales, ...unmatched].map((row) => row.endToEndId));
  return receipts.filter((receipt) => !known.has(receipt.endToEndId));
}
