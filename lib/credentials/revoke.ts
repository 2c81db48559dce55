import { realNow } from "@/lib/clock";
import { prisma } from "@/lib/db";
import { AppError } from "@/lib/errors";

/** Ends a credential, and every access token minted with it, at once. Throws `credential_not_found`. */
export async function revokeCredential(accountId: string, clientId: string) {
  await prisma().$transaction(async (tx) => {
    const { count } = await tx.credential.updateMany({
      where: { clientId, accountId, revokedAt: null },
      data: { revokedAt: realNow() },
    });
    if (count === 0) throw new AppError("credential_not_found");
    await tx.accessToken.deleteMany({ where: { clientId, accountId } });
  });
  return { message: "Credencial revogada." };
}
