import { runPrepared } from "@/lib/db";

/** SQL: which rows `s` of sessions have not ended: after 12 h, or 30 min without use, they have. */
export const LIVES = `s.revoked_at is null and s.expires_at > now()
    and s.last_seen_at > now() - interval '30 minutes'`;

/** SQL: whether a live session `s` is due for `touchSession`. */
export const IS_STALE = "s.last_seen_at < now() - interval '1 minute'";

/** How long a person need not prove again who they are. */
export const STEP_UP_MINUTES = 10;

/** SQL: whether the person of a session `s` has proved just now who they are. */
export const IS_STEPPED_UP = `coalesce(s.stepped_up_at > now() - interval '${STEP_UP_MINUTES} minutes', false)`;

/** Whether a session has not ended. */
export async function isLive(sessionId: string): Promise<boolean> {
  const rows = await runPrepared("session_lives", `select 1 from sessions s where s.id = $1 and ${LIVES}`, [sessionId]);
  return rows.length > 0;
}

/** Moves the idle limit of a session, at most once a minute; `accountId` is the account that its person looked at. */
export async function touchSession(sessionId: string, accountId?: string) {
  const text = "update sessions set last_seen_at = now(), account_id = coalesce($2, account_id) where id = $1";
  await runPrepared("touch_session", text, [sessionId, accountId ?? null]);
}
