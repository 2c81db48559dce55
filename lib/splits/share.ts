import { portion } from "@/lib/money";

/** One recipient's part of a sale as it was agreed when the sale was made; `amount` in cents, `id` its postings' source. */
export type Share = { id: string; recipientId: string; name: string; basisPoints: number; amount: number };

/**
 * Each recipient's share of the net, in cents. A share is rounded once and never takes more than is left,
 * so shares and the seller's rest always add up to the net; the remainder is the seller's.
 */
export function sharesOf(net: number, basisPoints: readonly number[]): number[] {
  let rest = net;
  return basisPoints.map((points) => {
    const share = Math.min(rest, portion(net, points));
    rest -= share;
    return share;
  });
}

/** What is the seller's of the net once the recipients have their shares, in cents. */
export const restOf = (net: number | bigint, shares: readonly Share[]): number =>
  shares.reduce((rest, { amount }) => rest - amount, Number(net));
