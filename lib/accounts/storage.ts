import { asSystem, isUnavailable, statement, type Tx } from "@/lib/db";
import { log } from "@/lib/log";

/** Bytes that a record costs beside its caller's body: its row, its event, its row in the request log, and indexes. */
export const RECORD_BYTES = 2_000;

const FLUSH_EVERY_MS = 1_000;

let waiting = new Map<string, number>();
let timer: NodeJS.Timeout | undefined;

/** Counts bytes that an account stores. They are written within a second, so that no caller waits for it. */
export function countStored(accountId: string, bytes: number): void {
  waiting.set(accountId, (waiting.get(accountId) ?? 0) + bytes);
  timer ??= setTimeout(flushStored, FLUSH_EVERY_MS).unref();
}

/**
 * Writes the counted bytes and marks the accounts that have reached their limit. When the database is away, the counts
 * wait for the next batch. The process calls this a last time when it stops.
 */
export async function flushStored(): Promise<void> {
  clearTimeout(timer);
  timer = undefined;
  if (waiting.size === 0) return;
  const batch = waiting;
  waiting = new Map();
  const stored = [...batch].map(([account_id, bytes]) => ({ account_id, bytes }));
  await statement("count_stored", "select count_stored($1::json)::text", [JSON.stringify(stored)]).catch((error) => {
    if (isUnavailable(error)) for (const [accountId, bytes] of batch) countStored(accountId, bytes);
    log.error({ error, accounts: batch.size }, "stored bytes were not counted");
  });
}

/**
 * Sweep: an account that was full may store again when days have passed or its limit was raised. Safe to run twice at
 * once. Returns how many.
 */
export const freeStorage = () =>
  asSystem(
    (tx) => tx.$executeRaw`
      update accounts set storage_full_at = null
      where storage_full_at is not null and storage_used(id) < storage_limit_mb * 1048576::bigint`,
  );

type Storage = { used: number; limit: number; isFull: boolean };

/** How much an account in scope stored in the last thirty days, and its limit, in bytes. */
export async function readStorage(tx: Tx, accountId: string): Promise<Storage> {
  const [row] = await tx.$queryRaw<{ used: bigint; limit: number; isFull: boolean }[]>`
    select storage_used(id) as used, storage_limit_mb as limit, storage_full_at is not null as "isFull"
    from accounts where id = ${accountId}::uuid`;
  if (!row) throw new Error("There is no such account");
  return { used: Number(row.used), limit: row.limit * 1_048_576, isFull: row.isFull };
}
