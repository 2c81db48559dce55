import { setTimeout as sleep } from "node:timers/promises";
import { newPause } from "@/lib/concurrency/pause";
import { repeat } from "@/lib/concurrency/repeat";
import { isAway } from "@/lib/db";
import { onWake, type Topic } from "@/lib/due/wake";
import { newId } from "@/lib/ids";

/** Rows that are claimed, and then attempted side by side, because an attempt only waits for somebody's server. */
export type Queue<Claimed extends { id: string }> = {
  /** What makes it look at once, beside the end of an attempt. */
  on?: Topic;
  /** The shortest pause between looks, so that attempts which end together share the next one. */
  gatherMs: number;
  /** An attempt that threw, except because the database was away, is repeated after this. */
  heldBackMs: number;
  /** Claims what is due and may begin beside what is under way. `pauseMs` follows a look that began nothing. */
  claim: (worker: string, underWay: ReadonlyMap<string, Claimed>) => Promise<{ claimed: Claimed[]; pauseMs: number }>;
  /** Makes and records one attempt, which `stop` ends early; that counts as not made. */
  attempt: (worker: string, claimed: Claimed, stop: AbortSignal) => Promise<unknown>;
  /** Renews the worker's claims, which last for four pauses between renewals (8 s). */
  renew: (worker: string, claimed: readonly Claimed[]) => Promise<unknown>;
  /** Ends the worker's claims after `afterMs`. */
  release: (worker: string, claimed: readonly Claimed[], afterMs?: number) => Promise<unknown>;
  /** How long a stop lets the attempts under way go on. A process ends 7 s after it was stopped (`server.ts`). */
  stopWithinMs?: number;
};

/** The pause after a look that failed. */
const FAILED_MS = 1_000;
const RENEW_EVERY_MS = 2_000;
const STOP_WITHIN_MS = 5_000;

/**
 * Attempts what is due until the returned function is called, which waits for the attempts under way; after a few seconds
 * it ends them, and they are due again at once. Any number of processes claim from the same rows, and the claims of a
 * process that died end within 10 s.
 */
export function startAttempts<Claimed extends { id: string }>(
  { on, gatherMs, heldBackMs, claim, attempt, renew, release, stopWithinMs = STOP_WITHIN_MS }: Queue<Claimed>,
  failed: (error: unknown) => void,
): () => Promise<void> {
  const worker = newId();
  const underWay = new Map<string, Claimed>();
  const attempts = new Map<string, { ending: AbortController; ended: Promise<void> }>();
  const pause = newPause();
  let isStopped = false;

  /** Begins what is due. Returns how long to pause afterwards. */
  async function look(): Promise<number> {
    const { claimed, pauseMs } = await claim(worker, underWay);
    // An attempt whose claim ended because the database was unavailable may still be under way here.
    const idle = claimed.filter(({ id }) => !underWay.has(id));
    if (isStopped) await release(worker, idle);
    else for (const one of idle) begin(one);
    return idle.length > 0 ? 0 : pauseMs;
  }

  function begin(claimed: Claimed) {
    const ending = new AbortController();
    underWay.set(claimed.id, claimed);
    attempts.set(claimed.id, { ending, ended: makeAttempt(claimed, ending.signal) });
  }

  async function makeAttempt(claimed: Claimed, stop: AbortSignal) {
    await attempt(worker, claimed, stop).catch(async (error) => {
      failed(error);
      if (!isAway(error)) await release(worker, [claimed], heldBackMs).catch(failed);
    });
    underWay.delete(claimed.id);
    attempts.delete(claimed.id);
    pause.end();
  }

  async function run() {
    while (!isStopped) {
      const began = performance.now();
      const pauseMs = await look().catch((error) => {
        failed(error);
        return FAILED_MS;
      });
      const tookMs = performance.now() - began;
      // A slow look is followed by a pause of half its time, and by a far longer one when it began nothing.
      await sleep(Math.max(gatherMs, tookMs / 2));
      if (pauseMs > 0 && !isStopped) await pause.for(Math.max(pauseMs, 4 * tookMs));
    }
  }

  const stopListening = on ? onWake(on, pause.end) : () => {};
  const renewAll = async () => {
    if (underWay.size > 0) await renew(worker, [...underWay.values()]);
  };
  const stopRenewing = repeat(RENEW_EVERY_MS, renewAll, failed);
  const running = run();
  return async () => {
    isStopped = true;
    pause.end();
    stopListening();
    let unmade: Claimed[] = [];
    const timer = setTimeout(() => {
      unmade = [...underWay.values()];
      for (const { ending } of attempts.values()) ending.abort();
    }, stopWithinMs);
    await running;
    await Promise.all([...attempts.values()].map(({ ended }) => ended));
    clearTimeout(timer);
    await stopRenewing();
    if (unmade.length > 0) await release(worker, unmade).catch(failed);
  };
}
