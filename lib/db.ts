import { AsyncLocalStorage } from "node:async_hooks";
import { availableParallelism } from "node:os";
import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { gates } from "@/lib/batch";
import { env } from "@/lib/env";
import { type Prisma, PrismaClient } from "@/prisma/client/client";

export type Tx = Prisma.TransactionClient;
type Scope = string | readonly string[];

/**
 * The settings of every connection. Each statement keeps one generic plan, because planning it again for each array
 * costs more than running it. Statements go by keys, so no plan reads a whole table where an index serves: one that was
 * made while the table was tiny, or just vacuumed, would be kept while it grows. No plan is compiled: that takes longer
 * than any of them runs, and PostgreSQL before 18 would compile each plan that reads a table without an index after all.
 * The time-outs end statements that run too long and transactions that idle too long.
 */
const OPTIONS = [
  "plan_cache_mode=force_generic_plan",
  "enable_seqscan=off",
  "jit=off",
  "statement_timeout=30s",
  "idle_in_transaction_session_timeout=60s",
]
  .map((setting) => `-c ${setting}`)
  .join(" ");

/** How long to wait for an answer: a little longer than the server lets a statement run, in case the server is gone. */
const ANSWER_WITHIN_MS = 35_000;

/**
 * How long a caller waits for a connection, be it for a free one of the pool or for the database to accept a new one.
 */
const CONNECT_WITHIN_MS = 10_000;

/**
 * Connections that a process may hold, for what a caller waits for and for background work. Neither takes those of the
 * other, so that a backlog of jobs cannot keep a request waiting.
 */
const CONNECTIONS = { serving: 12, background: 8 };
type Use = keyof typeof CONNECTIONS;

type Client = { pool: pg.Pool; prisma: PrismaClient };

/** Pages and API are two bundles in one process, so what must exist once is kept on the global object. */
const shared = globalThis as typeof globalThis & {
  repasse?: Partial<Record<Use, Client>>;
  repasseGates?: ReturnType<typeof makeGates>;
};

/** What a piece of work uses, and for whose places it stands in line. */
type Work = { use: Use; line?: string };
const SERVING: Work = { use: "serving" };
const work = new AsyncLocalStorage<Work>();
const present = () => work.getStore() ?? SERVING;

/** Runs background work: its statements use the connections that are kept for it. */
export const inBackground = <T>(run: () => T): T => work.run({ use: "background" }, run);

/** Runs what no single request waits for, although one began it, such as a statement that several share. */
export const outOfLine = <T>(run: () => T): T => work.run({ use: present().use }, run);

/**
 * How many transactions of an account may hold a connection for serving at once in one process. Alone it leaves the next
 * account a few connections to begin with. Beside others it has as many as half the cores, because whatever more it runs at
 * once the others wait for; and while more of its work waits, a place that was used rests for as long, so that the others
 * find the processor free. Reads that a person waits for have places of their own, so that no page keeps the account's
 * money waiting, and two of them, so that a slow one does not keep all its pages waiting.
 */
const PLACES = { alone: 8, beside: Math.max(1, Math.floor(availableParallelism() / 2)), reads: 2 };
/** The longest rest of a place. */
const MAX_REST_MS = 20;
/** How long an account counts as being there after its last request. */
const THERE_MS = 2_000;
/** How many requests of an account may be under way. They also wait for others than the database, so it is many more. */
const REQUESTS = 200;
/** How many of an account's reads that a person waits for may wait for one another. */
const READS_WAITING = 13;

