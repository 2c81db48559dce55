import { createHash, randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { codeOf, messageOf } from "./faults.mjs";
import { plainError } from "./lifecycle.mjs";
import { step } from "./progress.mjs";
import { root } from "./settings.mjs";

/** @import { Client } from "pg" */
/** @typedef {{ name: string, text: string, checksum: string }} Migration */

/** The lock under which Prisma's own `migrate deploy` works: an older version may have left one running. */
const PRISMA_LOCK = 72_707_369;
/** SQLSTATEs of an object that is there already: table, column, type, function. */
const PRESENT = ["42P07", "42701", "42710", "42723"];
/** On a system that cannot watch its clients, PostgreSQL refuses this setting and waits for the statement's end. */
const WATCH_CLIENT = "set client_connection_check_interval = '2s'";

/** Prisma's own table, as its `migrate deploy` makes it. */
const HISTORY = `create table if not exists public._prisma_migrations (
  id varchar(36) primary key, checksum varchar(64) not null, finished_at timestamptz,
  migration_name varchar(255) not null, logs text, rolled_back_at timestamptz,
  started_at timestamptz not null default now(), applied_steps_count integer not null default 0)`;

/**
 * Applies the migrations of prisma/migrations that the database lacks. Each is one transaction with its row of Prisma's
 * table: after any interruption, both are there or neither is. The caller holds the starters' lock. Throws a plain
 * error when a migration fails.
 *
 * @param {Client} client
 */
export async function migrate(client) {
  if ((await pending(client)).length === 0) return;
  await step("Migrating the database", async () => {
    await client.query(WATCH_CLIENT).catch(() => {});
    await client.query("select pg_advisory_lock($1)", [PRISMA_LOCK]);
    await client.query(HISTORY);
    for (const migration of await pending(client)) await apply(client, migration);
    await client.query("select pg_advisory_unlock($1)", [PRISMA_LOCK]);
  });
}

/**
 * The folders of prisma/migrations in order, with their texts and the checksums that Prisma records.
 *
 * @returns {Migration[]}
 */
export function readMigrations() {
  const folder = join(root, "prisma/migrations");
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const names = entries.map((entry) => entry.name).sort();
  return names.map((name) => {
    const text = readFileSync(join(folder, name, "migration.sql"), "utf8");
    return { name, text, checksum: createHash("sha256").update(text).digest("hex") };
  });
}

/**
 * The migrations that are not applied yet. `wasInterrupted`: an older version began it and died.
 *
 * @param {Client} client
 * @returns {Promise<(Migration & { wasInterrupted: boolean })[]>}
 */
async function pending(client) {
  const { rows: tables } = await client.query("select to_regclass('public._prisma_migrations') is not null as made");
  if (!tables[0].made) return readMigrations().map((migration) => ({ ...migration, wasInterrupted: false }));
  const { rows } = await client.query(
    `select migration_name as name, bool_or(finished_at is not null) as applied
     from public._prisma_migrations where rolled_back_at is null group by migration_name`,
  );
  const known = new Map(rows.map(({ name, applied }) => [name, applied]));
  return readMigrations().flatMap((migration) =>
    known.get(migration.name) ? [] : [{ ...migration, wasInterrupted: known.has(migration.name) }],
  );
}

/**
 * @param {Client} client
 * @param {Migration & { wasInterrupted: boolean }} migration
 */
async function apply(client, { name, text, checksum, wasInterrupted }) {
  try {
    await client.query("begin; set local search_path = public");
    await client.query(
      `update public._prisma_migrations set rolled_back_at = now()
      where migration_name = $1 and finished_at is null and rolled_back_at is null`,
      [name],
    );
    await client.query(text);
    await client.query(
      `insert into public._prisma_migrations (id, checksum, finished_at, migration_name, applied_steps_count)
       values ($1, $2, clock_timestamp(), $3, 1)`,
      [randomUUID(), checksum, name],
    );
    await client.query("commit");
  } catch (error) {
    const code = codeOf(error);
    if (!code) throw error; // the connection broke, and the server rolls back by itself
    await client.query("rollback");
    if (wasInterrupted && PRESENT.includes(code)) return finish(client, name);
    throw plainError(`The migration ${name} failed and changed nothing: ${messageOf(error)}${whereOf(error)}.`);
  }
}

/**
 * Where in a function PostgreSQL met an error, or nothing.
 *
 * @param {unknown} error
 */
function whereOf(error) {
  const isInside = error instanceof Error && "where" in error && typeof error.where === "string";
  return isInside ? ` (${String(error.where).split("\n")[0]})` : "";
}

/**
 * Prisma sent a script as one transaction and recorded its end afterwards: when one object is there, all are.
 *
 * @param {Client} client
 * @param {string} name
 */
async function finish(client, name) {
  await client.query(
    `update public._prisma_migrations set finished_at = now(), applied_steps_count = 1
     where migration_name = $1 and finished_at is null and rolled_back_at is null`,
    [name],
  );
}
