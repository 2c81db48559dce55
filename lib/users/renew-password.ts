import { prisma } from "@/lib/db";

/** Gives a person a new password (its argon2id hash). Returns their seller; undefined for a person without a seller. */
export async function renewPassword(email: string, passwordHash: string) {
  const { count } = await prisma().user.updateMany({ where: { email }, data: { passwordHash } });
  if (count === 0) return undefined;
  const seller = await prisma().membership.findFirst({ where: { user: { email } } });
  return seller ? { liveId: seller.accountId, sandboxId: seller.sandboxId } : undefined;
}
