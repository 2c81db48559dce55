import type { AccountContext } from "@/lib/accounts/context";
import { recordChange } from "@/lib/audit/record-change";
import { present } from "@/lib/credentials/present";
import { forAccount, type Tx } from "@/lib/db";
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

/** Ends every credential of an account that is closed, and their access tokens, each with its event. */
export async function revokeAll(tx: Tx, accountId: string): Promise<void> {
  const revoked = await tx.credential.updateManyAndReturn({
    where: { accountId, revokedAt: null },
    data: { revokedAt: realNow() },
  });
  for (const one of revoked) {
    const { clientId: id } = one;
    await recordChange(tx, { accountId, subject: "credential", id, verb: "removed", before: present(one) });
  }
  await tx.accessToken.deleteMany({ where: { accountId, clientId: { in: revoked.map(({ clientId }) => clientId) } } });
}
