import type { AccountContext } from "@/lib/accounts/context";
import { recordChange } from "@/lib/audit/record-change";
import { credentialScopes, type Scope } from "@/lib/auth/scopes";
import { present } from "@/lib/credentials/present";
import type { CredentialBody, NewCredential } from "@/lib/credentials/schema";
import { forAccount, type Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { type Intent, once } from "@/lib/idempotency";
import { newId, newSecret, sha256 } from "@/lib/ids";
import type { Role } from "@/prisma/client/enums";

/** The caller who makes a credential: a person with a role, or another credential. */
type Maker = { scopes: readonly Scope[]; role: Role | null; clientId?: string };

const OWNER: Maker = { scopes: credentialScopes, role: "owner" };

type Account = Pick<AccountContext, "id">;
type Asked = CredentialBody & {
  /** By default the account's owner. */
  maker?: Maker;
};

/**
 * Makes a client id with its secret and API key, which only this answer shows, because only their hashes are kept.
 * Without `scopes` the credential has all scopes of its maker that a credential can have, and also those that the maker's role is given later.
 * Throws `insufficient_scope` for scopes that the maker lacks.
 */
export function createCredential(account: Account, input: Asked, { idem }: Intent) {
  const { id: accountId } = account;
  const { name, maker = OWNER, scopes = maker.scopes.filter((scope) => credentialScopes.includes(scope)) } = input;
  if (!scopes.every((scope) => maker.scopes.includes(scope))) throw new AppError("insufficient_scope");
  return forAccount(accountId, (tx) =>
    once(tx, idem, async (): Promise<{ data: NewCredential }> => {
      const [clientSecret, apiKey] = [newSecret(), newSecret()];
      const credential = await tx.credential.create({
        data: {
          clientId: newId(),
          accountId,
          name,
          scopes,
          role: input.scopes ? null : await roleOf(tx, maker),
          secretHash: new Uint8Array(sha256(clientSecret)),
          secretLast4: clientSecret.slice(-4),
          apiKeyHash: new Uint8Array(sha256(apiKey)),
          apiKeyLast4: apiKey.slice(-4),
        },
      });
      const shown = present(credential);
      await recordChange(tx, {
        accountId,
        subject: "credential",
        id: credential.clientId,
        verb: "created",
        after: shown,
      });
      return { data: { ...shown, client_secret: clientSecret, api_key: apiKey } };
    }),
  );
}

/** The maker's role; null where the maker is a credential with listed scopes. */
async function roleOf(tx: Tx, { role, clientId }: Maker) {
  if (role || !clientId) return role;
  return (await tx.credential.findUnique({ where: { clientId }, select: { role: true } }))?.role ?? null;
}
