/** How many records of a kind an account may have at once. */
export const limits = { domains: 10, webhooks: 50, products: 1_000, plans: 5_000 } as const;
