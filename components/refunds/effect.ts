import { cents } from "@/components/format";
import { fundingOf } from "@/lib/refunds/funding";
import type { TransactionDetail } from "@/lib/transactions/schema";

type Refundable = NonNullable<TransactionDetail["refundable"]>;
/** A sale of which something can be refunded. */
export type RefundableSale = TransactionDetail & { refundable: Refundable };

/** What a refund of so many cents would do: what the seller's balance is held for, and what each recipient gives back. */
export function effectOf({ breakdown, refundable }: RefundableSale, amount: number) {
  const { left, refunded, fee, is_pending: isPending, pending_used } = refundable;
  const shares = breakdown.shares.map(({ name, amount }) => ({ name, amount: cents(amount) }));
  const gross = cents(breakdown.gross);
  const sale = {
    ...{ amount: gross, net: gross - cents(breakdown.fee), refunded: cents(refunded) },
    ...{ isPending, pendingUsed: cents(pending_used) },
  };
  const { pending, rest, shares: returned } = fundingOf(sale, shares, amount, cents(fee));
  return {
    ...{ fee: cents(fee), saleFee: cents(breakdown.fee), isPending, pending, rest },
    left: cents(left) - amount,
    returned: shares
      .map(({ name }, place) => ({ name, amount: returned[place] ?? 0 }))
      .filter(({ amount }) => amount > 0),
  };
}
