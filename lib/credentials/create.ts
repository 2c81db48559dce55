import { allScopes, type Scope } from "@/lib/auth/scopes";
import { present } from "@/lib/credentials/present";
import type { CredentialBody, NewCredential } from "@/lib/credentials/schema";
import { forAccount } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { type Idem, once } from "@/lib/http/idempotency";
import { newId, newSecret, sha256 } from "@/lib/ids";

type Maker = { idem?: Idem | undefined; mayGrant?: readonly Scope[] };

/**
 * Makes a client id with its secret and API key, both shown in this answer only: their hashes are kept. Nobody gives
 * what they lack. Throws `insufficient_scope`.
 */
export function createCredential(accountId: string, body: CredentialBody, { idem, mayGrant = allScopes }: Maker = {}) {
  const { name, scopes = [...mayGrant] } = body;
  if (!scopes.every((scope) => mayGrant.includes(scope))) throw new AppError("insufficient_scope");
  return forAccount(accountId, (tx) =>
    once(tx, idem, async (): Promise<{ data: NewCredential }> => {
      const [clientSecret, apiKey] = [newSecret(), newSecret()];
      const credential = await tx.credential.create({
        data: {
          clientId: newId(),
          accountId,
          name,
          scopes,
          secretHash: new Uint8Array(sha256(clientSecret)),
          secretLast4: clientSecret.slice(-4),
          apiKeyHash: new Uint8Array(sha256(apiKey)),
          apiKeyLast4: apiKey.slice(-4),
        },
      });
      return { data: { ...present(credential), client_secret: clientSecret, api_key: apiKey } };
    }),
  );
}
