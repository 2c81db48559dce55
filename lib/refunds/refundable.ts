import { queryOf, type Tx } from "@/lib/db";
import { limits } from "@/lib/limits";
import { methods } from "@/lib/methods/methods";
import { saleRefusals } from "@/lib/refunds/states";
import { openRefunds } from "@/lib/reversals/states";
import { readUsed } from "@/lib/reversals/used";
import { DAY_MS } from "@/lib/time/calendar";
import type { Sale } from "@/lib/transactions/sale";
import type { TransactionDetail } from "@/lib/transactions/schema";
import type { RefundStatus } from "@/prisma/client/enums";

/** How long after its payment a sale can be refunded. */
const ELIGIBLE_MS = 90 * DAY_MS;

/** Until when a sale can be refunded, once it is in no dispute; null of one whose money is not there. */
export const refundableUntil = ({ status, paidAt }: Pick<Sale, "status" | "paidAt">): Date | null =>
  saleRefusals[status] !== "refund_not_eligible" && paidAt ? new Date(paidAt.getTime() + ELIGIBLE_MS) : null;

/** Why nothing of a sale can be refunded now. */
export type Hindrance = NonNullable<NonNullable<TransactionDetail["refundable"]>["hindrance"]>;

export type Refundable = NonNullable<Awaited<ReturnType<typeof readRefundable>>>;

/**
 * What of a sale can be refunded at an instant, and where its money would come from, in cents; null of one whose money is
 * not there.
 */
export async function readRefundable(tx: Tx, sale: Sale, now: Date) {
  const until = refundableUntil(sale);
  if (!until) return null;
  const { accountId, id, amount, refundedAmount, method, settledAt } = sale;
  const left = Number(amount - refundedAmount);
  const where = { accountId, transactionId: id };
  const others = await tx.refund.findMany({ where, select: { status: true }, take: limits.refundsOfSale });
  const { refundFee } = await tx.account.findUniqueOrThrow({ where: { id: accountId }, select: { refundFee: true } });
  const used = await readUsed(queryOf(tx), [sale]);
  return {
    ...{ until, left, refunded: Number(refundedAmount), fee: Number(refundFee) },
    hindrance: hindranceOf({ sale, left, isLate: now > until, others }),
    isPending: methods[method].settlementDays !== null && settledAt === null,
    pendingUsed: used.get(id) ?? 0,
  };
}

type Known = { sale: Sale; left: number; isLate: boolean; others: readonly { status: RefundStatus }[] };

function hindranceOf({ sale, left, isLate, others }: Known): Hindrance | null {
  if (saleRefusals[sale.status]) return "disputed";
  if (others.some(({ status }) => openRefunds.some((open) => open === status))) return "open";
  if (left === 0) return "nothing_left";
  if (isLate) return "too_late";
  return others.length === limits.refundsOfSale ? "too_many" : null;
}
