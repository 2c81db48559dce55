import { prisma } from "@/lib/db";
import { AppError } from "@/lib/errors";
import type { Mode } from "@/prisma/client/enums";

/** Lets a session look at the other world of its seller. `accountId` is the one it looks at now. */
export async function switchAccount(sessionId: string, accountId: string, mode: Mode) {
  const session = await prisma().session.findUniqueOrThrow({ where: { id: sessionId } });
  const seller = await prisma().membership.findFirst({
    where: { userId: session.userId, OR: [{ accountId }, { sandboxId: accountId }] },
  });
  if (!seller) throw new AppError("not_found");
  const target = mode === "live" ? seller.accountId : seller.sandboxId;
  await prisma().session.update({ where: { id: sessionId }, data: { accountId: target } });
  return { mode };
}
