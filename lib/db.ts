import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { env } from "@/lib/env";
import { type Prisma, PrismaClient } from "@/prisma/client/client";

export type Tx = Prisma.TransactionClient;
type Scope = string | readonly string[];

/**
 * What every connection is opened with. Each statement has one shape and one good plan, and planning it again for
 * each array costs more than running it; none may run, nor any transaction idle, without end.
 */
const OPTIONS =
  "-c plan_cache_mode=force_generic_plan -c statement_timeout=30s -c idle_in_transaction_session_timeout=60s";

/** How long for an answer: a little longer than the server allows a statement, in case it is not there any more. */
const ANSWER_WITHIN_MS = 35_000;

/** How long a caller waits for a connection: for a place in the pool, or for a database that does not answer. */
const CONNECT_WITHIN_MS = 10_000;

/** Connections a process may hold. */
const POOL = 12;

/** Pages and API are two bundles in one process: what must exist once hangs on the global object. */
const shared = globalThis as typeof globalThis & { repasse?: { pool: pg.Pool; prisma: PrismaClient } };

function connect() {
  if (shared.repasse) return shared.repasse;
  const pool = new pg.Pool({
    connectionString: env.DATABASE_PROGRAM_URL,
    max: POOL,
    application_name: "repasse",
    options: OPTIONS,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    keepAlive: true,
  });
  // A connection that breaks fails the query that used it, and an idle one is replaced by the next query.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  shared.repasse = {
    pool,
    prisma: new PrismaClient({
      adapter: new PrismaPg(pool, { statementNameGenerator: nameOf }),
      errorFormat: "minimal", // a longer one quotes what people wrote
    }),
  };
  return shared.repasse;
}

const MOST_NAMES = 500;
const names = new Map<string, string>();

/** Prisma's statements are prepared too, a name for each text; past a bound, texts that are new go unnamed. */
function nameOf({ sql }: { sql: string }): string {
  const known = names.get(sql);
  if (known !== undefined) return known;
  const name = names.size < MOST_NAMES ? `prisma_${names.size}` : "";
  if (name) names.set(sql, name);
  return name;
}

/** The one pool of the process, made at first use. */
export const pool = () => connect().pool;

/** For tables without a wall (sign-in, tokens, inboxes); every other table shows it no row. */
export const prisma = () => connect().prisma;

/**
 * One transaction that sees and touches only the named accounts: row-level security underneath refuses the rest.
 * Name every account that a posting moves money of, the acting one first.
 */
export function forAccount<T>(accounts: Scope, run: (tx: Tx) => Promise<T>): Promise<T> {
  return transaction([accounts].flat().join(","), run);
}

/** One transaction over all accounts: sweeps, relay, reconcile. Never behind a caller's request. */
export const asSystem = <T>(run: (tx: Tx) => Promise<T>, options?: { timeoutMs: number }) =>
  transaction("*", run, options?.timeoutMs);

async function transaction<T>(scope: string, run: (tx: Tx) => Promise<T>, timeoutMs = 30_000): Promise<T> {
  return prisma().$transaction(
    async (tx) => {
      await tx.$executeRaw`select set_config('app.accounts', ${scope}, true), set_config('lock_timeout', '10s', true),
        set_config('statement_timeout', ${String(timeoutMs)}, true)`;
      return run(tx);
    },
    { timeout: timeoutMs, maxWait: 15_000 },
  );
}

/**
 * One prepared statement, one round trip, its own transaction: the form of every hot path. The statement itself sets
 * `app.accounts` in a first CTE that all others read from (see `lib/deposits/request.ts`).
 */
export async function statement<Row>(name: string, text: string, values: unknown[]): Promise<Row[]> {
  const { rows } = await pool().query({ name, text, values, query_timeout: ANSWER_WITHIN_MS } as pg.QueryConfig);
  return rows as Row[];
}

type Layer = { code?: string; originalCode?: string; kind?: string; message?: string; cause?: unknown };

/** An error and all that it wraps: Prisma keeps the driver's error in `meta`, and that one PostgreSQL's in `cause`. */
function layersOf(error: unknown): Layer[] {
  if (typeof error !== "object" || error === null) return [];
  const { cause, meta } = error as { cause?: unknown; meta?: { driverAdapterError?: unknown } };
  return [error, ...layersOf(meta?.driverAdapterError), ...layersOf(cause)];
}

/** Whether a database error carries this SQLSTATE, whichever of the two clients threw it. */
export const isSqlState = (error: unknown, state: string): boolean =>
  layersOf(error).some(({ code, originalCode }) => code === state || originalCode === state);

/** SQLSTATEs of a database that is away, full, starting, stopping, or too slow: nothing is wrong with the request. */
const AWAY = /^(08\w{3}|53\w{3}|57P0[123]|57014|25P03|55P03)$/;
/** The same as Node's sockets and Prisma say it, by code. */
const UNREACHABLE =
  /^(ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EPIPE|P1001|P1002|P1008|P1017|P2024|P2028|P2037)$/;
/** The same where Prisma gives it no code: a commit that failed. */
const KINDS = /^(ConnectionClosed|SocketTimeout|DatabaseNotReachable|TooManyConnections)$/;
/** The same as the driver and its pool say it, in words alone. */
const SAID =
  /timeout exceeded when trying to connect|timeout expired|Connection terminated|is not queryable|read timeout/;

/** Whether an error says that the database could not be asked, so that the same request may succeed later. */
export const isUnavailable = (error: unknown): boolean =>
  layersOf(error).some(
    ({ code = "", originalCode = "", kind = "", message = "" }) =>
      AWAY.test(code) || AWAY.test(originalCode) || UNREACHABLE.test(code) || KINDS.test(kind) || SAID.test(message),
  );
