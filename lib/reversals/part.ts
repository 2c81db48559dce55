import { rounded } from "@/lib/money";

/**
 * What of a share goes back when `amount` of its sale's `gross` does, after `before` went back already, all in cents: what goes
 * back in all up to then, rounded once, less what went before. So parts return exactly the share.
 */
export function partOf(share: number, gross: number, before: number, amount: number): number {
  const upTo = (total: number) => rounded(BigInt(share) * BigInt(total), BigInt(gross));
  return upTo(before + amount) - upTo(before);
}

type Cut = {
  shares: readonly { id: string; amount: number }[];
  gross: number;
  before: number;
  amount: number;
  /** What of each share is given back or held already, by its id. */
  kept: ReadonlyMap<string, number>;
  /** What each share can give at most; all of it by default. */
  atMost?: ReadonlyMap<string, number>;
};

/**
 * What each share gives back of `amount`, so that all that it gave is its part of all that went back. Where no agreement of a
 * seller is asked, as in a dispute, the parts together are never more than the amount: the seller bears what rounding leaves.
 */
export function partsOf({ shares, gross, before, amount, kept, atMost }: Cut): number[] {
  let left = amount;
  return shares.map((share) => {
    const given = kept.get(share.id) ?? 0;
    const due = partOf(share.amount, gross, 0, before + amount) - given;
    const most = Math.min(left, share.amount - given, atMost?.get(share.id) ?? share.amount);
    const part = Math.max(0, Math.min(due, most));
    left -= part;
    return part;
  });
}
