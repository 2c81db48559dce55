import { currentActor } from "@/lib/actor";
import { queryOf, readForStaff } from "@/lib/db";
import { AppError } from "@/lib/errors";
import type { Intent } from "@/lib/idempotency";
import { findUnmatched } from "@/lib/unmatched/read";
import type { UnmatchedReceipt } from "@/prisma/client/client";

/** Unmatched money by the account that it is kept with, and why a person decides so. */
export type Decided = { accountId: string; id: string; reason: string };

/** What is decided about. Throws `unmatched_not_found`. */
export const readDecided = ({ accountId, id }: Decided): Promise<UnmatchedReceipt> =>
  readForStaff((tx) => findUnmatched(queryOf(tx), { accountId, id }));

/** The facts of a decision: the person of the staff who makes it, and why. */
export function decisionOf({ reason: why }: Decided) {
  const { kind, id } = currentActor();
  return { why, ...(kind === "staff" && id && { staff: id }) };
}

/** The move of a decision. */
export const moveOf = (decided: Decided, { requestId }: Intent) => ({
  ...{ accountId: decided.accountId, id: decided.id, requestId },
  facts: decisionOf(decided),
});

/** Of two decisions at once the second finds the money decided about. */
export function assertOpen<T>(moved: T | undefined): asserts moved is T {
  if (!moved) throw new AppError("invalid_transition");
}
