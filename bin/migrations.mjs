import { createHash, randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sentence } from "./lifecycle.mjs";
import { step } from "./say.mjs";
import { root } from "./settings.mjs";

/** The lock under which Prisma's own `migrate deploy` works: an older version may have left one running. */
const PRISMA_LOCK = 72_707_369;
/** SQLSTATEs of making what is there already: table, column, type, function. */
const PRESENT = ["42P07", "42701", "42710", "42723"];
/** A server on a system that cannot watch its clients refuses this setting, and then waits for the statement's end. */
const WATCH_CLIENT = "set client_connection_check_interval = '2s'";

/** Prisma's own table, as its `migrate deploy` makes it. */
const HISTORY = `create table if not exists public._prisma_migrations (
  id varchar(36) primary key, checksum varchar(64) not null, finished_at timestamptz,
  migration_name varchar(255) not null, logs text, rolled_back_at timestamptz,
  started_at timestamptz not null default now(), applied_steps_count integer not null default 0)`;

/**
 * Applies what the database has not got of prisma/migrations, each in one transaction with its row of Prisma's table:
 * whatever interrupts this, a migration is there with its row, or neither is. The caller holds the starters' lock.
 * Throws a sentence when a migration fails.
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

/** The folders of prisma/migrations in their order: their names, texts and the checksums that Prisma notes. */
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

/** What is not applied yet; `interrupted` where an older version began it and died. */
async function pending(client) {
  const { rows: tables } = await client.query("select to_regclass('public._prisma_migrations') is not null as made");
  if (!tables[0].made) return readMigrations();
  const { rows } = await client.query(
    `select migration_name as name, bool_or(finished_at is not null) as applied
     from public._prisma_migrations where rolled_back_at is null group by migration_name`,
  );
  const known = new Map(rows.map(({ name, applied }) => [name, applied]));
  return readMigrations().flatMap((migration) =>
    known.get(migration.name) ? [] : [{ ...migration, interrupted: known.has(migration.name) }],
  );
}

async function apply(client, { name, text, checksum, interrupted }) {
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
    if (!error.code) throw error; // the connection went, and the server rolls back by itself
    await client.query("rollback");
    if (interrupted && PRESENT.includes(error.code)) return finish(client, name);
    const where = error.where ? ` (${error.where.split("\n")[0]})` : "";
    throw sentence(`The migration ${name} failed and changed nothing: ${error.message}${where}.`);
  }
}

/** Prisma sent a script as one transaction and noted its end afterwards: one object that is there means that all are. */
async function finish(client, name) {
  await client.query(
    `update public._prisma_migrations set finished_at = now(), applied_steps_count = 1
     where migration_name = $1 and finished_at is null and rolled_back_at is null`,
    [name],
  );
}
