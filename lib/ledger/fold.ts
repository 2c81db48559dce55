import { asSystem } from "@/lib/db";

/**
 * Folds tails into snapshots, at most `limit` entries per call, and returns how many. One statement deletes a tail row
 * and adds it to the snapshot. It does not see a row that is not committed, so a credit that commits afterwards stays
 * in the tail until the next fold: it is never counted twice and never lost.
 */
export function foldTails(limit = 10_000): Promise<number> {
  return asSystem(async (tx) => {
    const [row] = await tx.$queryRaw<{ folded: number }[]>`select ledger_fold(${limit}::int) as folded`;
    return row?.folded ?? 0;
  });
}
