import { queryOf, type Tx } from "@/lib/db";
import { methods } from "@/lib/methods/methods";
import { openRefunds, saleRefusals } from "@/lib/refunds/states";
import { readUsed } from "@/lib/refunds/used";
import { DAY_MS } from "@/lib/time/calendar";
import type { Sale } from "@/lib/transactions/sale";

/** How long after its payment a sale can be refunded. */
const ELIGIBLE_MS = 90 * DAY_MS;

/** Until when a sale can be refunded, once it is in no dispute; null of one whose money is not there. */
export const refundableUntil = ({ status, paidAt }: Pick<Sale, "status" | "paidAt">): Date | null =>
  saleRefusals[status] !== "refund_not_eligible" && paidAt ? new Date(paidAt.getTime() + ELIGIBLE_MS) : null;

/** What of a sale can be refunded at an instant, and where its money would come from; null of one whose money is not there. */
export async function readRefundable(tx: Tx, sale: Sale, now: Date) {
  const until = refundableUntil(sale);
  if (!until) return null;
  const { accountId, id, status, amount, refundedAmount, method, settledAt } = sale;
  const left = Number(amount - refundedAmount);
  const where = { accountId, transactionId: id, status: { in: [...openRefunds] } };
  const isOpen = (await tx.refund.count({ where })) > 0;
  const { refundFee } = await tx.account.findUniqueOrThrow({ where: { id: accountId }, select: { refundFee: true } });
  const used = await readUsed(queryOf(tx), [sale]);
  const isLate = now > until;
  return {
    ...{ until, left, refunded: Number(refundedAmount), fee: Number(refundFee) },
    hindrance: isOpen
      ? ("open" as const)
      : saleRefusals[status]
        ? ("disputed" as const)
        : left === 0
          ? ("nothing_left" as const)
          : isLate
            ? ("too_late" as const)
            : null,
    isPending: methods[method].settlementDays !== null && settledAt === null,
    pendingUsed: used.get(id) ?? 0,
  };
}
