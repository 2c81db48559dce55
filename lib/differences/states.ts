import type { Transitions } from "@/lib/states";
import type { DifferenceStatus } from "@/prisma/client/enums";

/** The transitions of a difference. A person closes one; all others follow from what a comparison finds. */
export const differenceTransitions = {
  close: { from: ["open"], to: "closed" },
  /** A later comparison found both sides alike. */
  resolve: { from: ["open"], to: "resolved" },
  /** It is there again, or differs otherwise than it did when it was closed. */
  reopen: { from: ["closed", "resolved"], to: "open" },
  /** It is still there, and differs otherwise. */
  change: { from: ["open"], to: "open" },
} as const satisfies Transitions<DifferenceStatus>;

export type DifferenceTransition = keyof typeof differenceTransitions;

/** Every status, as the list's tabs have them. */
export const differenceStatuses = ["open", "closed", "resolved"] as const satisfies readonly DifferenceStatus[];

/** What is compared. A return is a refund, the return of unmatched money, or what a dispute took. */
export const differenceKinds = ["payment", "return", "payout", "payout_return"] as const;
export type DifferenceKind = (typeof differenceKinds)[number];

/** In what both differ: only the PSP has it, only we have it, or it has another amount or another outcome there. */
export const differenceFaults = ["missing_here", "missing_there", "amount", "state"] as const;
export type DifferenceFault = (typeof differenceFaults)[number];

/** Why a comparison compared nothing: the PSP did not answer as it should, or too many records differ to be true. */
export const comparisonFailures = ["not_read", "too_many", "not_connected", "internal"] as const;
export type ComparisonFailure = (typeof comparisonFailures)[number];
