import { noteRecorded } from "@/lib/actor";
import { recordChange } from "@/lib/audit/record-change";
import { forAccount, prisma } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { iso, isoOrNull, realNow } from "@/lib/time/clock";
import { historyAccountOf } from "@/lib/users/history";
import type { Security } from "@/lib/users/schema";

const IDLE_MS = 30 * 60_000;
/** More sessions than these live at once are not listed. */
const LISTED = 50;

const living = (userId: string) => ({
  ...{ userId, revokedAt: null, expiresAt: { gt: realNow() } },
  lastSeenAt: { gt: new Date(realNow().getTime() - IDLE_MS) },
});

type OfSession = { userId: string; sessionId: string };

/** How a person signs in: the second factor, and the sessions that have not ended, the last seen first. */
export async function readSecurity({ userId, sessionId }: OfSession): Promise<Security> {
  const [user, left, sessions] = await Promise.all([
    prisma().user.findUniqueOrThrow({ where: { id: userId } }),
    prisma().recoveryCode.count({ where: { userId, usedAt: null } }),
    prisma().session.findMany({ where: living(userId), orderBy: { lastSeenAt: "desc" }, take: LISTED }),
  ]);
  return {
    second_factor: user.totpSince && { since: iso(user.totpSince), recovery_codes_left: left },
    sessions: sessions.map(({ id, ip, userAgent, createdAt, lastSeenAt, secondFactorAt }) => ({
      ...{ id, is_this: id === sessionId, ip, user_agent: userAgent },
      ...{ created_at: iso(createdAt), last_seen_at: iso(lastSeenAt), second_factor_at: isoOrNull(secondFactorAt) },
    })),
  };
}

/** Ends a session of this person, so that its cookie is refused from now on. Throws `session_not_found`. */
export const endSession = ({ userId, id }: { userId: string; id: string }) => end(userId, { id });

/** Ends all sessions of this person but the given one. */
export const endOtherSessions = ({ userId, sessionId }: OfSession) => end(userId, { id: { not: sessionId } });

async function end(userId: string, which: { id: string | { not: string } }): Promise<{ message: string }> {
  const accountId = await historyAccountOf({ id: userId });
  return forAccount(accountId, async (tx) => {
    const where = { userId, revokedAt: null, ...which };
    const ended = await tx.session.updateManyAndReturn({ where, data: { revokedAt: realNow() } });
    if (ended.length === 0 && typeof which.id === "string") throw new AppError("session_not_found");
    if (ended.length === 0) {
      noteRecorded();
      return { message: "Sessões encerradas." };
    }
    const ids = ended.map(({ id }) => id);
    const change = { before: { ids }, after: { ids, sessions: "ended" } };
    await recordChange(tx, { accountId, subject: "user", id: userId, verb: "updated", ...change });
    return { message: "Sessões encerradas." };
  });
}
