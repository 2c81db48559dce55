import { prisma } from "@/lib/db";
import type { Made } from "@/lib/testing/make";
import { cookieOf } from "@/lib/testing/staff";
import type { Role } from "@/prisma/client/enums";

/** The headers by which the person of an account calls from its page, in this role. */
export async function personOf({ accountId }: Pick<Made, "accountId">, role: Role = "owner") {
  const of = { OR: [{ accountId }, { sandboxId: accountId }] };
  const { userId, accountId: liveId } = await prisma().membership.findFirstOrThrow({ where: of });
  await prisma().membership.update({ where: { userId_accountId: { userId, accountId: liveId } }, data: { role } });
  return { cookie: await cookieOf(userId, accountId), "x-account": accountId, "sec-fetch-site": "same-origin" };
}
