import { setTimeout as sleep } from "node:timers/promises";
import { isUnavailable } from "@/lib/db";
import { newId } from "@/lib/ids";
import { type Claimed, claimMails, releaseClaims, renewClaims } from "@/lib/mail/claim";
import { type Conditions, deliverMail } from "@/lib/mail/deliver";
import { newPause } from "@/lib/pause";
import { repeat } from "@/lib/repeat";
import { onWake } from "@/lib/wake";

/** How many mails one process sends at once. An account that has so many of them under way waits. */
const PLACES = 10;
const OF_ONE = 4;
/** The pauses after a look that found nothing, and after one that failed. */
const IDLE_MS = 10_000;
const FAILED_MS = 1_000;
/** The shortest pause between looks. */
const GATHER_MS = 20;
/** How often claims are renewed; a claim lasts for four of these pauses. */
const RENEW_EVERY_MS = 2_000;
/** An attempt that threw, except because the database was unavailable, is repeated after this. */
const HELD_BACK_MS = 60_000;
/** How many accounts are remembered in the order in which they were served. */
const MAX_SERVED = 1_000;
/** How long a stop lets the attempts under way go on. A process ends 7 s after it was stopped (`server.ts`). */
const STOP_WITHIN_MS = 5_000;

/**
 * Sends what is due until the returned function is called, which waits for the attempts under way; after a few seconds it
 * ends them, and they are due again at once. Any number of processes claim from `mails`.
 */
export function startMails(failed: (error: unknown) => void, conditions: Conditions = {}): () => Promise<void> {
  const worker = newId();
  const underWay = new Map<string, { turn: string; ending: AbortController; ended: Promise<void> }>();
  const served = newServed();
  const pause = newPause();
  let isStopped = false;

  /** Begins what is due. Returns how long to pause afterwards. */
  async function look(): Promise<number> {
    const free = PLACES - underWay.size;
    if (free === 0) return IDLE_MS; // whichever ends first ends the pause
    const turns = { served: served.accounts(), full: fullAmong([...underWay.values()].map(({ turn }) => turn)) };
    const { claimed, nextMs } = await claimMails(worker, free, turns);
    // A mail whose claim ended because the database was unavailable may still be under way here.
    const idle = claimed.filter(({ id }) => !underWay.has(id));
    if (isStopped) await release(idle);
    else for (const mail of idle) begin(mail);
    if (idle.length > 0) return 0;
    return Math.min(IDLE_MS, Math.ceil(nextMs ?? IDLE_MS));
  }

  function begin(mail: Claimed) {
    served.note(mail.turn);
    const ending = new AbortController();
    const ended = send(mail, ending.signal);
    underWay.set(mail.id, { turn: mail.turn, ending, ended });
  }

  async function send(mail: Claimed, stop: AbortSignal) {
    await deliverMail(worker, mail, { ...conditions, stop }).catch(async (error) => {
      failed(error);
      if (!isUnavailable(error)) await releaseClaims(worker, [mail.id], HELD_BACK_MS).catch(failed);
    });
    underWay.delete(mail.id);
    pause.end();
  }

  const release = (mails: readonly Claimed[]) =>
    releaseClaims(
      worker,
      mails.map(({ id }) => id),
    );

  async function run() {
    while (!isStopped) {
      const pauseMs = await look().catch((error) => {
        failed(error);
        return FAILED_MS;
      });
      await sleep(GATHER_MS);
      if (pauseMs > 0 && !isStopped) await pause.for(pauseMs);
    }
  }

  const stopListening = onWake("mails", pause.end);
  const renew = async () => {
    if (underWay.size > 0) await renewClaims(worker, [...underWay.keys()]);
  };
  const stopRenewing = repeat(RENEW_EVERY_MS, renew, failed);
  const running = run();
  return async () => {
    isStopped = true;
    pause.end();
    stopListening();
    let unmade: string[] = [];
    const timer = setTimeout(() => {
      unmade = [...underWay.keys()];
      for (const { ending } of underWay.values()) ending.abort();
    }, STOP_WITHIN_MS);
    await running;
    await Promise.all([...underWay.values()].map(({ ended }) => ended));
    clearTimeout(timer);
    await stopRenewing();
    if (unmade.length > 0) await releaseClaims(worker, unmade).catch(failed);
  };
}

/** The accounts that have as many attempts under way as one may have. */
function fullAmong(turns: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const turn of turns) counts.set(turn, (counts.get(turn) ?? 0) + 1);
  return [...counts].filter(([, count]) => count >= OF_ONE).map(([turn]) => turn);
}

/** The accounts in the order in which they were last served, so that each of many waiting accounts has its turn. */
function newServed() {
  const order = new Set<string>();
  return {
    note(turn: string) {
      order.delete(turn);
      order.add(turn);
      if (order.size > MAX_SERVED) for (const oldest of order) return void order.delete(oldest);
    },
    accounts: () => [...order],
  };
}
