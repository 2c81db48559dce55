import { inBatches } from "@/lib/batch";
import { asSystem, prisma } from "@/lib/db";
import { everyRail, type Receipt } from "@/lib/rails/pix/port";

export type Movement = { provider: string; receipt: Receipt };

/**
 * Money that a Pix rail received between two instants of the rail's clock and that neither completed a sale nor was
 * recorded for the operator, in batches. Throws when a rail does not answer.
 */
export async function* unknownMovements(since: Date, until: Date): AsyncGenerator<Movement[]> {
  for (const { provider, receivedSince } of everyRail()) {
    for await (const batch of inBatches(receivedSince(since))) {
      yield unknownOf(
        provider,
        batch.filter(({ paidAt }) => paidAt <= until),
      );
    }
  }
}

async function unknownOf(provider: string, receipts: Receipt[]): Promise<Movement[]> {
  const endToEndId = { in: receipts.map((receipt) => receipt.endToEndId) };
  const select = { endToEndId: true };
  const sales = await asSystem((tx) => tx.transaction.findMany({ where: { method: "pix", endToEndId }, select }));
  const unmatched = await prisma().unmatchedReceipt.findMany({ where: { provider, endToEndId }, select });
  const known = new Set([...sales, ...unmatched].map((row) => row.endToEndId));
  return receipts.filter((receipt) => !known.has(receipt.endToEndId)).map((receipt) => ({ provider, receipt }));
}
