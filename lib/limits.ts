/**
 * How many records of a kind an account may have at once; of splits, how many one plan may have that are open, and of refunds,
 * how many may be asked for of one sale. `people` counts invitations too.
 */
export const limits = {
  ...{
    domains: 10,
    webhooks: 50,
    /** Former signing secrets of a webhook that are still used. */
    previousTokens: 4,
    products: 1_000,
    plans: 5_000,
    splits: 20,
    paymentLinks: 10_000,
    refundsOfSale: 100,
    people: 100,
  },
  documents: 20,
} as const;

/** How many records of a list are counted one by one; a count that reaches it may be too small. */
export const MAX_COUNTED = 10_000;

/** The largest adjustment of a balance, in cents (more at once is a slip of the hand), and of the characters of its reason. */
export const MAX_ADJUSTMENT = 100_000_000;
export const MAX_ADJUSTMENT_REASON = 500;
