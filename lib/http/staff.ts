import { readSessionId } from "@/lib/auth/session-cookie";
import { statement } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { isSameOrigin, LIVES, touchSession } from "@/lib/http/authenticate";
import { limits } from "@/lib/rate-limit";

/** Somebody of the operator's staff, who belongs to no account. */
export type Staff = { userId: string };

type Row = { user_id: string; stale: boolean; wait_ms: number };

/**
 * The person of the staff whose session calls; a write must come from our own origin. Whoever else calls is answered as
 * somebody without a session. Throws `unauthorized`, `origin_not_allowed`, `rate_limit_exceeded`.
 */
export async function authenticateStaff(request: Request): Promise<Staff> {
  const sessionId = await readSessionId(request);
  if (!sessionId || request.headers.has("authorization")) throw new AppError("unauthorized");
  const isRead = ["GET", "HEAD"].includes(request.method);
  if (!isRead && !isSameOrigin(request)) throw new AppError("origin_not_allowed");
  const [row] = await statement<Row>("staff", STAFF, [sessionId, limits.partner()]);
  if (!row) throw new AppError("unauthorized");
  if (row.wait_ms > 0) throw new AppError("rate_limit_exceeded", { retryAfterMs: row.wait_ms });
  if (row.stale) await touchSession(sessionId);
  return { userId: row.user_id };
}

const STAFF = `select s.user_id, s.last_seen_at < now() - interval '1 minute' as stale, place.wait_ms
  from sessions s
  join users u on u.id = s.user_id and u.operator
  cross join lateral take_slots('staff:' || u.id, $2, 1) place
  where s.id = $1 and ${LIVES}`;
