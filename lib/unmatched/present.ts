import { decimal } from "@/lib/money";
import { iso, isoOrNull } from "@/lib/time/clock";
import type { Unmatched } from "@/lib/unmatched/schema";
import type { UnmatchedReceipt } from "@/prisma/client/client";

type Payer = { name?: string | null; document?: string | null };

/** Unmatched money as the operator's API shows it. */
export const presentUnmatched = (row: UnmatchedReceipt): Unmatched => ({
  ...{ id: row.id, kept_with: row.accountId, mode: row.mode, method: row.method, status: row.status },
  ...{ amount: decimal(row.amount), reason: row.reason, is_returned_by_policy: row.returnAt !== null },
  ...{ provider: row.provider, end_to_end_id: row.endToEndId, txid: row.txid, payer: payerOf(row) },
  ...{ received_at: iso(row.receivedAt), transaction: row.saleId },
  ...{ decided_at: isoOrNull(row.decidedAt), decision: row.decision },
  ...{ credited_account: row.toAccountId, matched_transaction: row.toSaleId },
  from_provider: row.fromProvider,
  ...{ provider_return_id: row.providerReturnId, return_failure: row.returnFailure },
});

function payerOf({ payer }: UnmatchedReceipt): Unmatched["payer"] {
  const known = payer as Payer | null;
  return known && { name: known.name ?? null, document: known.document ?? null };
}
