import type { UnmatchedReason } from "@/lib/unmatched/states";

/**
 * What is done with money that pays no open sale, by why it does not: it goes back to its payer by itself, or it waits for a
 * person of the staff, who may find the sale that it was meant for. Whether a payer is refused at all is the account's choice
 * (`payer_policy`).
 */
export const policies: Readonly<Record<UnmatchedReason, "return" | "wait">> = {
  amount_differs: "return",
  already_paid: "return",
  payer_differs: "return",
  cycle_already_paid: "return",
  cycle_not_owed: "return",
  charged_too_late: "return",
  unknown_txid: "wait",
  another_rail: "wait",
};
