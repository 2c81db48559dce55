import { portion } from "@/lib/money";

/**
 * One recipient's part of a sale, as agreed when the sale was made. `amount` is cents, `id` is its postings' source.
 */
export type Share = {
  id: string;
  recipientId: string;
  name: string;
  basisPoints: number;
  amount: number;
  /** The plan by which it was agreed; none where the sale named its recipients itself. */
  planId?: string | null;
};

/**
 * Each recipient's share of the net, in cents. A share is rounded once and is never more than what is left, so that
 * shares and the seller's rest always add up to the net.
 */
export function sharesOf(net: number, basisPoints: readonly number[]): number[] {
  let rest = net;
  return basisPoints.map((points) => {
    const share = Math.min(rest, portion(net, points));
    rest -= share;
    return share;
  });
}

/** The seller's rest of the net after the recipients' shares, in cents. */
export const restOf = (net: number | bigint, shares: readonly Share[]): number =>
  shares.reduce((rest, { amount }) => rest - amount, Number(net));
