import { prisma } from "@/lib/db";
import { newId } from "@/lib/ids";
import { isCommonPassword } from "@/lib/users/common-password";
import { hashPassword } from "@/lib/users/password";

type NewOperator = { email: string; name: string; password: string };

/** A person of the platform's staff, who belongs to no seller. The same e-mail again sets a new password. */
export async function createOperator({ email, name, password }: NewOperator) {
  if (password.length < 12) throw new Error("The password needs at least 12 characters.");
  if (await isCommonPassword(password)) throw new Error("The password is easy to guess.");
  const passwordHash = await hashPassword(password);
  await prisma().user.upsert({
    where: { email: email.toLowerCase() },
    create: { id: newId(), email: email.toLowerCase(), name, passwordHash, operator: true },
    update: { passwordHash, name, operator: true },
  });
}
