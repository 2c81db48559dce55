import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type pg from "pg";
import { expect, test } from "vitest";
import { newId } from "@/lib/ids";
import { connected, ownerUrl } from "@/lib/testing/own-database";

const launcher = await import(pathToFileURL(join(process.cwd(), "bin", "migrations.mjs")).href);
const migrations: { name: string; text: string }[] = launcher.readMigrations();
const at = migrations.findIndex(({ name }) => name.endsWith("_rail_calls"));

/** Makes a database of the previous release, runs `fill`, and upgrades it to this release. */
async function upgraded<T>(fill: (client: pg.Client) => Promise<void>, read: (client: pg.Client) => Promise<T>) {
  const name = `repasse_test_${randomBytes(6).toString("hex")}`;
  await connected(ownerUrl(), (owner) => owner.query(`create database ${name}`));
  const url = new URL(ownerUrl());
  url.pathname = `/${name}`;
  try {
    return await connected(url.href, async (client) => {
      for (const { text } of migrations.slice(0, at)) await client.query(text);
      await client.query("select set_config('app.accounts', '*', false)");
      await fill(client);
      await client.query("select set_config('app.accounts', '', false)");
      await client.query(migrations[at]?.text ?? "");
      await client.query("select set_config('app.accounts', '*', false)");
      return read(client);
    });
  } finally {
    await connected(ownerUrl(), (owner) => owner.query(`drop database ${name} with (force)`));
  }
}

test("an upgrade makes calls of the previous release's card charges, except of those that called no acquirer", async () => {
  const accountId = newId();
  const [answered, open, refused] = [newId(), newId(), newId()];
  const charge = `insert into card_charges (account_id, transaction_id, acquirer, fingerprint, document, email, ip, device,
      rule, ask_at, answered_at, created_at)
    values ($1, $2, $3, '\\x00', '', '', '', '{}', $4, '2026-11-01T10:01:00Z', $5, '2026-11-01T10:00:00Z')`;
  const calls = await upgraded(
    async (client) => {
      await client.query(charge, [accountId, answered, "cielo", null, "2026-11-01T10:00:02Z"]);
      await client.query(charge, [accountId, open, "simulator", null, null]);
      await client.query(charge, [accountId, refused, "simulator", "card_velocity", "2026-11-01T10:00:00Z"]);
    },
    async (client) => {
      expect((await client.query("select count(*)::int as count from card_charges")).rows).toEqual([{ count: 3 }]);
      return (await client.query("select * from rail_calls order by provider")).rows;
    },
  );
  const common = { account_id: accountId, kind: "card_charge", created_at: new Date("2026-11-01T10:00:00Z") };
  const ask_at = new Date("2026-11-01T10:01:00Z");
  expect(calls).toEqual([
    { ...common, id: answered, provider: "cielo", ask_at, answered_at: new Date("2026-11-01T10:00:02Z") },
    { ...common, id: open, provider: "simulator", ask_at, answered_at: null },
  ]);
});
