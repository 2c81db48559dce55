import { setTimeout as sleep } from "node:timers/promises";
import { newPause } from "@/lib/pause";
import { onWake, type Topic } from "@/lib/wake";

/** Work that is due in rows, of which `run` does one batch and returns whether more is due already. */
export type Loop = {
  name: string;
  /** How often it looks when nothing wakes it. */
  everyMs: number;
  /** What wakes it. */
  on?: Topic;
  run: () => Promise<boolean>;
};

/** The shortest time from batch to batch, so that what arrives together is done together. */
const GATHER_MS = 20;
/** The pause after a batch that failed, whatever wakes the loop meanwhile. */
const AFTER_A_FAILURE_MS = 1_000;

/**
 * Repeats a loop's batches until the returned function is called, which waits for the batch under way. A loop never
 * overlaps itself in this process.
 */
export function startLoop({ everyMs, on, run }: Loop, failed: (error: unknown) => void): () => Promise<void> {
  let isStopped = false;
  const pause = newPause();
  const stopListening = on ? onWake(on, pause.end) : () => {};
  const running = (async () => {
    while (!isStopped) {
      const more = await run().catch((error) => void failed(error));
      if (more || isStopped) continue;
      await sleep(more === undefined ? AFTER_A_FAILURE_MS : GATHER_MS);
      if (!isStopped) await pause.for(everyMs);
    }
  })();
  return () => {
    isStopped = true;
    pause.end();
    stopListening();
    return running;
  };
}
