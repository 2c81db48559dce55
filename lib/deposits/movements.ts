import { inBatches } from "@/lib/concurrency/parallel";
import { asSystem } from "@/lib/db";
import type { PixRail } from "@/lib/rails/pix/port";
import type { Receipt } from "@/lib/rails/pix/receipt";

/** Payments of one rail, and when the last of those that were read was paid, by the rail's clock. */
export type Movements = { provider: string; receipts: Receipt[]; readUntil: Date };

/**
 * Money that a Pix rail received between two instants of its clock and that neither completed a sale nor was recorded for the
 * operator, in batches, oldest first; a batch of which nothing is unknown comes too. Throws when the rail does not answer.
 */
export async function* unknownAt(
  { provider, receivedWithin }: Pick<PixRail, "provider" | "receivedWithin">,
  since: Date,
  until: Date,
): AsyncGenerator<Movements> {
  for await (const batch of inBatches(receivedWithin(since, until))) {
    const readUntil = new Date(Math.max(...batch.map(({ paidAt }) => paidAt.getTime())));
    yield { provider, receipts: await unknownOf(provider, batch), readUntil };
  }
}

async function unknownOf(provider: string, receipts: Receipt[]): Promise<Receipt[]> {
  const endToEndId = { in: receipts.map((receipt) => receipt.endToEndId) };
  const select = { endToEndId: true };
  const known = await asSystem(async (tx) => {
    const sales = await tx.transaction.findMany({ where: { method: "pix", endToEndId }, select });
    const unmatched = await tx.unmatchedReceipt.findMany({ where: { provider, endToEndId }, select });
    return new Set([...sales, ...unmatched].map((row) => row.endToEndId));
  });
  return receipts.filter((receipt) => !known.has(receipt.endToEndId));
}
