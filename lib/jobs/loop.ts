import { setTimeout as sleep } from "node:timers/promises";
import { newPause } from "@/lib/concurrency/pause";
import { isUnavailable } from "@/lib/db";
import type { Due } from "@/lib/due/find";
import { onWake, type Topic } from "@/lib/due/wake";

/** Work that is due in rows. It is safe to run twice at the same time, because every worker runs it. */
export type Loop = {
  name: string;
  /** How often it looks when nothing wakes it. */
  everyMs: number;
  /** What wakes it. */
  on?: Topic;
  /** The rows that it works on. */
  due?: readonly Due[];
  /** Does one batch of at most some seconds, and returns whether more is due already. */
  run: () => Promise<boolean>;
};

/** The shortest time from batch to batch, so that what arrives together is done together. */
const GATHER_MS = 40;
/**
 * The pause after a batch that failed, whatever wakes the loop meanwhile. It doubles up to the loop's own pause, except
 * while the database is away: what waited for it is done as soon as it is back.
 */
const AFTER_A_FAILURE_MS = 1_000;

/**
 * Repeats a loop's batches until the returned function is called, which waits for the batch under way. A loop never
 * overlaps itself in this process, and a wake during a batch leads to another one.
 */
export function startLoop({ everyMs, on, run }: Loop, failed: (error: unknown) => void): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const pause = newPause();
  const stopListening = on ? onWake(on, pause.end) : () => {};
  const rest = (ms: number) => sleep(ms, undefined, { signal }).catch(() => {});
  const running = (async () => {
    for (let failures = 0; !signal.aborted; ) {
      const more = await run().catch((error) => {
        failed(error);
        failures = isUnavailable(error) ? 0 : failures;
      });
      if (more === undefined) {
        await rest(Math.max(AFTER_A_FAILURE_MS, Math.min(AFTER_A_FAILURE_MS * 2 ** failures, everyMs)));
        failures += 1;
        continue;
      }
      failures = 0;
      if (more) continue;
      await rest(GATHER_MS);
      if (!signal.aborted) await pause.for(everyMs);
    }
  })();
  return () => {
    stopping.abort();
    pause.end();
    stopListening();
    return running;
  };
}
