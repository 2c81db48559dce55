/**
 * What is done with money that pays no open sale, by why it does not: it goes back to its payer by itself, or it waits for a
 * person of the staff, who may find the sale that it was meant for. Whether a payer is refused at all is the account's choice
 * (`payer_policy`).
 */
export const policies = {
  amount_differs: "return",
  already_paid: "return",
  payer_differs: "return",
  cycle_already_paid: "return",
  cycle_not_owed: "return",
  charged_too_late: "return",
  unknown_txid: "wait",
  another_rail: "wait",
} as const satisfies Record<string, "return" | "wait">;

/** Why money pays no open sale. */
export type UnmatchedReason = keyof typeof policies;

export const unmatchedReasons = Object.keys(policies) as [UnmatchedReason, ...UnmatchedReason[]];

/** The reasons for which it goes back by itself. */
export const returnedByItself = unmatchedReasons.filter((reason) => policies[reason] === "return");
