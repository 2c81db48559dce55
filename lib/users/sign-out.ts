import { actAs } from "@/lib/actor";
import { recordChange } from "@/lib/audit/record-change";
import { forAccount } from "@/lib/db";
import { realNow } from "@/lib/time/clock";
import { historyAccountOf } from "@/lib/users/history";

/** Ends a session, so that its cookie is refused from now on. */
export async function signOut(sessionId: string): Promise<void> {
  const accountId = await historyAccountOf({ sessions: { some: { id: sessionId } } });
  await forAccount(accountId, async (tx) => {
    const where = { id: sessionId, revokedAt: null };
    const [ended] = await tx.session.updateManyAndReturn({
      ...{ where, data: { revokedAt: realNow() } },
      include: { user: { select: { staffRoles: true } } },
    });
    if (!ended) return;
    const record = () => recordChange(tx, { accountId, subject: "session", id: sessionId, verb: "removed" });
    const kind = ended.user.staffRoles.length > 0 ? "staff" : "person";
    await actAs({ kind, id: ended.userId, session: sessionId }, record);
  });
}
