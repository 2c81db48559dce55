import type { WithdrawalTerm } from "@/lib/accounts/schema";

/** What a withdrawal costs and what limits it, in the order of the form. The schema's own list would load zod with the page. */
export const withdrawalTerms = [
  "withdrawal_fee",
  "withdrawal_limit",
  "withdrawal_day_limit",
  "withdrawal_night_limit",
  "new_key_limit",
] as const satisfies readonly WithdrawalTerm[];

/** What is made of each of them, by its name. */
export const byTerm = <T>(make: (name: WithdrawalTerm) => T) =>
  Object.fromEntries(withdrawalTerms.map((name) => [name, make(name)])) as Record<WithdrawalTerm, T>;
