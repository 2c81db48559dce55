import type { z } from "zod";
import { actAs, currentActor } from "@/lib/actor";
import { recordChange } from "@/lib/audit/record-change";
import { forAccount, type Tx } from "@/lib/db";
import { realNow } from "@/lib/time/clock";
import { assertUncommon } from "@/lib/users/common-password";
import { historyAccountOf } from "@/lib/users/history";
import { findLink, useUp } from "@/lib/users/links";
import { hashPassword } from "@/lib/users/password";
import { passwordChanged } from "@/lib/users/password-mail";
import type { PasswordReset, ResetBody } from "@/lib/users/schema";
import type { MailLink } from "@/prisma/client/client";

/**
 * Gives the person to whom a link was sent a new password, or whom it invites to the staff their first one, ends each of their sessions, and tells them by mail. The link
 * also proves their address. Credentials and their tokens stay, because a seller's programs go on.
 * Throws `link_expired`, and 422 at `password` for a common one, after which the link still opens.
 */
export async function resetPassword({ secret, password }: ResetBody): Promise<z.output<typeof PasswordReset>> {
  const link = await forAccount([], (tx) => findLink(tx, secret, ["reset_password", "staff_invite"]));
  await assertUncommon(password);
  const passwordHash = await hashPassword(password);
  const accountId = await historyAccountOf({ email: link.email });
  const isStaff = await forAccount(accountId, async (tx) => {
    await useUp(tx, link);
    const user = await changePassword(tx, link, passwordHash);
    const { email } = user;
    const change = { before: { email }, after: { email, password: "changed", sessions: "ended" } };
    const record = () => recordChange(tx, { accountId, subject: "user", id: user.id, verb: "updated", ...change });
    const isStaff = user.staffRoles.length > 0;
    await actAs({ ...currentActor(), kind: isStaff ? "staff" : "person", id: user.id }, record);
    return isStaff;
  });
  const message = "Senha alterada. Entre com a nova senha.";
  return { message, email: link.email, sign_in: isStaff ? "/operator/sign-in" : "/sign-in" };
}

/** The password first: a sign-in under way waits for that row, and then finds that its password is no longer the one. */
async function changePassword(tx: Tx, { id, kind, email }: MailLink, passwordHash: string) {
  const now = realNow();
  const user = await tx.user.update({ where: { email }, data: { passwordHash, passwordChangedAt: now } });
  await tx.user.updateMany({ where: { email, emailConfirmedAt: null }, data: { emailConfirmedAt: now } });
  await tx.session.updateMany({ where: { userId: user.id, revokedAt: null }, data: { revokedAt: now } });
  await tx.mailLink.deleteMany({ where: { email, kind: "confirm_address" } });
  if (kind === "reset_password") await passwordChanged(tx, user, id, now);
  return user;
}
