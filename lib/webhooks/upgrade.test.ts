import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import { expect, test } from "vitest";
import { newId } from "@/lib/ids";
import { connected, ownerUrl } from "@/lib/testing/own-database";

const FOLDER = join(process.cwd(), "prisma/migrations");
const OURS = "20261122020000_deliveries_are_their_queue";

const run = (client: pg.Client, name: string) =>
  client.query(readFileSync(join(FOLDER, name, "migration.sql"), "utf8"));

/** Runs `work` on a database of the version before. */
async function before(work: (client: pg.Client) => Promise<void>) {
  const name = `repasse_test_${randomBytes(6).toString("hex")}`;
  const url = new URL(ownerUrl());
  url.pathname = `/${name}`;
  await connected(ownerUrl(), (client) => client.query(`create database ${name}`));
  try {
    await connected(url.href, async (client) => {
      const folders = readdirSync(FOLDER, { withFileTypes: true }).filter((entry) => entry.isDirectory());
      for (const folder of folders.filter((entry) => entry.name < OURS)) await run(client, folder.name);
      await work(client);
    });
  } finally {
    await connected(ownerUrl(), (client) => client.query(`drop database ${name} with (force)`));
  }
}

test("an upgrade keeps the bodies, the ids of webhooks and the planned deliveries of the version before", async () => {
  await before(async (client) => {
    const [account, event, open, done, parked] = Array.from({ length: 5 }, newId);
    const rows = (text: string) => client.query(text).then((result) => result.rows);
    await client.query(`
      insert into accounts (id, mode, name, email, document) values ('${account}', 'live', 'Loja', 'a@b.co', '1');
      insert into webhooks (account_id, title, url, event, sealed_token, token_prefix, token_last4, disabled_at) values
        ('${account}', 'on', 'https://a.invalid/', 'all', '', 'a', 'b', null),
        ('${account}', 'off', 'https://a.invalid/', 'all', '', 'a', 'b', now()),
        ('${account}', 'waking', 'https://a.invalid/', 'all', '', 'a', 'b', null);
      insert into deliveries (id, account_id, webhook_id, contract, event, event_id, url, status, next_attempt_at) values
        ('${open}', '${account}', 1, 'cash', 'cashin.create', '${event}', 'https://a.invalid/', 'failed', now()),
        ('${done}', '${account}', 2, 'cash', 'cashin.create', '${event}', 'https://a.invalid/', 'pending', null),
        ('${parked}', '${account}', 3, 'cash', 'cashin.create', '${event}', 'https://a.invalid/', 'pending', null);
      insert into delivery_attempts (id, account_id, delivery_id, attempt, request_body, duration_ms) values
        (gen_random_uuid(), '${account}', '${open}', 1, '{"data":1}', 5),
        (gen_random_uuid(), '${account}', '${open}', 2, '{"data":1}', 5);`);

    await run(client, OURS);

    expect(await rows("select event_id, contract, event, body from delivery_bodies")).toEqual([
      { event_id: event, contract: "cash", event: "cashin.create", body: '{"data":1}' },
    ]);
    expect(await rows("select id, title, waking from webhooks order by id")).toEqual([
      { id: 1, title: "on", waking: false },
      { id: 2, title: "off", waking: false },
      { id: 3, title: "waking", waking: true },
    ]);
    const due = "select id from deliveries where next_attempt_at is not null and claimed_until is null";
    expect(await rows(due)).toEqual([{ id: open }]);
  });
});
