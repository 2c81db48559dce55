import type { AccountContext } from "@/lib/accounts/context";
import { recordChange } from "@/lib/audit/record-change";
import { present } from "@/lib/credentials/present";
import { forAccount } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { realNow } from "@/lib/time/clock";

/** Ends a credential, and every access token minted with it, at once. Throws `credential_not_found`. */
export async function revokeCredential({ id: accountId }: Pick<AccountContext, "id">, input: { id: string }) {
  const clientId = input.id;
  await forAccount(accountId, async (tx) => {
    const [revoked] = await tx.credential.updateManyAndReturn({
      where: { clientId, accountId, revokedAt: null },
      data: { revokedAt: realNow() },
    });
    if (!revoked) throw new AppError("credential_not_found");
    await recordChange(tx, {
      accountId,
      subject: "credential",
      id: clientId,
      verb: "removed",
      before: present(revoked),
    });
    await tx.accessToken.deleteMany({ where: { clientId, accountId } });
  });
  return { message: "Credencial revogada." };
}
