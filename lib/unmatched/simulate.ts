/** In a sandbox an amount that ends so, in cents, is not taken back by the simulated payer's bank. */
export const REFUSED_CENTS = 71;

/** Whether the simulated payer's bank takes so many cents back. */
export const isSentBackInSandbox = (amount: number): boolean => amount % 100 !== REFUSED_CENTS;
