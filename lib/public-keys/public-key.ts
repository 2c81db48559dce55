import type { AccountContext } from "@/lib/accounts/context";
import { recordChange } from "@/lib/audit/record-change";
import { forAccount, runPrepared, type Tx } from "@/lib/db";
import { env } from "@/lib/env";
import { type Intent, once } from "@/lib/idempotency";
import { newSecret } from "@/lib/ids";
import { findDomains, presentDomain } from "@/lib/public-keys/domains";
import type { PublicKey } from "@/lib/public-keys/schema";
import { iso, realNow } from "@/lib/time/clock";
import type { PublicKey as Row } from "@/prisma/client/client";

/** `pk_live_…`, or `pk_test_…` for a sandbox. It is no secret, but too long to be guessed. */
const newPublicKey = ({ mode }: AccountContext) => `${mode === "live" ? "pk_live_" : "pk_test_"}${newSecret()}`;

/** The account's public key and domains. The key is made when it is first read. */
export const readPublicKey = (account: AccountContext) =>
  forAccount(account.id, async (tx) => present(tx, (await find(tx, account.id)) ?? (await make(tx, account))));

/** Makes a new public key; the former key is unknown from this commit on. */
export const regeneratePublicKey = (account: AccountContext, { idem }: Intent) =>
  forAccount(account.id, (tx) =>
    once(tx, idem, async () => {
      const [accountId, key] = [account.id, newPublicKey(account)];
      const update = { key, createdAt: realNow() };
      const before = await find(tx, accountId);
      const after = await tx.publicKey.upsert({ where: { accountId }, create: { accountId, ...update }, update });
      const [was, is] = [before, after].map((row) => row && { key: row.key, created_at: iso(row.createdAt) });
      await recordChange(tx, {
        ...{ accountId, subject: "public_key", id: accountId, verb: "updated" },
        ...(was && { before: was }),
        ...(is && { after: is }),
      });
      return present(tx, after);
    }),
  );

/**
 * The origins whose pages may show our card fields with this public key, where the page at `parent` asks: the account's
 * domains or, for a page of our own, our own origin and no other. None where the key is unknown or
 * its account may not use cards.
 */
export async function readFieldsOrigins(key: string, parent: string): Promise<string[]> {
  const ours = new URL(env.APP_URL).origin;
  const values = [key, parent === ours ? ours : null];
  const rows = await runPrepared<{ origin: string }>("fields_origins", FIELDS_ORIGINS, values);
  return rows.map(({ origin }) => origin);
}

const FIELDS_ORIGINS = `with scope as materialized (
    select account_id as owner, set_config('app.accounts', account_id::text, true) as named
    from public_keys where key = $1
  )
  select d.origin from scope
  cross join lateral (
    select status, features from accounts where id = scope.owner and scope.named is not null offset 0
  ) a
  cross join lateral (
    select id::text, origin from card_domains
    where account_id = scope.owner and scope.named is not null and $2::text is null
    union all select '', $2 where $2 is not null
    offset 0
  ) d
  where a.status = 'approved' and 'cards' = any(a.features)
  order by d.id desc`;

const find = (tx: Tx, accountId: string) => tx.publicKey.findUnique({ where: { accountId } });

/** Makes the first key; two requests at once get the same one. */
async function make(tx: Tx, account: AccountContext): Promise<Row> {
  const accountId = account.id;
  await tx.publicKey.createMany({ data: { accountId, key: newPublicKey(account) }, skipDuplicates: true });
  return tx.publicKey.findUniqueOrThrow({ where: { accountId } });
}

async function present(tx: Tx, { accountId, key, createdAt }: Row): Promise<PublicKey> {
  const domains = await findDomains(tx, accountId);
  return { data: { key, created_at: iso(createdAt), domains: domains.map(presentDomain) } };
}
