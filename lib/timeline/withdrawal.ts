import type { Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { decimal } from "@/lib/money";
import type { Entry } from "@/lib/timeline/entry";
import { entriesOfRecords } from "@/lib/timeline/record";

/**
 * What happened around a withdrawal: its events and the ledger lines of it and of what came back. Throws
 * `withdrawal_not_found`.
 */
export async function entriesOfWithdrawal(tx: Tx, accountId: string, id: string): Promise<Entry[]> {
  const where = { accountId_id: { accountId, id } };
  const found = await tx.withdrawal.findUnique({ where, select: { returns: { select: { id: true } } } });
  if (!found) throw new AppError("withdrawal_not_found");
  const sources = [id, ...found.returns.map((one) => one.id)];
  return entriesOfRecords(tx, accountId, [id], { sources, detailOf, reasonOf });
}

const detailOf = (record: unknown) => decimal((record as { amount: number }).amount);

/** Why it was not paid, in the words of the rail or of who gave it up. */
const reasonOf = (record: unknown) => (record as { failure_reason?: string }).failure_reason ?? null;
