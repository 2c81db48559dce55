import { actAs, currentActor } from "@/lib/actor";
import { recordChange } from "@/lib/audit/record-change";
import { forAccount, type Tx } from "@/lib/db";
import { realNow } from "@/lib/time/clock";
import { assertUncommon } from "@/lib/users/common-password";
import { historyAccountOf } from "@/lib/users/history";
import { findLink, useUp } from "@/lib/users/links";
import { hashPassword } from "@/lib/users/password";
import { passwordChanged } from "@/lib/users/password-mail";
import type { ResetBody } from "@/lib/users/schema";
import type { MailLink } from "@/prisma/client/client";

/**
 * Gives the person to whom a link was sent a new password, ends each of their sessions, and tells them by mail. The link
 * also proves their address. Credentials and their tokens stay, because a seller's programs go on.
 * Throws `link_expired`, and 422 at `password` for a common one, after which the link still opens.
 */
export async function resetPassword({ secret, password }: ResetBody): Promise<{ message: string; email: string }> {
  const link = await forAccount([], (tx) => findLink(tx, secret, ["reset_password"]));
  await assertUncommon(password);
  const passwordHash = await hashPassword(password);
  const accountId = await historyAccountOf({ email: link.email });
  await forAccount(accountId, async (tx) => {
    await useUp(tx, link);
    const user = await change(tx, link, passwordHash);
    const after = { email: user.email, password: "changed", sessions: "ended" };
    const record = () => recordChange(tx, { accountId, subject: "user", id: user.id, verb: "updated", after });
    await actAs({ ...currentActor(), kind: "person", id: user.id }, record);
  });
  return { message: "Senha alterada. Entre com a nova senha.", email: link.email };
}

/** The password first: a sign-in under way waits for that row, and then finds that its password is no longer the one. */
async function change(tx: Tx, { id, email }: MailLink, passwordHash: string) {
  const now = realNow();
  const user = await tx.user.update({ where: { email }, data: { passwordHash } });
  await tx.user.updateMany({ where: { email, emailConfirmedAt: null }, data: { emailConfirmedAt: now } });
  await tx.session.updateMany({ where: { userId: user.id, revokedAt: null }, data: { revokedAt: now } });
  await tx.mailLink.deleteMany({ where: { email, kind: "confirm_address" } });
  await passwordChanged(tx, user, id, now);
  return user;
}
