import { currentActor } from "@/lib/actor";
import { queryOf, readForStaff } from "@/lib/db";
import { AppError } from "@/lib/errors";
import type { Intent } from "@/lib/idempotency";
import { digitsOf } from "@/lib/ids";
import { railNamed } from "@/lib/rails/pix/rails";
import { findUnmatched } from "@/lib/unmatched/read";
import type { UnmatchedReceipt } from "@/prisma/client/client";

/** Unmatched money by the account that it is kept with, and why a person decides so. */
export type Decided = { accountId: string; id: string; reason: string };

/** What is decided about. Throws `unmatched_not_found`. */
export const readDecided = ({ accountId, id }: Decided): Promise<UnmatchedReceipt> =>
  readForStaff((tx) => findUnmatched(queryOf(tx), { accountId, id }));

/**
 * Asks its rail about the last return, which had failed: what went back after all, or is on its way, is not decided about. Resolves to
 * the id of a return that the rail knows nothing of, so that the next one has the same id and is made once at most. Throws
 * `invalid_transition`, and `rail_unavailable` where the rail does not answer.
 */
export async function assertNotReturned(money: UnmatchedReceipt): Promise<string | null> {
  const { status, provider, endToEndId, returnId } = money;
  // What is decided about is answered by its key, or refused, without its rail.
  const rail = status === "open" ? railNamed(provider) : null;
  if (!rail || returnId === null) return null;
  const found = await rail.findSentBack({ endToEndId, id: digitsOf(returnId) }).catch((cause) => {
    throw new AppError("rail_unavailable", { cause });
  });
  if (found?.status === "completed" || found?.status === "accepted") throw new AppError("invalid_transition");
  return found ? null : returnId;
}

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
