/** How many records of a kind an account may have at once. */
export const limits = { domains: 10, webhooks: 50 } as const;
