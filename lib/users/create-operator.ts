import { prisma } from "@/lib/db";
import { newId } from "@/lib/ids";
import { realNow } from "@/lib/time/clock";
import { emailOf } from "@/lib/typed/emails";
import { isCommonPassword } from "@/lib/users/common-password";
import { hashPassword } from "@/lib/users/password";

type NewOperator = { email: string; name: string; password: string; resetPassword?: boolean };

/** What the first person of the staff may do, who makes the others. */
const ROLES = ["finance", "admin"] as const;

const WITHOUT_FACTOR = { sealedTotp: null, totpSince: null, totpStep: null };

/**
 * Makes a person of the platform's staff, who belongs to no seller. With `resetPassword` an existing one gets the new
 * name and password, and sets up the second factor anew; every session of theirs ends. Throws a sentence when the password is weak, or the e-mail is none or in use.
 */
export async function createOperator({ name, password, resetPassword = false, ...person }: NewOperator) {
  if (password.length < 12) throw new Error("The password needs at least 12 characters.");
  if (await isCommonPassword(password)) throw new Error("The password is easy to guess.");
  const email = emailOf(person.email);
  if (!email) throw new Error("The e-mail is not an address.");
  const passwordHash = await hashPassword(password);
  const staffRoles = [...ROLES];
  const data = [{ id: newId(), email, name, passwordHash, staffRoles, emailConfirmedAt: realNow() }];
  const { count: made } = await prisma().user.createMany({ data, skipDuplicates: true });
  if (made > 0) return;
  const { id, staffRoles: roles } = await prisma().user.findUniqueOrThrow({ where: { email } });
  if (roles.length === 0) throw new Error(`${email} is a seller's, and a seller's person cannot be an operator.`);
  if (!resetPassword)
    throw new Error(`${email} is an operator already: set OPERATOR_RESET_PASSWORD=1 for a new password.`);
  await prisma().$transaction([
    prisma().user.update({ where: { email }, data: { passwordHash, name, ...WITHOUT_FACTOR } }),
    prisma().recoveryCode.deleteMany({ where: { userId: id } }),
    prisma().session.updateMany({ where: { userId: id, revokedAt: null }, data: { revokedAt: realNow() } }),
    prisma().mailLink.deleteMany({ where: { email } }),
  ]);
}
