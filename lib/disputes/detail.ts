import { queryOf, readFor, type Tx } from "@/lib/db";
import { readEvidence } from "@/lib/disputes/evidence";
import { presentDispute } from "@/lib/disputes/present";
import { findByCode } from "@/lib/disputes/read";
import type { DisputeDetail } from "@/lib/disputes/schema";

/** A dispute with the files of its defence, of an account in scope. Throws `dispute_not_found`. */
export async function readDetail(tx: Tx, accountId: string, code: string): Promise<DisputeDetail> {
  const found = await findByCode(queryOf(tx), accountId, code);
  return { ...presentDispute(found), files: await readEvidence(tx, accountId, found.dispute.id) };
}

/** The same in a transaction of its own. */
export const readDispute = async (accountId: string, code: string) => ({
  data: await readFor(accountId, (tx) => readDetail(tx, accountId, code)),
});
