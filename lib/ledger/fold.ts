import { asSystem } from "@/lib/db";

/**
 * Folds tails into snapshots, at most `limit` entries a call; returns how many. Deleting a tail row and adding it to
 * the snapshot is one statement, and a row not yet committed is simply not there to be deleted: a credit that commits
 * late is counted by the tail until a later fold removes it, never twice and never lost. No transaction id is kept.
 */
export function foldTails(limit = 10_000): Promise<number> {
  return asSystem(async (tx) => {
    const [row] = await tx.$queryRaw<{ folded: number }[]>`select ledger_fold(${limit}::int) as folded`;
    return row?.folded ?? 0;
  });
}
