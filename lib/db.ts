import { AsyncLocalStorage } from "node:async_hooks";
import { availableParallelism } from "node:os";
import { PrismaPg } from "@prisma/adapter-pg";
import type pg from "pg";
import { concurrencyLimits } from "@/lib/concurrency/limit";
import { addressOf, openPool } from "@/lib/database/connections";
import { env } from "@/lib/env";
import { type Prisma, PrismaClient } from "@/prisma/client/client";

export type Tx = Prisma.TransactionClient;
type Scope = string | readonly string[];

/**
 * How long the server lets a statement run: the default of the program's role (`bin/roles.mjs`, which also says how it
 * plans), and of all that a caller waits for. A connection that owes an answer for longer is silent (`lib/database/connections.ts`).
 */
const STATEMENT_MS = 5_000;

/** How long a caller waits for a connection, be it for a free one of the pool or for a new one. */
const CONNECT_WITHIN_MS = 8_000;

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
  repasseLimits?: ReturnType<typeof makeLimits>;
};

/** What a piece of work uses, and in whose queue for places it waits. */
type Work = { use: Use; queueOf?: string };
const SERVING: Work = { use: "serving" };
const work = new AsyncLocalStorage<Work>();
const present = () => work.getStore() ?? SERVING;

/** Runs background work: its statements use the connections that are kept for it. */
export const inBackground = <T>(run: () => T): T => work.run({ use: "background" }, run);

/** Runs what no single request waits for, although one began it, such as a statement that several share. */
export const withoutQueue = <T>(run: () => T): T => work.run({ use: present().use }, run);

/**
 * How many transactions of an account may hold a connection for serving at once in one process. Alone it leaves the next
 * account a few connections to begin with. Beside others it has as many as half the cores, because whatever more it runs at
 * once the others wait for; and while more of its work waits, a place that was used has a cooldown as long, so that the others
 * find the processor free. Reads that a person waits for have places of their own, so that no page keeps the account's
 * money waiting, and two of them, so that a slow one does not keep all its pages waiting.
 */
const PLACES = { alone: 8, beside: Math.max(1, Math.floor(availableParallelism() / 2)), reads: 2 };
/** The longest cooldown of a place. */
const MAX_COOLDOWN_MS = 20;
/** How long an account counts as being there after its last request. */
const THERE_MS = 2_000;
/** How many requests of an account may be under way. They also wait for others than the database, so it is many more. */
const REQUESTS = 200;
/** How many of an account's reads that a person waits for may wait for one another. */
const READS_WAITING = 13;

const makeLimits = () => {
  let [last, lastAt, besideUntil] = ["", Number.NEGATIVE_INFINITY, 0];
  const isBeside = () => performance.now() < besideUntil;
  const width = () => (isBeside() ? Math.min(PLACES.beside, PLACES.alone) : PLACES.alone);
  const cooldownMs = (usedMs: number) => (isBeside() ? Math.min(usedMs, MAX_COOLDOWN_MS) : 0);
  return {
    /** Notes whose request comes. */
    arrives(accountId: string) {
      const now = performance.now();
      if (last !== accountId && now < lastAt + THERE_MS) besideUntil = now + THERE_MS;
      [last, lastAt] = [accountId, now];
    },
    requests: concurrencyLimits({ width: () => REQUESTS, waiting: 0 }, tooMany),
    work: concurrencyLimits(
      { width, cooldownMs, waiting: Number.POSITIVE_INFINITY, withinMs: CONNECT_WITHIN_MS },
      tooMany,
    ),
    reads: concurrencyLimits({ width: () => PLACES.reads, cooldownMs, waiting: READS_WAITING }, tooMany),
  };
};

const limitsOfAll = () => (shared.repasseLimits ??= makeLimits());

/**
 * Serves a request of an account. A request too many fails as if the database were away, so that its caller gets 503
 * before anything is done. One that is under way waits for its places as long as for a connection of the pool.
 */
export function admit<T>(accountId: string, run: () => Promise<T>): Promise<T> {
  const { requests, arrives } = limitsOfAll();
  arrives(accountId);
  return requests(accountId, () => inQueueOf(accountId, run));
}

