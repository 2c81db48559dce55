import { recordChange } from "@/lib/audit/record-change";
import type { Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { presentRequest } from "@/lib/profile-requests/present";
import { profileRequestTransitions as transitions } from "@/lib/profile-requests/states";
import { leadsTo, startsFrom } from "@/lib/states";
import { realNow } from "@/lib/time/clock";

/**
 * Ends a request by a transition of its table, with its event; of two at once only the first does. Throws
 * `profile_request_not_found`, also for another account's, and `invalid_transition`.
 */
export async function endRequest(
  tx: Tx,
  { accountId, id, reason = null }: { accountId: string; id: string; reason?: string | null },
  transition: keyof typeof transitions,
) {
  const [row] = await tx.profileRequest.updateManyAndReturn({
    where: { accountId, id, ...startsFrom(transitions[transition]) },
    data: { ...leadsTo(transitions[transition]), reason, endedAt: realNow() },
  });
  if (!row) {
    const known = await tx.profileRequest.count({ where: { accountId, id } });
    throw new AppError(known ? "invalid_transition" : "profile_request_not_found");
  }
  const [verb, after] = [transitions[transition].to, presentRequest(row)];
  await recordChange(tx, { accountId, subject: "profile_request", id, verb, after });
  return { row, after };
}
