import type { AccountContext } from "@/lib/accounts/context";
import { queryOf, readFor } from "@/lib/db";
import { decimal } from "@/lib/money";
import { presentRefund } from "@/lib/refunds/present";
import { findRefund } from "@/lib/refunds/read";
import { idOfCode } from "@/lib/refunds/record";
import type { RefundDetail } from "@/lib/refunds/schema";
import { readShares } from "@/lib/splits/read";

/**
 * All that the dashboard shows of a refund beside its timeline. It spends no look-up of the account's programs. Throws
 * `refund_not_found`, also for another account's.
 */
export function readRefundDetail({ id: accountId }: AccountContext, code: string): Promise<RefundDetail> {
  return readFor(accountId, async (tx) => {
    const record = await findRefund(queryOf(tx), accountId, idOfCode(code));
    const { id: refundId, transactionId, cancelSubscription } = record.refund;
    const parts = await tx.refundShare.findMany({ where: { accountId, refundId } });
    const shares = await readShares(tx, [transactionId]);
    return {
      ...presentRefund(record),
      cancel_subscription: cancelSubscription,
      shares: shares.flatMap(({ id, name }) => {
        const part = parts.find(({ shareId }) => shareId === id);
        return part ? [{ name, amount: decimal(part.amount), is_held: part.isHeld }] : [];
      }),
    };
  });
}
