import { setTimeout as sleep } from "node:timers/promises";
import { repeat } from "@/lib/concurrency/repeat";
import { isUnavailable, runPrepared } from "@/lib/db";
import { log } from "@/lib/log";
import { noteDatabaseTime } from "@/lib/time/clock";

const READ_EVERY_MS = 10_000;
/** A reading that took longer says too little. */
const MAX_ROUND_TRIP_MS = 5_000;
/** From here on the difference is reported, until it is gone. */
const FAR_MS = 30_000;
/** How often a start tries to read the clock, a second apart. */
const FIRST_TRIES = 30;

/** The last reading. Pages and API are two bundles in one process. */
const shared = globalThis as typeof globalThis & { repasseClockSkew?: { ms: number; isFar: boolean } };

/** Milliseconds by which this process's clock was ahead of the database's when it was last read; negative when behind. */
export const clockSkewMs = (): number | undefined => shared.repasseClockSkew?.ms;

/**
 * Reads the database's clock, and again every 10 s until the returned function is called, so that `realNow` goes by it.
 * Resolves after the first reading. A process whose clock is more than 30 s off says so once in its log when that begins
 * and once when it ends; a thread leaves that to its process.
 */
export async function followDatabaseClock({ isThread = false } = {}): Promise<() => Promise<void>> {
  const read = () => readDatabaseClock(!isThread);
  await firstReading(read, FIRST_TRIES);
  return repeat(READ_EVERY_MS, read, (error) => log.debug({ error }, "the database's clock was not read"));
}

/** A process that starts while the database starts too waits for it: no row gets a time of another clock. */
async function firstReading(read: () => Promise<void>, tries: number): Promise<void> {
  try {
    await read();
    if (clockSkewMs() === undefined && tries > 1) await firstReading(read, tries - 1); // it took too long to say anything
  } catch (error) {
    if (tries === 1 || !isUnavailable(error)) throw error;
    await sleep(1_000);
    await firstReading(read, tries - 1);
  }
}

/** Reads the database's clock once. */
export async function readDatabaseClock(isReported = true): Promise<void> {
  const from = performance.now();
  const [row] = await runPrepared<{ at: number }>("database_clock", CLOCK, []);
  const until = performance.now();
  if (!row || until - from > MAX_ROUND_TRIP_MS) return;
  noteDatabaseTime(row.at, from, until);
  const ms = Math.round(Date.now() - (until - from) / 2 - row.at);
  const isFar = Math.abs(ms) > FAR_MS;
  const wasFar = shared.repasseClockSkew?.isFar ?? false;
  shared.repasseClockSkew = { ms, isFar };
  if (!isReported || isFar === wasFar) return;
  if (isFar) log.warn({ aheadMs: ms }, "this machine's clock differs from the database's, whose time is used");
  else log.warn({ aheadMs: ms }, "this machine's clock and the database's are the same again");
}

const CLOCK = "select (extract(epoch from clock_timestamp()) * 1000)::float8 as at";
