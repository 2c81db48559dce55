import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { allScopes } from "@/lib/auth/scopes";
import { newId, sha256 } from "@/lib/ids";
import { connected, ownerUrl } from "@/lib/testing/own-database";

const MIGRATION = "prisma/migrations/20261122040000_credential_roles/migration.sql";
const OF_THE_FIRST_RELEASE = allScopes.filter((scope) => !scope.startsWith("cards:"));

test("an upgrade gives the owner's role only to credentials that had every scope of their time", async () => {
  const text = readFileSync(MIGRATION, "utf8");
  const rule = text.slice(text.indexOf("do $$"));
  const kinds = [
    [OF_THE_FIRST_RELEASE, "2020-01-01", "owner"],
    [allScopes, "2020-01-01", "owner"],
    [allScopes, "2999-01-01", "owner"],
    [OF_THE_FIRST_RELEASE, "2999-01-01", null],
    [["balance:read"], "2020-01-01", null],
    [allScopes.slice(1), "2020-01-01", null],
  ] as const;
  await connected(ownerUrl(), async (client) => {
    await client.query("begin");
    const ids: string[] = [];
    for (const [scopes, createdAt] of kinds) {
      const id = newId();
      ids.push(id);
      await client.query(
        `insert into credentials (client_id, account_id, name, secret_hash, secret_last4, api_key_hash, api_key_last4,
           scopes, created_at) values ($1, $1, 'Loja', $2, '', $2, '', $3, $4)`,
        [id, sha256(id), [...scopes], createdAt],
      );
    }
    await client.query(rule);
    const { rows } = await client.query("select client_id, role from credentials where client_id = any($1)", [ids]);
    await client.query("rollback");
    const roleOf = new Map(rows.map(({ client_id, role }) => [client_id, role]));
    expect(ids.map((id) => roleOf.get(id))).toEqual(kinds.map(([, , role]) => role));
  });
});