/**
 * Runs work whose statements and transactions wait in this queue for places. A place is taken as long as the connection, so
 * what waits for an answer from outside takes none.
 */
export const inQueueOf = <T>(queueOf: string, run: () => T): T => work.run({ use: "serving", queueOf }, run);

/** Takes a place from the queue of the present work. What runs inside, as in a transaction, needs no other. */
function inPlace<T>(run: () => Promise<T>): Promise<T> {
  const { queueOf } = present();
  return queueOf === undefined ? run() : limitsOfAll().work(queueOf, () => withoutQueue(run));
}

/** The address of the database past a pooler: for what belongs to a session, such as LISTEN and the locks of a process. */
export const directUrl = () => env.DIRECT_PROGRAM_URL ?? env.DATABASE_PROGRAM_URL;

/** The same, of the host that takes writes. */
export const directAddress = () => addressOf(directUrl());

function connect(purpose: Use = present().use): Client {
  shared.repasse ??= {};
  shared.repasse[purpose] ??= open(purpose);
  return shared.repasse[purpose];
}

function open(purpose: Use): Client {
  const pool = openPool({
    url: env.DATABASE_PROGRAM_URL,
    max: CONNECTIONS[purpose],
    waitMs: CONNECT_WITHIN_MS,
    isPatient: purpose !== "serving",
  });
  const adapter = new PrismaPg(pool, { statementNameGenerator: nameOf });
  return { pool, prisma: new PrismaClient({ adapter, errorFormat: "minimal" }) }; // a longer one quotes what people sent
}

/** Closes every connection of the process. */
export async function closePools(): Promise<void> {
  await Promise.all(Object.values(shared.repasse ?? {}).map(({ pool }) => pool.end()));
}

/** The open pools of this process or thread: what each is used for, its connections, and who waits for one. */
export const openPools = () =>
  Object.entries(shared.repasse ?? {}).map(([use, { pool }]) => {
    const { totalCount: open, idleCount: idle, waitingCount: waiting } = pool;
    return { use, max: CONNECTIONS[use as Use], open, idle, waiting };
  });

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
export function asSystem<T>(run: (tx: Tx) => Promise<T>, limits: Limits = { timeoutMs: TIMEOUT_MS }): Promise<T> {
  const begin = () => transaction("*", run, { ...limits, scans: "on" });
  return limits.timeoutMs > TIMEOUT_MS ? inBackground(begin) : begin(); // whoever began it, nobody waits for that long
}

const TIMEOUT_MS = 30_000;

/** What a transaction's statements may take each, where its limits do not say: background work's as long as it all. */
const statementMsOf = (timeoutMs: number) => (present().use === "serving" ? STATEMENT_MS : timeoutMs);

/** How long a statement waits for a row: less than it may take, so that it is known what it waited for. */
const lockTimeout = () => (present().use === "serving" ? "4s" : "10s");

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
  limitsOfAll().reads(accountId, () => withoutQueue(() => transaction(accountId, run, READ)));

/** The same over all accounts, for the pages of the operator's staff. */
export const readForStaff = <T>(run: (tx: Tx) => Promise<T>): Promise<T> =>
  limitsOfAll().reads("*", () => transaction("*", run, READ));

/** Has PostgreSQL's code for too many connections. */
const tooMany = () => Object.assign(new Error("Too much of this account at once"), { code: "53300" });

