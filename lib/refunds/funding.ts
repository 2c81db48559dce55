import { partOf } from "@/lib/reversals/part";
import { restOf, type Share } from "@/lib/splits/share";

/** A sale and what went back of it so far, in cents. `pendingUsed` is what refunds took of its money before it was settled. */
export type Refunded = {
  amount: number;
  net: number;
  refunded: number;
  isPending: boolean;
  pendingUsed: number;
};

type Part = Pick<Share, "amount">;

/** Where the money of a refund comes from, in cents; `shares` is what each recipient gives back. */
export type Funding = { pending: number; rest: number; shares: number[] };

/**
 * Where a refund of `amount` and its `fee` come from. Recipients give back their shares in proportion, rounded over all
 * refunds of the sale together, so that part refunds return exactly the share. While the sale is not settled the money
 * is taken from what is left of this sale, the recipients' parts at once; only the remainder must be available.
 */
export function fundingOf(sale: Refunded, shares: readonly Part[], amount: number, fee: number): Funding {
  const returned = shares.map((share) => partOf(share.amount, sale.amount, sale.refunded, amount));
  if (!sale.isPending) return { pending: 0, rest: amount + fee, shares: returned };
  const own = amount + fee - returned.reduce((sum, one) => sum + one, 0);
  const pending = Math.min(own, restOf(sale.net, shares) - sale.pendingUsed);
  return { pending, rest: own - pending, shares: returned };
}
