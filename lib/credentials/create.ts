import type { AccountContext } from "@/lib/accounts/context";
import { askSecondPerson } from "@/lib/approvals/ask";
import { recordChange } from "@/lib/audit/record-change";
import { credentialScopes, isMoneyScope, roles, type Scope, seesWhole } from "@/lib/auth/scopes";
import { present } from "@/lib/credentials/present";
import type { CredentialBody, NewCredential } from "@/lib/credentials/schema";
import { forAccount, type Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { type Intent, once } from "@/lib/idempotency";
import { newId, newSecret, sha256 } from "@/lib/ids";
import type { Credential } from "@/prisma/client/client";
import type { Role } from "@/prisma/client/enums";

/** The caller who makes a credential: a person with a role, or another credential. */
type Maker = { scopes: readonly Scope[]; role: Role | null; clientId?: string; userId?: string; liveId?: string };

/** What a credential has of who makes it, read in the transaction: the person and their mask, and the end and networks of a credential. */
type Origin = Pick<Credential, "madeBy" | "isMasked" | "role" | "expiresAt" | "allowedNetworks">;

const OWNER: Maker = { scopes: credentialScopes, role: "owner" };

type Account = Pick<AccountContext, "id" | "name" | "mode">;
type Asked = CredentialBody & {
  /** By default the account's owner. */
  maker?: Maker;
};

/**
 * Makes a client id with its secret and API key, which only this answer shows, because only their hashes are kept. Without
 * `scopes` the credential has those of its maker that move no money, also those that the maker's role is given later, and of those
 * that move money the ones in `money_scopes`. On a live account only a person can give these, and another person of the team, if
 * there is one who may, has to agree. What a credential makes ends with it, is of the same person, and keeps its networks.
 * One that is made by whoever sees personal data masked does so too. Throws `insufficient_scope` for scopes that the maker lacks, and `account_changed` for a maker who lost the rights meanwhile.
 */
export function createCredential(account: Account, input: Asked, { idem }: Intent) {
  const { id: accountId, mode } = account;
  const { name, maker = OWNER, allowed_networks = [], expires_at } = input;
  const own = maker.scopes.filter((scope) => credentialScopes.includes(scope) && !isMoneyScope(scope));
  const named = [...(input.scopes ?? own), ...(input.money_scopes ?? [])];
  if (!named.every((scope) => maker.scopes.includes(scope))) throw new AppError("insufficient_scope");
  const money = named.filter(isMoneyScope);
  const isProgram = maker.clientId !== undefined;
  if (money.length > 0 && mode === "live" && isProgram) throw new AppError("insufficient_scope");
  return forAccount(accountId, (tx) =>
    once(tx, idem, async (): Promise<{ data: NewCredential }> => {
      const [clientSecret, apiKey] = [newSecret(), newSecret()];
      const clientId = newId();
      const waiting = mode === "live" ? await askFor(tx, account, maker, { client_id: clientId, scopes: money }) : [];
      const scopes = named.filter((scope) => !waiting.includes(scope));
      const origin = await originOf(tx, maker);
      const role = input.scopes ? null : origin.role;
      const allowedNetworks = origin.allowedNetworks.length > 0 ? origin.allowedNetworks : allowed_networks;
      const credential = await tx.credential.create({
        data: {
          ...{ clientId, accountId, name, role, allowedNetworks, madeBy: origin.madeBy, isMasked: origin.isMasked },
          scopes: role ? scopes.filter(isMoneyScope) : scopes,
          secretHash: new Uint8Array(sha256(clientSecret)),
          secretLast4: clientSecret.slice(-4),
          apiKeyHash: new Uint8Array(sha256(apiKey)),
          apiKeyLast4: apiKey.slice(-4),
          expiresAt: earlier(expires_at ?? null, origin.expiresAt),
        },
      });
      const after = present(credential);
      await recordChange(tx, { accountId, subject: "credential", id: clientId, verb: "created", after });
      return { data: { ...after, client_secret: clientSecret, api_key: apiKey, awaiting_scopes: waiting } };
    }),
  );
}

type Granted = { client_id: string; scopes: Scope[] };

/** The scopes that a second person has to agree to first: none where there is nobody else who may. */
async function askFor(tx: Tx, account: Account, { userId: askedBy, liveId }: Maker, asked: Granted): Promise<Scope[]> {
  if (asked.scopes.length === 0 || !askedBy || !liveId) return [];
  const request = { account, liveId, kind: "credential_scopes", subjectId: asked.client_id, asked, askedBy } as const;
  return (await askSecondPerson(tx, request)) ? asked.scopes : [];
}

const earlier = (one: Date | null, other: Date | null) => (one && other ? (one < other ? one : other) : (one ?? other));

/** What the maker hands on, locked, so that whoever is removed at the same moment makes nothing that stays. */
async function originOf(tx: Tx, { role, userId, liveId, clientId }: Maker): Promise<Origin> {
  const free = { expiresAt: null, allowedNetworks: [] };
  if (userId && liveId) {
    const [mine] = await tx.$queryRaw<{ role: Role }[]>`
      select role from memberships where account_id = ${liveId}::uuid and user_id = ${userId}::uuid for share`;
    if (mine?.role !== role) throw new AppError("account_changed");
    return { madeBy: userId, isMasked: !seesWhole(roles[mine.role]), role: mine.role, ...free };
  }
  if (!clientId) return { madeBy: userId ?? null, isMasked: false, role, ...free };
  await tx.$queryRaw`select 1 from credentials where client_id = ${clientId}::uuid for share`;
  const parent = await tx.credential.findFirst({ where: { clientId, revokedAt: null } });
  if (!parent) throw new AppError("unauthorized");
  return parent;
}