const makeGates = () => {
  let [last, lastAt, besideUntil] = ["", Number.NEGATIVE_INFINITY, 0];
  const isBeside = () => performance.now() < besideUntil;
  const width = () => (isBeside() ? Math.min(PLACES.beside, PLACES.alone) : PLACES.alone);
  const restMs = (heldMs: number) => (isBeside() ? Math.min(heldMs, MAX_REST_MS) : 0);
  return {
    /** Notes whose request comes. */
    arrives(accountId: string) {
      const now = performance.now();
      if (last !== accountId && now < lastAt + THERE_MS) besideUntil = now + THERE_MS;
      [last, lastAt] = [accountId, now];
    },
    requests: gates({ width: () => REQUESTS, waiting: 0 }, tooMany),
    work: gates({ width, restMs, waiting: Number.POSITIVE_INFINITY, withinMs: CONNECT_WITHIN_MS }, tooMany),
    reads: gates({ width: () => PLACES.reads, restMs, waiting: READS_WAITING }, tooMany),
  };
};

const gatesOfAll = () => (shared.repasseGates ??= makeGates());

/**
 * Serves a request of an account. A request too many fails as if the database were away, so that its caller gets 503
 * before anything is done. One that is under way waits for its places as long as for a connection of the pool.
 */
export function serveFor<T>(accountId: string, run: () => Promise<T>): Promise<T> {
  const { requests, arrives } = gatesOfAll();
  arrives(accountId);
  return requests(accountId, () => inLineOf(accountId, run));
}

/**
 * Runs work whose statements and transactions take the places of `line`. A place is held as long as the connection, so
 * what waits for an answer from outside holds none.
 */
export const inLineOf = <T>(line: string, run: () => T): T => work.run({ use: "serving", line }, run);

/** Holds a place of the line of the present work. What runs inside, as in a transaction, needs no other. */
function inPlace<T>(run: () => Promise<T>): Promise<T> {
  const { line } = present();
  return line === undefined ? run() : gatesOfAll().work(line, () => outOfLine(run));
}

function connect(): Client {
  const purpose = present().use;
  shared.repasse ??= {};
  shared.repasse[purpose] ??= open(CONNECTIONS[purpose]);
  return shared.repasse[purpose];
}

function open(max: number): Client {
  const pool = new pg.Pool({
    connectionString: env.DATABASE_PROGRAM_URL,
    max,
    application_name: "repasse",
    options: OPTIONS,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    keepAlive: true,
  });
  // A connection that breaks fails the query that used it, and an idle one is replaced by the next query.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  const adapter = new PrismaPg(pool, { statementNameGenerator: nameOf });
  return { pool, prisma: new PrismaClient({ adapter, errorFormat: "minimal" }) }; // a longer one quotes what people sent
}

/** Closes every connection of the process. */
export async function closePools(): Promise<void> {
  await Promise.all(Object.values(shared.repasse ?? {}).map(({ pool }) => pool.end()));
}

const MAX_NAMES = 500;
const names = new Map<string, string>();

/** Names Prisma's statements, so that each text is prepared once. After `MAX_NAMES` texts a new one stays unnamed. */
function nameOf({ sql }: { sql: string }): string {
  const known = names.get(sql);
  if (known !== undefined) return known;
  const name = names.size < MAX_NAMES ? `prisma_${names.size}` : "";
  if (name) names.set(sql, name);
  return name;
}

/** The pool of whoever asks, made at first use. */
export const pool = () => connect().pool;

/** For tables without row-level security (sign-in, tokens, inboxes); it reads no row of any other table. */
export const prisma = () => connect().prisma;

/**
 * One transaction that reads and writes only rows of the named accounts; row-level security refuses all others. Name
 * every account whose money a posting moves, the acting one first.
 */
export function forAccount<T>(accounts: Scope, run: (tx: Tx) => Promise<T>): Promise<T> {
  return transaction([accounts].flat().join(","), run);
}

/**
 * One transaction over all accounts, for background work and reconcile, which may read whole tables. A caller's request
 * must never run in one.
 */
export const asSystem = <T>(run: (tx: Tx) => Promise<T>, limits: Limits = { timeoutMs: TIMEOUT_MS }) =>
  transaction("*", run, { ...limits, scans: "on" });

const TIMEOUT_MS = 30_000;

/** How long the whole transaction may take, and each of its statements where that is less. */
type Limits = {
  timeoutMs: number;
  statementMs?: number;
  plans?: "force_custom_plan";
  scans?: "on";
  isolationLevel?: "RepeatableRead";
};

