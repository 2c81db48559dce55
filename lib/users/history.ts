import { prisma } from "@/lib/db";
import { PLATFORM } from "@/lib/ledger/chart";
import type { Prisma } from "@/prisma/client/client";

/** The account whose history has what a person does as such: the live one of their seller; the platform's for staff. */
export async function historyAccountOf(user: Prisma.UserWhereInput): Promise<string> {
  const membership = await prisma().membership.findFirst({ where: { user }, orderBy: { accountId: "asc" } });
  return membership?.accountId ?? PLATFORM;
}
