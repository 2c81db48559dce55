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

/** The seller's rest of the net after the recipients' shares, in cents. */
export const restOf = (net: number | bigint, shares: readonly Pick<Share, "amount">[]): number =>
  shares.reduce((rest, { amount }) => rest - amount, Number(net));
