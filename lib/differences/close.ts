import { currentActor } from "@/lib/actor";
import { forAccount, type Query, queryOf } from "@/lib/db";
import { differenceNoun } from "@/lib/differences/noun";
import type { CloseBody } from "@/lib/differences/schema";
import { AppError } from "@/lib/errors";
import { PLATFORM } from "@/lib/ledger/chart";
import { log } from "@/lib/log";
import { move } from "@/lib/move";

/**
 * Closes a difference that somebody has explained, for the operator's staff. Money does not move by it. Throws
 * `difference_not_found`, `invalid_transition`, and `difference_changed` where it differs otherwise than it did when the person
 * looked.
 */
export async function closeDifference({
  id,
  reason,
  updated_at,
}: CloseBody & { id: string }): Promise<{ message: string }> {
  const { kind, id: person } = currentActor();
  await forAccount(PLATFORM, async (tx) => {
    await assertAsSeen(queryOf(tx), id, updated_at);
    const facts = { why: reason, ...(kind === "staff" && person && { staff: person }) };
    await move(tx, differenceNoun, "close", [{ accountId: PLATFORM, id, facts }]);
  });
  log.info({ id, person }, "a difference was closed by staff");
  return { message: "Diferença encerrada." };
}

/** Locks a difference that is open and is as the person saw it. */
async function assertAsSeen(query: Query, id: string, seen: string): Promise<void> {
  const [found] = await query<{ isOpen: boolean; isAsSeen: boolean }>("difference_lock", LOCK, [PLATFORM, id, seen]);
  if (!found) throw new AppError("difference_not_found");
  if (!found.isOpen) throw new AppError("invalid_transition");
  if (!found.isAsSeen) throw new AppError("difference_changed");
}

const LOCK = `select status = 'open' as "isOpen", updated_at = $3::timestamptz as "isAsSeen" from reconcile_differences
  where account_id = $1::uuid and id = $2::uuid for update`;
