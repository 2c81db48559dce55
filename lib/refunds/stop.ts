import type { Query } from "@/lib/db";
import { move } from "@/lib/move";
import { refundNoun } from "@/lib/refunds/noun";
import { releaseOf } from "@/lib/refunds/postings";
import { refundTransitions } from "@/lib/refunds/states";
import { startsFromSql } from "@/lib/states";

/**
 * Ends the open refund of a sale whose payer disputes it, if its rail was not asked for it yet: what it holds goes back. The sale
 * must be locked, and every account that the refund takes from in scope.
 */
export async function stopRefund(query: Query, accountId: string, saleId: string): Promise<void> {
  const [open] = await query<{ id: string }>("refund_to_stop", TO_STOP, [accountId, saleId]);
  if (!open) return;
  const posts = await releaseOf(query, { accountId, id: open.id });
  await move(query, refundNoun, "stop", [{ accountId, id: open.id, posts }]);
}

const TO_STOP = `select id from refunds
  where account_id = $1::uuid and transaction_id = $2::uuid and ${startsFromSql(refundTransitions.stop)} for update`;
