import { asSystem, isUnavailable, runPrepared, type Tx } from "@/lib/db";
import { log } from "@/lib/log";

/**
 * Bytes that a row takes with its entries in indexes, and what its later changes add, beside the texts that its writer
 * counts. Measured: app/storage-size.test.ts compares what is counted with what the tables grow by.
 */
export const rowBytes = {
  /** A row of the request log. */
  request: 180,
  /** A card that a visitor's browser sends. */
  token: 500,
  /** What most writes through the API make: a row of a noun. What comes with an event is counted by the event. */
  record: 300,
  /** An event of a change by hand, beside what changed and the record. */
  event: 600,
  /** An Idempotency-Key, beside its answer. */
  key: 500,
  /** A version of a plan's terms. */
  terms: 500,
  /** An invitation beside a record. */
  invite: 600,
  delivery: 550,
  body: 150,
  attempt: 700,
  mail: 1_100,
  /** A simulated payment that pays no sale, with its callback. */
  unmatched: 2_000,
} as const;

/** Bytes of an Idempotency-Key with its answer, which is encrypted. */
export const keyBytes = (answer: string): number => rowBytes.key + Buffer.byteLength(answer);

/** Whose act made what is stored: the account's own, or an anonymous visitor's, which is counted apart. */
export type Cause = "account" | "visitors";

const FLUSH_EVERY_MS = 1_000;

type Counted = { bytes: number; visitor_bytes: number };
let waiting = new Map<string, Counted>();
let timer: NodeJS.Timeout | undefined;

/** Counts bytes that an account stores. They are written within a second, so that no caller waits for it. */
export function countStored(accountId: string, bytes: number, cause: Cause = "account"): void {
  const counted = waiting.get(accountId) ?? { bytes: 0, visitor_bytes: 0 };
  counted[cause === "account" ? "bytes" : "visitor_bytes"] += Math.round(bytes);
  waiting.set(accountId, counted);
  timer ??= setTimeout(flushStored, FLUSH_EVERY_MS).unref();
}

/**
 * Writes the counted bytes and marks the accounts that have reached a limit. When the database is away, the counts wait
 * for the next batch. The process calls this a last time when it stops.
 */
export async function flushStored(): Promise<void> {
  clearTimeout(timer);
  timer = undefined;
  if (waiting.size === 0) return;
  const batch = waiting;
  waiting = new Map();
  const stored = [...batch].map(([account_id, counted]) => ({ account_id, ...counted }));
  await runPrepared("count_stored", "select count_stored($1::json)::text", [JSON.stringify(stored)]).catch((error) => {
    if (isUnavailable(error)) {
      for (const [accountId, { bytes, visitor_bytes }] of batch) {
        countStored(accountId, bytes);
        countStored(accountId, visitor_bytes, "visitors");
      }
    }
    log.error({ error, accounts: batch.size }, "stored bytes were not counted");
  });
}

/**
 * Sweep: an account that was full may store again when days have passed or its limit was raised. Safe to run twice at
 * once. Returns the accounts that are full no longer.
 */
export const freeStorage = (): Promise<string[]> =>
  asSystem(async (tx) => {
    const rows = await tx.$queryRawUnsafe<{ id: string; isFree: boolean }[]>(FREE);
    return rows.filter(({ isFree }) => isFree).map(({ id }) => id);
  });

const FREE = `update accounts a set
    storage_full_at = case when used >= storage_limit_mb * 1048576::bigint then storage_full_at end,
    storage_closed_at = case when used >= storage_closes(a) then storage_closed_at end,
    visitors_full_at = case when visited >= visitors_limit(storage_limit_mb) then visitors_full_at end
  from (
    select id, storage_full_at as was_full_at, storage_used(id) as used, visitors_used(id) as visited from accounts
    where storage_full_at is not null or visitors_full_at is not null
  ) counted
  where a.id = counted.id and (
    storage_full_at is not null and used < storage_limit_mb * 1048576::bigint
    or storage_closed_at is not null and used < storage_closes(a)
    or visitors_full_at is not null and visited < visitors_limit(storage_limit_mb))
  returning a.id, was_full_at is not null and storage_full_at is null as "isFree"`;

type Storage = { used: number; limit: number; isFull: boolean };

/** How much an account in scope stored in the last thirty days, and its limit, in bytes. */
export async function readStorage(tx: Tx, accountId: string): Promise<Storage> {
  const [row] = await tx.$queryRaw<{ used: bigint; limit: number; isFull: boolean }[]>`
    select storage_used(id) as used, storage_limit_mb as limit, storage_full_at is not null as "isFull"
    from accounts where id = ${accountId}::uuid`;
  if (!row) throw new Error("There is no such account");
  return { used: Number(row.used), limit: row.limit * 1_048_576, isFull: row.isFull };
}
