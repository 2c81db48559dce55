import { recordChange } from "@/lib/audit/record-change";
import { forAccount } from "@/lib/db";
import { newId } from "@/lib/ids";
import { realNow } from "@/lib/time/clock";
import { assertUncommon } from "@/lib/users/common-password";
import { historyAccountOf } from "@/lib/users/history";
import { hashPassword } from "@/lib/users/password";
import { passwordChanged } from "@/lib/users/password-mail";

type Asked = { userId: string; sessionId: string; password: string };

/**
 * Gives the person of a session a new password, ends each of their other sessions, and says so by mail. Throws 422 at `password`
 * for a common one.
 */
export async function changePassword({ userId, sessionId, password }: Asked): Promise<{ message: string }> {
  await assertUncommon(password);
  const passwordHash = await hashPassword(password);
  const accountId = await historyAccountOf({ id: userId });
  await forAccount(accountId, async (tx) => {
    const now = realNow();
    const user = await tx.user.update({ where: { id: userId }, data: { passwordHash, passwordChangedAt: now } });
    await tx.session.updateMany({
      where: { userId, id: { not: sessionId }, revokedAt: null },
      data: { revokedAt: now },
    });
    await passwordChanged(tx, user, newId(), now);
    const { email } = user;
    const change = { before: { email }, after: { email, password: "changed", sessions: "ended" } };
    await recordChange(tx, { accountId, subject: "user", id: userId, verb: "updated", ...change });
  });
  return { message: "Senha alterada." };
}
