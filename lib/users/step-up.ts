import { prisma } from "@/lib/db";
import { invalid } from "@/lib/errors";
import { spendSlot } from "@/lib/rate-limits/spend-slot";
import { realNow } from "@/lib/time/clock";
import { isPassword } from "@/lib/users/password";
import type { StepUpBody } from "@/lib/users/schema";
import { proveSecondFactor } from "@/lib/users/second-factor";

type Asked = StepUpBody & { userId: string; sessionId: string; ip: string };

/**
 * Notes that the person of a session proved who they are: by a code of the second factor or, without one, by the password.
 * Throws 422 at `code` or `password`, whichever is needed, and `rate_limit_exceeded`.
 */
export async function stepUp({ userId, sessionId, ip, code, password }: Asked): Promise<{ message: string }> {
  const { passwordHash, totpSince } = await prisma().user.findUniqueOrThrow({ where: { id: userId } });
  if (totpSince) {
    if (!code || !(await proveSecondFactor({ userId, ip, code }))) {
      throw invalid({ code: ["O código não confere. Digite o que o aplicativo mostra agora."] });
    }
  } else {
    await spendSlot("second-factor", `${userId} password`); // of all addresses: only who holds a session tries
    if (!password || !(await isPassword(passwordHash, password))) {
      throw invalid({ password: ["A senha não confere."] });
    }
  }
  await prisma().session.update({ where: { id: sessionId }, data: { steppedUpAt: realNow() } });
  return { message: "Confirmado." };
}
