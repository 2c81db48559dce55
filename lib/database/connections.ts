import type { Socket } from "node:net";
import pg from "pg";
import { urlsOf, writableUrl } from "@/bin/hosts.mjs";
import { log } from "@/lib/log";

/** How long one attempt to connect may take. */
const OPEN_WITHIN_MS = 5_000;
/** The system asks a peer whether it is there after this, so that a connection over a pulled cable ends. */
const KEEP_ALIVE_MS = 5_000;

/**
 * How long the database may owe an answer before it counts as silent: longer than it lets any statement run, except one
 * of background work's transactions. Tests shorten it.
 */
export const silence = { afterMs: 7_000, lookEveryMs: 500 };

/** What a pool's connection is asked about, beside what `pg`'s types know. */
type Watched = pg.PoolClient & {
  connection: { stream: Socket };
  /** Whether it waits for no answer. */
  readyForQuery: boolean;
  /** "I" outside a transaction. */
  getTransactionStatus(): string | null;
};

type Kept = { url: string; max: number; waitMs: number; isPatient: boolean };

/** The address of the host that takes writes, of those that an address names. */
export const addressOf = (url: string): Promise<string> => writableUrl(url);

/** What a pool makes its connections with: each goes to whichever of the hosts takes writes. */
function connection(config: pg.ClientConfig): pg.Client {
  const url = String(config.connectionString);
  const [first, ...others] = urlsOf(url);
  const client = inTurn(new pg.Client({ ...config, connectionString: first, connectionTimeoutMillis: OPEN_WITHIN_MS }));
  if (others.length === 0) return client;
  const connect = client.connect.bind(client) as (done: (error?: Error) => void) => void;
  const aim = (found: string) => {
    const { hostname, port } = new URL(found);
    Object.assign(client, { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port || 5432) });
  };
  return Object.assign(client, {
    connect: (done: (error?: Error) => void) =>
      writableUrl(url)
        .then(aim)
        .then(() => connect(done), done),
  });
}

/**
 * Makes queries that are asked for at once wait for one another here. Prisma asks for the relations of an `include` so, also
 * within a transaction, and the driver's own queue is deprecated.
 */
function inTurn(client: pg.Client): pg.Client {
  const query = (...args: unknown[]) =>
    pg.Client.prototype.query.apply(client, args as never) as unknown as Promise<unknown>;
  let last: Promise<unknown> = Promise.resolve();
  const ask = (...args: unknown[]) => {
    if (args.some(isCallback)) return query(...args);
    const answer = last.then(() => query(...args));
    last = answer.then(nothing, nothing);
    return answer;
  };
  return Object.assign(client, { query: ask });
}

/** Whether an argument makes the driver answer otherwise than by a promise. */
const isCallback = (arg: unknown) =>
  typeof (arg as { submit?: unknown } | undefined)?.submit === "function" || typeof arg === "function";
const nothing = () => {};

/** The connections of each pool of this process. Pages and API are two bundles in one process. */
const shared = globalThis as typeof globalThis & { repasseConnections?: Set<Set<Watched>> };
const pools = () => (shared.repasseConnections ??= new Set());

/**
 * A pool whose connections are watched: when one waits too long for an answer, all of the process are closed, whoever
 * waits on them fails as if they had broken, and whoever comes next connects anew. What a statement did whose answer did
 * not come is unknown. `isPatient` lets a statement within a transaction take its time.
 */
export function openPool({ url, max, waitMs, isPatient }: Kept): pg.Pool {
  const pool = new pg.Pool({
    Client: connection,
    connectionString: url,
    max,
    application_name: "repasse",
    connectionTimeoutMillis: waitMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  } as object);
  const open = new Set<Watched>();
  pools().add(open);
  // A connection that breaks fails the query that used it, and an idle one is replaced by the next query.
  pool.on("error", () => {});
  pool.on("connect", (client) => {
    client.on("error", () => {});
    open.add(client as Watched);
  });
  pool.on("remove", (client) => open.delete(client as Watched));
  const stop = watch(open, isPatient);
  const end = pool.end.bind(pool) as () => Promise<void>;
  return Object.assign(pool, {
    end: async () => {
      await end();
      stop();
      pools().delete(open);
    },
  });
}

/** Closes every connection of every pool of this process at once, in the middle of whatever they do. */
export function dropConnections(): void {
  log.warn("the database does not answer: every connection is replaced");
  for (const open of pools()) for (const client of open) client.connection.stream.destroy();
}

/** Looks again and again whether a connection owes an answer for too long. */
function watch(open: Set<Watched>, isPatient: boolean): () => void {
  let marks = new Map<Watched, { bytes: number; since: number }>();
  let lookedAt = performance.now();
  const look = () => {
    const now = performance.now();
    // Where this process itself stood still, answers may lie unread.
    if (now - lookedAt > 2 * silence.lookEveryMs) marks = new Map();
    lookedAt = now;
    const waiting = [...open].filter((client) => !client.readyForQuery && !isClosed(client) && isBound(client));
    marks = new Map(
      waiting.map((client) => {
        const bytes = client.connection.stream.bytesRead;
        const before = marks.get(client);
        return [client, before?.bytes === bytes ? before : { bytes, since: now }];
      }),
    );
    if ([...marks.values()].some(({ since }) => now - since > silence.afterMs)) dropConnections();
  };
  // Whoever uses it may hold it for a while yet.
  const isClosed = (client: Watched) => client.connection.stream.destroyed;
  const isBound = (client: Watched) => !isPatient || client.getTransactionStatus() === "I";
  const timer = setInterval(look, silence.lookEveryMs).unref();
  return () => clearInterval(timer);
}
