import { asSystem, prisma } from "@/lib/db";
import { type Approved, everyAcquirer } from "@/lib/rails/cards/port";
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
    const isOld = ({ paidAt }: Receipt) => paidAt <= until;
    for await (const batch of batches(receivedSince(since), isOld)) yield await unknownOf(provider, batch);
  }
}

/**
 * The same of what card acquirers approved: charges that completed no sale of ours and were not noted, in batches. One
 * whose sale is pending is asked about (reconcile's `charge_unanswered` reports when that takes long).
 */
export async function* unknownCharges(since: Date, until: Date): AsyncGenerator<Approved[]> {
  for (const { approvedSince } of everyAcquirer()) {
    if (!approvedSince) continue;
    const isOld = ({ at }: Approved) => at <= until;
    for await (const batch of batches(approvedSince(since), isOld)) yield await uncompleted(batch);
  }
}

async function* batches<T>(source: AsyncIterable<T>, isWanted: (item: T) => boolean): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of source) {
    if (isWanted(item)) batch.push(item);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

async function uncompleted(charges: Approved[]): Promise<Approved[]> {
  const ids = charges.map(({ id }) => id);
  const isOurs = { OR: [{ paidAt: { not: null } }, { status: "pending" as const }] };
  const sales = await asSystem((tx) =>
    tx.transaction.findMany({ where: { id: { in: ids }, type: "card", ...isOurs }, select: { id: true } }),
  );
  const noted = await prisma().unmatchedReceipt.findMany({ where: { provider: "cards", endToEndId: { in: ids } } });
  const known = new Set([...sales.map(({ id }) => id), ...noted.map(({ endToEndId }) => endToEndId)]);
  return charges.filter(({ id }) => !known.has(id));
}

async function unknownOf(provider: string, receipts: Receipt[]): Promise<Movement[]> {
  const endToEndId = { in: receipts.map((receipt) => receipt.endToEndId) };
  const select = { endToEndId: true };
  const sales = await asSystem((tx) => tx.transaction.findMany({ where: { type: "cash_in", endToEndId }, select }));
  const noted = await prisma().unmatchedReceipt.findMany({ where: { provider, endToEndId }, select });
  const known = new Set([...sales, ...noted].map((row) => row.endToEndId));
  return receipts.filter((receipt) => !known.has(receipt.endToEndId)).map((receipt) => ({ provider, receipt }));
}