/** What a person waits for: each statement has this long. */
const READ: Limits = {
  timeoutMs: 10_000,
  statementMs: 3_000,
  plans: "force_custom_plan",
  scans: "on",
  isolationLevel: "RepeatableRead",
};

/**
 * A read that a person waits for, of one account's rows, all as they were at one moment: a subscription's status belongs
 * to the charges that are shown beside it. Each of its statements is planned for its own values, because an account may
 * have one row or millions. A statement that takes more than three seconds fails, as does a read that
 * finds too many of the account's reads waiting already: both as if the database were away, so that the caller gets
 * 503.
 */
export const readFor = <T>(accountId: string, run: (tx: Tx) => Promise<T>): Promise<T> =>
  gatesOfAll().reads(accountId, () => outOfLine(() => transaction(accountId, run, READ)));

/** The same over all accounts, for the pages of the operator's staff. */
export const readForStaff = <T>(run: (tx: Tx) => Promise<T>): Promise<T> =>
  gatesOfAll().reads("*", () => transaction("*", run, READ));

/** Has PostgreSQL's code for too many connections. */
const tooMany = () => Object.assign(new Error("Too much of this account at once"), { code: "53300" });

async function transaction<T>(scope: string, run: (tx: Tx) => Promise<T>, limits?: Limits): Promise<T> {
  const { timeoutMs = TIMEOUT_MS, statementMs = timeoutMs, plans = "force_generic_plan", scans = "off" } = limits ?? {};
  const options = { timeout: timeoutMs, maxWait: 15_000, isolationLevel: limits?.isolationLevel };
  const after: (() => void)[] = [];
  const begin = async (tx: Tx) => {
    await tx.$executeRaw`select set_config('app.accounts', ${scope}, true), set_config('lock_timeout', '10s', true),
        set_config('statement_timeout', ${String(statementMs)}, true), set_config('plan_cache_mode', ${plans}, true),
        set_config('enable_seqscan', ${scans}, true)`;
    afterCommit.set(tx, after);
    return run(tx);
  };
  const result = await inPlace(() => prisma().$transaction(begin, options));
  for (const act of after) act();
  return result;
}

const afterCommit = new WeakMap<object, (() => void)[]>();

/** Calls `act` when the transaction has committed, and not when it is rolled back. */
export const onCommit = (tx: Tx | Query, act: () => void) => void afterCommit.get(tx)?.push(act);

/**
 * SQL: a comparison that is always true, and that the planner takes for true in one row of two hundred. A statement that
 * finds rows by keys of JSON or arrays needs it: without it the planner expects a hundred keys, reads a table that is still
 * small as a whole, and keeps that plan while the table grows.
 */
export const few = (column: string, type: "uuid" | "text") => `pg_typeof(${column}) = '${type}'::regtype`;

/**
 * SQL: sets the tenant scope of a statement of background work to all accounts, and what each table that the statement
 * reads asks first. A plan that reads a table before the scope is set finds no row, and which plan PostgreSQL makes
 * depends on the sizes of the tables.
 */
export const SCOPE_OF_ALL = "scope as materialized (select set_config('app.accounts', '*', true) as name)";
export const IN_SCOPE = "(select name from scope) is not null";

/** Runs a prepared statement. One without a name is planned each time, for the tables as they are. */
export type Query = <Row>(name: string, text: string, values: unknown[]) => Promise<Row[]>;

/**
 * One transaction of prepared statements over all accounts, for background work in sets, where Prisma's own costs more
 * than the statements. A caller's request must never run in one.
 */
export const inSets = <T>(run: (query: Query) => Promise<T>): Promise<T> => prepared("*", run);

/** The same within the scope of one account, for what a caller waits for. */
export const inStatements = <T>(accountId: string, run: (query: Query) => Promise<T>): Promise<T> =>
  prepared(accountId, run);

