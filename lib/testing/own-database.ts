import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { flushStored } from "@/lib/accounts/storage";
import { closePools } from "@/lib/db";
import { env } from "@/lib/env";
import { flushRequestLog } from "@/lib/http/request-log";

/** What every own database is a copy of. */
const TEMPLATE = "repasse_test_template";

/** Where `lib/db` keeps its pools. Test files share a process, so that each database has new ones. */
const shared = globalThis as { repasse?: unknown; repassePixProviders?: Map<string, unknown> };

/** Copies the run's database, which has its tables and no rows yet. Nothing else may be connected to it. */
export async function makeTemplate() {
  await closePools();
  const owner = ownerUrl();
  await query(owner, `create database ${TEMPLATE} template ${new URL(owner).pathname.slice(1)}`);
}

/**
 * Makes a database for one test file, and points this process at it. For tests that run workers or read all rows.
 * Returns a function that drops it and points the process back.
 */
export async function openOwnDatabase() {
  const common = { owner: ownerUrl(), program: env.DATABASE_PROGRAM_URL };
  const name = `repasse_test_${randomBytes(6).toString("hex")}`;
  await query(common.owner, `create database ${name} template ${TEMPLATE}`);
  await Promise.all([flushRequestLog(), flushStored()]); // what an earlier file left is written where it belongs
  await leavePools(() => pointAt(within(common.owner, name), within(common.program, name)));
  return async () => {
    await leavePools(() => pointAt(common.owner, common.program));
    shared.repassePixProviders?.clear(); // those of this database are no more
    await query(common.owner, `drop database ${name} with (force)`);
  };
}

/** How long work that an earlier file left may keep its connections. */
const LEFT_MS = 5_000;

/**
 * Closes this process's connections and points it elsewhere. It is pointed there at once, so that nobody finds a pool that
 * is being closed, however long somebody else's work keeps one.
 */
async function leavePools(point: () => void) {
  const closing = closePools().catch(() => {}); // one that another file is closing
  point();
  await Promise.race([closing, sleep(LEFT_MS, undefined, { ref: false })]);
}

function pointAt(owner: string, program: string) {
  Object.assign(env, { DATABASE_PROGRAM_URL: program });
  Object.assign(process.env, { DATABASE_PROGRAM_URL: program, DATABASE_OWNER_URL: owner });
  shared.repasse = undefined;
}

/** Closes this process's connections to its own database, and makes new ones by another URL, such as a proxy's. */
export async function reconnectAt(programUrl: string) {
  await leavePools(() => pointAt(ownerUrl(), programUrl));
}

/** The URL of the owner's role, which only tests that bypass row-level security or plant faults need. */
export function ownerUrl(): string {
  const url = process.env.DATABASE_OWNER_URL;
  if (!url) throw new Error("DATABASE_OWNER_URL is not set: npm test sets it");
  return url;
}

/** Runs work on one connection of a role. */
export async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const query = (url: string, text: string) => connected(url, (client) => client.query(text));

function within(url: string, database: string): string {
  const other = new URL(url);
  other.pathname = `/${database}`;
  return other.href;
}
