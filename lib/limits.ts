/**
 * How many records of a kind an account may have at once (of splits, how many one plan may have that are open), and how
 * many mails it may cause in 24 hours.
 */
export const limits = {
  ...{ domains: 10, webhooks: 50, products: 1_000, plans: 5_000, splits: 20, paymentLinks: 10_000 },
  /** Anyone may sign up for a sandbox, and its mails reach whoever it names. */
  mailsADay: { sandbox: 500, live: 50_000 },
  /** How many mails about splits an address gets in 24 hours, from all accounts together. */
  splitMailsADay: 10,
} as const;
