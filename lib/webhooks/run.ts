import { setTimeout as sleep } from "node:timers/promises";
import { isUnavailable } from "@/lib/db";
import { newId } from "@/lib/ids";
import { newPause } from "@/lib/pause";
import { repeat } from "@/lib/repeat";
import { onWake } from "@/lib/wake";
import { type Attempting, choose, type DueDelivery, endpointOf, fullOf } from "@/lib/webhooks/choose";
import { type Claimed, claimDeliveries, findDue, releaseClaims, renewClaims } from "@/lib/webhooks/claim";
import { type Conditions, deliver } from "@/lib/webhooks/deliver";
import type { Outcome } from "@/lib/webhooks/send";

/**
 * The pauses after a search that began nothing: when nothing is due, when what is due has to wait, and when the search
 * failed.
 */
const IDLE_MS = 2_000;
const WAITING_MS = 500;
const FAILED_MS = 1_000;
/** The shortest pause between searches, so that attempts which end together share the next one. */
const GATHER_MS = 5;
/** How often claims are renewed; a claim lasts for four of these pauses. */
const RENEW_EVERY_MS = 2_000;
/** An attempt that threw, except because the database was unavailable, is repeated after this. */
const HELD_BACK_MS = 30_000;
/** An endpoint that takes longer is not trusted, even if it answers with success. */
const SLOW_MS = 3_000;
const MAX_TRUSTED = 10_000;
/** An account whose last attempt began within this time lets others go first. */
const SERVED_MS = 10_000;
/** How long a stop lets the attempts under way go on. A process ends 7 s after it was stopped (`server.ts`). */
const STOP_WITHIN_MS = 5_000;

/** `stopWithinMs`: another time that a stop lets attempts go on, for tests. */
export type Terms = Conditions & { stopWithinMs?: number };

/**
 * Delivers what is due until the returned function is called, which waits for the attempts under way; after a few
 * seconds it ends them, and they are due again at once. The rows of `deliveries` are the queue. Any number of processes
 * claim from it, and the claims of a process that died end within 10 s.
 */
export function startDeliveries(
  failed: (error: unknown) => void,
  { stopWithinMs = STOP_WITHIN_MS, ...conditions }: Terms = {},
): () => Promise<void> {
  const worker = newId();
  const underWay = new Map<string, { attempting: Attempting; ending: AbortController; ended: Promise<void> }>();
  const attempts = () => [...underWay.values()].map(({ attempting }) => attempting);
  const trust = newTrust();
  const served = newServed();
  const pause = newPause();
  let isStopped = false;

  /** Begins what is due and may begin. Returns how long to pause afterwards. */
  async function search(): Promise<number> {
    const { due, nextMs } = await findDue(fullOf(attempts()), served.accounts());
    // An attempt whose claim ended because the database was unavailable may still be under way here.
    const idle = due.filter(({ id }) => !underWay.has(id));
    const chosen = choose(idle, attempts(), trust.has);
    if (isStopped) return 0;
    const claimed = chosen.length > 0 ? await claimDeliveries(worker, chosen) : [];
    if (isStopped) await releaseClaims(worker, claimed);
    else for (const delivery of claimed) begin(delivery, chosen);
    if (claimed.length > 0) return 0;
    return Math.min(due.length > 0 ? WAITING_MS : IDLE_MS, Math.ceil(nextMs ?? IDLE_MS));
  }

  function begin(delivery: Claimed, chosen: readonly Attempting[]) {
    const attempting = chosen.find(({ id }) => id === delivery.id);
    if (!attempting) return;
    served.note(attempting.accountId);
    const ending = new AbortController();
    underWay.set(delivery.id, { attempting, ending, ended: attempt(delivery, attempting, ending.signal) });
  }

  async function attempt(delivery: Claimed, attempting: Attempting, stop: AbortSignal) {
    try {
      const outcome = await deliver(delivery, { ...conditions, stop });
      if (outcome) trust.note(attempting, outcome);
    } catch (error) {
      failed(error);
      if (!isUnavailable(error)) await releaseClaims(worker, [delivery], HELD_BACK_MS).catch(failed);
    }
    underWay.delete(delivery.id);
    pause.end();
  }

  async function run() {
    while (!isStopped) {
      const began = performance.now();
      const pauseMs = await search().catch((error) => {
        failed(error);
        return FAILED_MS;
      });
      const tookMs = performance.now() - began;
      // A slow search is followed by a pause of half its time, and by a far longer one when it began nothing.
      await sleep(Math.max(GATHER_MS, tookMs / 2));
      if (pauseMs > 0) await pause.for(Math.max(pauseMs, 4 * tookMs));
    }
  }

  const stopListening = onWake("deliveries", pause.end);
  const renew = async () => {
    if (underWay.size > 0) await renewClaims(worker, attempts());
  };
  const stopRenewing = repeat(RENEW_EVERY_MS, renew, failed);
  const running = run();
  return async () => {
    isStopped = true;
    pause.end();
    stopListening();
    let unmade: Attempting[] = [];
    const timer = setTimeout(() => {
      unmade = attempts();
      for (const { ending } of underWay.values()) ending.abort();
    }, stopWithinMs);
    await running;
    await Promise.all([...underWay.values()].map(({ ended }) => ended));
    clearTimeout(timer);
    await stopRenewing();
    if (unmade.length > 0) await releaseClaims(worker, unmade).catch(failed);
  };
}

/** The accounts whose last attempt began recently, so that each of many waiting accounts has its turn. */
function newServed() {
  const servedAt = new Map<string, number>();
  return {
    note(accountId: string) {
      servedAt.delete(accountId);
      servedAt.set(accountId, performance.now());
    },
    accounts() {
      const since = performance.now() - SERVED_MS;
      for (const [accountId, at] of servedAt) {
        if (at > since) break; // the entries are in the order in which the accounts were served
        servedAt.delete(accountId);
      }
      return [...servedAt.keys()];
    },
  };
}

/**
 * The endpoints that answered their last attempt with success and quickly. The set is in memory only, because one
 * attempt at each endpoint fills it again. When it is full, the endpoint whose last success is the oldest is dropped.
 */
function newTrust() {
  const trusted = new Set<string>();
  return {
    has: (due: DueDelivery) => trusted.has(endpointOf(due)),
    note(due: DueDelivery, { error, durationMs }: Outcome) {
      trusted.delete(endpointOf(due));
      if (error || durationMs >= SLOW_MS) return;
      trusted.add(endpointOf(due));
      if (trusted.size > MAX_TRUSTED) for (const oldest of trusted) return void trusted.delete(oldest);
    },
  };
}
