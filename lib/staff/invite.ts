import { recordChange } from "@/lib/audit/record-change";
import { forAccount, isSqlState } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { PLATFORM } from "@/lib/ledger/chart";
import { asLocale } from "@/lib/locale/of-person";
import { lockStaff } from "@/lib/staff/change";
import type { StaffInviteBody } from "@/lib/staff/schema";
import { realNow } from "@/lib/time/clock";
import { createPerson } from "@/lib/users/create-person";
import { writeLink } from "@/lib/users/links";
import { noPassword } from "@/lib/users/password";
import { forgetSecondFactor } from "@/lib/users/second-factor";

type Input = StaffInviteBody & { userId: string; ip: string };

/**
 * Invites a person to the operator's staff, by a link in a mail with which they choose a password. Who is invited already gets
 * another link in place of the first, and the new name and roles. Throws `insufficient_scope`, `already_in_team` for who has
 * followed the link, and `email_of_seller`.
 */
export async function inviteStaff({ userId, ip, name, email, roles }: Input): Promise<{ message: string }> {
  const passwordHash = await noPassword();
  return forAccount(PLATFORM, async (tx) => {
    const staff = await lockStaff(tx, userId);
    await tx.$queryRaw`select 1 from users where email = ${email} for update`; // who joins a team waits, or is a member already
    const known = await tx.user.findUnique({ where: { email }, include: { memberships: { take: 1 } } });
    const before = staff.find((person) => person.id === known?.id);
    if (before?.emailConfirmedAt) throw new AppError("already_in_team");
    // Whoever proved the address chose the password and the second factor themselves, also between two teams.
    if (known && (known.memberships.length > 0 || known.emailConfirmedAt)) throw new AppError("email_of_seller");
    const id = known?.id ?? newId();
    const data = { name, staffRoles: roles, passwordHash, emailConfirmedAt: null };
    if (known) await forgetSecondFactor(tx, id); // whoever had this address before must not have it
    if (known) await tx.user.update({ where: { id }, data });
    else await createPerson(tx, { id, email, ...data }).catch(takenMeanwhile);
    await tx.session.updateMany({ where: { userId: id, revokedAt: null }, data: { revokedAt: realNow() } });
    const after = { name, email, roles };
    await recordChange(tx, { accountId: PLATFORM, subject: "member", id, verb: "created", after });
    await writeLink(tx, { kind: "staff_invite", email, ip, locale: asLocale(known?.locale) });
    return { message: `Convite enviado para ${email}.` };
  });
}

function takenMeanwhile(cause: unknown): never {
  throw isSqlState(cause, "23505") ? new AppError("email_of_seller", { cause }) : cause;
}
