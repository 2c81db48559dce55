import type { Transitions } from "@/lib/states";
import type { UnmatchedStatus } from "@/prisma/client/enums";

/** The transitions of unmatched money. A return that its provider does not make leaves it open, for a person. */
export const unmatchedTransitions = {
  /** It pays a sale that was still open. */
  match: { from: ["open"], to: "matched" },
  credit: { from: ["open"], to: "credited" },
  /** The operator moved it here from another rail. */
  transfer: { from: ["open"], to: "transferred" },
  return: { from: ["open"], to: "returning" },
  complete: { from: ["returning"], to: "returned" },
  fail: { from: ["returning"], to: "open" },
  /** It went back after all, although its provider had said that it would not. */
  completeLate: { from: ["open"], to: "returned" },
} as const satisfies Transitions<UnmatchedStatus>;

export type UnmatchedTransition = keyof typeof unmatchedTransitions;

/** The statuses of money that is still the platform's. */
export const heldUnmatched = ["open", "returning"] as const satisfies readonly UnmatchedStatus[];

/** Every status, as the list's tabs have them. */
export const unmatchedStatuses = [
  "open",
  "returning",
  "returned",
  "matched",
  "credited",
  "transferred",
] as const satisfies readonly UnmatchedStatus[];

/** Why money pays no open sale. What follows from each is in `policies`. */
export const unmatchedReasons = [
  "amount_differs",
  "already_paid",
  "payer_differs",
  "cycle_already_paid",
  "cycle_not_owed",
  "charged_too_late",
  "unknown_txid",
  "another_rail",
] as const;

export type UnmatchedReason = (typeof unmatchedReasons)[number];
