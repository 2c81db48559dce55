import type { AccountContext } from "@/lib/accounts/context";
import { recordChange } from "@/lib/audit/record-change";
import { present } from "@/lib/credentials/present";
import type { CredentialChange } from "@/lib/credentials/schema";
import { forAccount } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { realNow } from "@/lib/time/clock";

type Account = Pick<AccountContext, "id">;

/**
 * Changes a credential's name, or the networks from which it may be used, which hold at once for its access tokens too. Throws
 * `credential_not_found`, and `insufficient_scope` for a program that would change networks, also its own.
 */
export const updateCredential = (
  { id: accountId }: Account,
  { id: clientId, isPerson, ...change }: CredentialChange & { id: string; isPerson: boolean },
) =>
  forAccount(accountId, async (tx) => {
    const { name, allowed_networks: allowedNetworks } = change;
    if (allowedNetworks && !isPerson) throw new AppError("insufficient_scope");
    const where = { clientId, accountId, revokedAt: null };
    const was = await tx.credential.findFirst({ where });
    const data = {
      ...(name !== undefined && { name }),
      ...(allowedNetworks && { allowedNetworks, changedAt: realNow() }),
    };
    const [credential] = await tx.credential.updateManyAndReturn({ where, data });
    if (!was || !credential) throw new AppError("credential_not_found");
    if (allowedNetworks) await tx.accessToken.updateMany({ where: { clientId, accountId }, data: { allowedNetworks } });
    const [before, after] = [present(was), present(credential)];
    await recordChange(tx, { accountId, subject: "credential", id: clientId, verb: "updated", before, after });
    return { data: after };
  });