async function transaction<T>(scope: string, run: (tx: Tx) => Promise<T>, limits?: Limits): Promise<T> {
  const { timeoutMs = TIMEOUT_MS, plans = "force_generic_plan", scans = "off" } = limits ?? {};
  const { statementMs = statementMsOf(timeoutMs) } = limits ?? {};
  const options = { timeout: timeoutMs, maxWait: 15_000, isolationLevel: limits?.isolationLevel };
  const after: (() => void)[] = [];
  const begin = async (tx: Tx) => {
    await tx.$executeRaw`select set_config('app.accounts', ${scope}, true), set_config('lock_timeout', ${lockTimeout()}, true),
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
export const expectFew = (column: string, type: string) => `pg_typeof(${column}) = '${type}'::regtype`;

/**
 * SQL: sets the tenant scope of a statement of background work to all accounts, and what each table that the statement
 * reads asks first. A plan that reads a table before the scope is set finds no row, and which plan PostgreSQL makes
 * depends on the sizes of the tables.
 */
export const SCOPE_OF_ALL = "scope as materialized (select set_config('app.accounts', '*', true) as name)";
export const IN_SCOPE = "(select name from scope) is not null";

/**
 * SQL: what a statement of one account selects from first, `scope.account`: it sets the tenant scope to the account of a
 * parameter, such as "$1". All else that the statement reads is joined laterally to it.
 */
export const scopeOf = (parameter: string) =>
  `(select set_config('app.accounts', ${parameter}::text, true)::uuid as account offset 0) scope`;

/** Runs a prepared statement. One without a name is planned each time, for the tables as they are. */
export type Query = <Row>(name: string, text: string, values: unknown[]) => Promise<Row[]>;

/**
 * One transaction of prepared statements over all accounts, for background work in sets, where Prisma's own costs more
 * than the statements. A caller's request must never run in one. `lockWithin` is how long a statement waits for a lock.
 */
export const transactionOverAll = <T>(run: (query: Query) => Promise<T>, lockWithin?: string): Promise<T> =>
  prepared("*", run, lockWithin);

/** The same within the scope of the named accounts (`forAccount`), for what a caller waits for. */
export const transactionFor = <T>(accounts: Scope, run: (query: Query) => Promise<T>): Promise<T> =>
  prepared([accounts].flat().join(","), run);

/** The statements of Prisma's own transaction in the same form; what they leave for after the commit waits for its own. */
export function queryOf(tx: Tx): Query {
  const query: Query = (_name, text, values) => tx.$queryRawUnsafe(text, ...values);
  const after = afterCommit.get(tx);
  if (after) afterCommit.set(query, after);
  return query;
}

async function prepared<T>(scope: string, run: (query: Query) => Promise<T>, lockWithin = lockTimeout()): Promise<T> {
  const after: (() => void)[] = [];
  const result = await inPlace(() => onConnection(scope, run, after, lockWithin));
  for (const act of after) act();
  return result;
}

async function onConnection<T>(
  scope: string,
  run: (query: Query) => Promise<T>,
  after: (() => void)[],
  lockWithin: string,
): Promise<T> {
  const client = await pool().connect();
  const query: Query = (name, text, values) => ask(client, name, text, values);
  afterCommit.set(query, after);
  try {
    await client.query(
      `begin; select set_config('app.accounts', ${client.escapeLiteral(scope)}, true),
      set_config('lock_timeout', ${client.escapeLiteral(lockWithin)}, true),
      set_config('statement_timeout', '${statementMsOf(TIMEOUT_MS)}', true)`,
    );
    const result = await run(query);
    await client.query("commit");
    client.release();
    return result;
  } catch (error) {
    // A connection that cannot even roll back is closed.
    await client.query("rollback").then(
      () => client.release(),
      () => client.release(true),
    );
    throw error;
  }
}

/**
 * One prepared statement, one round trip, its own transaction: the form of every hot path. The statement itself sets the
 * tenant scope in what all else reads from (`scopeOf`, `SCOPE_OF_ALL`). It has five seconds, in background work too.
 */
export const runPrepared: Query = (name, text, values) => inPlace(() => ask(pool(), name, text, values));

async function ask<Row>(to: pg.Pool | pg.PoolClient, name: string, text: string, values: unknown[]): Promise<Row[]> {
  const { rows } = await to.query({ name, text, values });
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

/**
 * SQLSTATEs of a database that is away, full, starting, stopping, too slow, or a standby by now, where the request itself
 * is right.
 */
const AWAY = /^(08\w{3}|53\w{3}|57P0[123]|57014|25006|25P03|55P03)$/;
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

/** Whether a statement waited for too long for what another transaction holds. */
export const isLockTimeout = (error: unknown): boolean => isSqlState(error, "55P03");

/**
 * Whether the database itself is away, so that work in sets stops until it is back. What another transaction holds for too
 * long, and a statement that takes too long for its set, are faults of some of the set: the others, or fewer, can be done.
 */
export const isAway = (error: unknown): boolean =>
  isUnavailable(error) && !isLockTimeout(error) && !isSqlState(error, "57014");
