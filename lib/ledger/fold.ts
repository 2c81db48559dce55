import { SCOPE_OF_ALL, transactionOverAll } from "@/lib/db";

const BATCH = 10_000;

/**
 * Folds a batch of entries of the tails into the snapshots and their days. Returns whether more may wait. One statement deletes
 * a tail row and adds it to both. It does not see a row that is not committed, so a credit that commits afterwards stays in the tail
 * until the next fold: it is never counted twice and never lost.
 */
export async function foldTails(limit = BATCH): Promise<boolean> {
  const [row] = await transactionOverAll((query) => query<{ folded: number }>("ledger_fold", FOLD, [limit]));
  return row?.folded === limit;
}

const FOLD = `with ${SCOPE_OF_ALL} select ledger_fold($1::int) as folded from scope`;