/** The statements of Prisma's own transaction in the same form; what they leave for after the commit waits for its own. */
export function queryOf(tx: Tx): Query {
  const query: Query = (_name, text, values) => tx.$queryRawUnsafe(text, ...values);
  const after = afterCommit.get(tx);
  if (after) afterCommit.set(query, after);
  return query;
}

async function prepared<T>(scope: string, run: (query: Query) => Promise<T>): Promise<T> {
  const after: (() => void)[] = [];
  const result = await inPlace(() => onConnection(scope, run, after));
  for (const act of after) act();
  return result;
}

async function onConnection<T>(scope: string, run: (query: Query) => Promise<T>, after: (() => void)[]): Promise<T> {
  const client = await pool().connect();
  const query: Query = (name, text, values) => ask(client, name, text, values);
  afterCommit.set(query, after);
  try {
    await command(
      client,
      `begin; select set_config('app.accounts', ${client.escapeLiteral(scope)}, true),
      set_config('lock_timeout', '10s', true)`,
    );
    const result = await run(query);
    await command(client, "commit");
    client.release();
    return result;
  } catch (error) {
    // A connection that cannot even roll back is closed.
    await command(client, "rollback").then(
      () => client.release(),
      () => client.release(true),
    );
    throw error;
  }
}

/** Ends like a statement when no answer comes, or a silent connection would hold its caller for a quarter of an hour. */
const command = (client: pg.PoolClient, text: string) =>
  client.query({ text, query_timeout: ANSWER_WITHIN_MS } as pg.QueryConfig);

/**
 * One prepared statement, one round trip, its own transaction: the form of every hot path. The statement itself sets
 * `app.accounts` in a first CTE that all others read from (see `lib/deposits/request.ts`).
 */
export const statement: Query = (name, text, values) => inPlace(() => ask(pool(), name, text, values));

async function ask<Row>(to: pg.Pool | pg.PoolClient, name: string, text: string, values: unknown[]): Promise<Row[]> {
  const { rows } = await to.query({ name, text, values, query_timeout: ANSWER_WITHIN_MS } as pg.QueryConfig);
  return rows;
}

type Layer = { code?: string; originalCode?: string; kind?: string; message?: string; cause?: unknown };

/** An error and all that it wraps: Prisma keeps the driver's error in `meta`, which keeps PostgreSQL's in `cause`. */
function layersOf(error: unknown): Layer[] {
  if (typeof error !== "object" || error === null) return [];
  const { cause, meta } = error as { cause?: unknown; meta?: { driverAdapterError?: unknown } };
  return [error, ...layersOf(meta?.driverAdapterError), ...layersOf(cause)];
}

/** Whether a database error carries this SQLSTATE, whichever of the two clients threw it. */
export const isSqlState = (error: unknown, state: string): boolean =>
  layersOf(error).some(({ code, originalCode }) => code === state || originalCode === state);

/** SQLSTATEs of a database that is away, full, starting, stopping or too slow, where the request itself is right. */
const AWAY = /^(08\w{3}|53\w{3}|57P0[123]|57014|25P03|55P03)$/;
/** The codes that Node's sockets and Prisma give such an error. */
const UNREACHABLE =
  /^(ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EPIPE|P1001|P1002|P1008|P1017|P2024|P2028|P2037)$/;
/** The kinds by which Prisma names it where it gives no code, as for a commit that failed. */
const KINDS = /^(ConnectionClosed|SocketTimeout|DatabaseNotReachable|TooManyConnections)$/;
/** The texts of the driver and its pool, which give no code. */
const UNREACHABLE_TEXT =
  /timeout exceeded when trying to connect|timeout expired|Connection terminated|is not queryable|read timeout/;

/** Whether an error means that the database could not be reached, so that the same request may succeed later. */
export const isUnavailable = (error: unknown): boolean =>
  layersOf(error).some(
    ({ code = "", originalCode = "", kind = "", message = "" }) =>
      AWAY.test(code) ||
      AWAY.test(originalCode) ||
      UNREACHABLE.test(code) ||
      KINDS.test(kind) ||
      UNREACHABLE_TEXT.test(message),
  );
