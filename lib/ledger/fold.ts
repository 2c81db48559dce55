import { asSystem } from "@/lib/db";

/**
 * Folds tails into snapshots, at most `most` entries a call; returns how many. Deleting a tail row and adding it to
 * the snapshot is one statement, and a row not yet committed is simply not there to be deleted: a credit that commits
 * late is counted by the tail until a later fold takes it, never twice and never lost. No transaction id is kept.
 */
export function foldTails(most = 10_000): Promise<number> {
  return asSystem(async (tx) => {
    const [row] = await tx.$queryRaw<{ folded: number }[]>`select ledger_fold(${most}::int) as folded`;
    return row?.folded ?? 0;
  });
}
