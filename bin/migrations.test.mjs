import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { withClient } from "./client.mjs";
import { prepareDatabase } from "./database.mjs";
import { readMigrations } from "./migrations.mjs";
import { destroyPostgres, startPostgres } from "./postgres.mjs";
import { makeRunFolder, TEST_PREFIX } from "./run-folder.mjs";
import { query, run } from "./test-processes.mjs";

/** @import { Client } from "pg" */
/** @import { Migration } from "./migrations.mjs" */

test("migrations", async (t) => {
  const dataDir = makeRunFolder(TEST_PREFIX);
  try {
    const { url } = await startPostgres(dataDir, "pw");
    /** @param {string} name */
    const newDatabase = async (name) => {
      await query(url, `create database ${name}`);
      return Object.assign(new URL(url), { pathname: `/${name}` }).href;
    };
    await testMigrations(t, newDatabase);
  } finally {
    await destroyPostgres(dataDir);
    rmSync(dataDir, { recursive: true, force: true });
  }
});

/**
 * @param {import("node:test").TestContext} t
 * @param {(name: string) => Promise<string>} newDatabase
 */
async function testMigrations(t, newDatabase) {
  const secret = "s".repeat(43);
  const [init, cards] = readMigrations();
  assert.ok(init && cards);
  /** @param {string} url */
  const history = (url) =>
    query(
      url,
      `select migration_name as name, finished_at is not null as finished, rolled_back_at is not null as "isRolledBack"
       from _prisma_migrations order by name, started_at`,
    );
  const applied = readMigrations().map(({ name }) => ({ name, finished: true, isRolledBack: false }));

  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGKILL"])) {
    await t.test(`the next start finishes a migration that ${signal} interrupted`, async () => {
      const url = await newDatabase(signal.toLowerCase());
      await withClient(url, async (other) => {
        await other.query("begin; create table card_domains (id int)"); // the second migration waits for this table
        const start = `({ prepareDatabase }) => prepareDatabase(${JSON.stringify(url)}, "${secret}")`;
        const child = run("database.mjs", start, { detached: true });
        await untilWaitedFor(other);
        const gone = new Promise((done) => child.once("exit", done));
        assert.ok(child.pid);
        process.kill(-child.pid, signal);
        await gone;
        await other.query("rollback");
      });
      await prepareDatabase(url, secret);
      assert.deepEqual(await history(url), applied);
    });
  }

  /**
   * Does what an older version did when it died: it applied the texts, and recorded that `begun` began.
   *
   * @param {Client} client
   * @param {{ texts: Migration[], begun: Migration }} done
   */
  const dieIn = async (client, { texts, begun }) => {
    for (const { text } of texts) await client.query(text);
    await client.query(`create table _prisma_migrations (id varchar(36) primary key not null,
      checksum varchar(64) not null, finished_at timestamptz, migration_name varchar(255) not null, logs text,
      rolled_back_at timestamptz, started_at timestamptz not null default now(),
      applied_steps_count integer not null default 0)`);
    await client.query(
      `insert into _prisma_migrations (id, checksum, migration_name, finished_at)
       values ('1', 'x', $1, now()), ('2', 'x', $2, null)`,
      [init.name, begun.name],
    );
  };

  await t.test("a migration that an older version began, and that changed nothing, is applied", async () => {
    const url = await newDatabase("begun");
    await withClient(url, (client) => dieIn(client, { texts: [init], begun: cards }));
    await prepareDatabase(url, secret);
    const rolledBack = { name: cards.name, finished: false, isRolledBack: true };
    assert.deepEqual(await history(url), applied.toSpliced(1, 0, rolledBack));
  });

  await t.test("a migration that an older version applied, and died before it recorded it, is recorded", async () => {
    const url = await newDatabase("unnoted");
    await withClient(url, (client) => dieIn(client, { texts: [init, cards], begun: cards }));
    await prepareDatabase(url, secret);
    assert.deepEqual(await history(url), applied);
  });

  await t.test("a start waits for a migration that an older version left running", async () => {
    const url = await newDatabase("orphan");
    await withClient(url, async (orphan) => {
      await orphan.query("begin; select pg_advisory_xact_lock(72707369)"); // Prisma's own
      const started = prepareDatabase(url, secret);
      await untilWaitedFor(orphan);
      await dieIn(orphan, { texts: [init, cards], begun: cards });
      await orphan.query("update _prisma_migrations set finished_at = now()");
      await orphan.query("commit");
      await started;
    });
    assert.deepEqual(await history(url), applied);
  });

  await t.test(
    "functions with the owner's rights that a restored dump opened to everybody are closed again",
    async () => {
      const url = await newDatabase("restored");
      await prepareDatabase(url, secret);
      const open = () =>
        query(
          url,
          `select count(*)::int as functions from pg_proc where pronamespace = 'public'::regnamespace and prosecdef
         and has_function_privilege('public', oid, 'execute')`,
        );
      await query(url, "grant execute on all functions in schema public to public");
      assert.notDeepEqual(await open(), [{ functions: 0 }]);
      await prepareDatabase(url, secret);
      assert.deepEqual(await open(), [{ functions: 0 }]);
    },
  );

  await t.test(
    "an owner who is no superuser shares schema public with an extension and with others' tables",
    async () => {
      const url = await newDatabase("shared");
      await query(url, "create role plain_owner login createrole password 'pw'");
      await query(url, "alter database shared owner to plain_owner; alter schema public owner to plain_owner");
      await query(url, "create extension pg_stat_statements; create table public.closed (id int)");
      const asOwner = Object.assign(new URL(url), { username: "plain_owner", password: "pw" }).href;
      await prepareDatabase(asOwner, secret);
      const [rights] = await query(
        url,
        `select has_table_privilege('shared_program', 'closed', 'select') as closed,
         has_table_privilege('shared_program', 'transactions', 'insert') as ours`,
      );
      assert.deepEqual(rights, { closed: false, ours: true });
    },
  );

  await t.test(
    "five starts at once all come up, and the program's role has its settings, also one from before",
    async () => {
      const url = await newDatabase("settled");
      /** @returns {Promise<string[]>} */
      const settings = async () => {
        const [role] = await query(url, "select rolconfig as kept from pg_roles where rolname = 'settled_program'");
        return role.kept;
      };
      await Promise.all(Array.from({ length: 5 }, () => prepareDatabase(url, secret)));
      const kept = await settings();
      assert.ok(kept.includes("plan_cache_mode=force_generic_plan") && kept.includes("statement_timeout=5s"));
      await query(url, "alter role settled_program reset all; alter role settled_program set work_mem = '8MB'");
      await Promise.all(Array.from({ length: 5 }, () => prepareDatabase(url, secret)));
      assert.deepEqual((await settings()).sort(), ["work_mem=8MB", ...kept].sort());
    },
  );

  await t.test(
    "a migration that fails changes nothing and is one sentence, at every start until it can be applied",
    async () => {
      const url = await newDatabase("failing");
      await query(url, "create table card_tokens (id int)");
      const message = `The migration ${cards.name} failed and changed nothing: relation "card_tokens" already exists.`;
      for (let start = 0; start < 2; start++) {
        await assert.rejects(prepareDatabase(url, secret), { plain: true, message });
      }
      assert.deepEqual(await query(url, "select to_regclass('card_domains') as made"), [{ made: null }]);
      await query(url, "drop table card_tokens");
      await prepareDatabase(url, secret);
      assert.deepEqual(await history(url), applied);
    },
  );
}

/**
 * Resolves when another connection waits for a lock that this one holds.
 *
 * @param {Client} client
 */
async function untilWaitedFor(client) {
  const { rows } = await client.query("select pg_backend_pid() as pid");
  for (let waits = 0; waits === 0; ) {
    const text = "select from pg_locks where not granted and $1 = any(pg_blocking_pids(pid))";
    waits = (await client.query(text, [rows[0].pid])).rows.length;
    if (waits === 0) await sleep(20);
  }
}
