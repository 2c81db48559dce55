import { startAttempts } from "@/lib/due/attempts";
import { type Claimed, claimMails, leases } from "@/lib/mail/claim";
import { type Conditions, deliverMail } from "@/lib/mail/deliver";

/**
 * How many mails one process sends at once, those not counted that wait for an answer for long, and how many with them. An
 * account that has so many of them under way waits.
 */
const PLACES = 10;
const MAX_WAITING = 40;
const OF_ONE = 4;
const LONG_MS = 10_000;
/** The pause after a look that found nothing. */
const IDLE_MS = 10_000;
const GATHER_MS = 20;
const HELD_BACK_MS = 60_000;
/** How many accounts are remembered in the order in which they were served. */
const MAX_SERVED = 1_000;

/** Sends what is due until the returned function is called (`startAttempts`). The rows of `mails` are the queue. */
export function startMails(failed: (error: unknown) => void, conditions: Conditions = {}): () => Promise<void> {
  const served = newServed();
  const begunAt = new Map<string, number>();

  async function claim(worker: string, underWay: ReadonlyMap<string, Claimed>) {
    const since = performance.now() - LONG_MS;
    const prompt = [...underWay.keys()].filter((id) => (begunAt.get(id) ?? since) >= since);
    const free = Math.min(PLACES - prompt.length, MAX_WAITING - underWay.size);
    if (free <= 0) return { claimed: [], pauseMs: LONG_MS }; // whichever ends first ends the pause
    const turns = { served: served.accounts(), full: fullAmong([...underWay.values()]) };
    const { claimed, nextMs } = await claimMails(worker, free, turns);
    for (const { turn } of claimed) served.note(turn);
    return { claimed, pauseMs: Math.min(IDLE_MS, Math.ceil(nextMs ?? IDLE_MS)) };
  }

  return startAttempts<Claimed>(
    {
      on: "mails",
      gatherMs: GATHER_MS,
      heldBackMs: HELD_BACK_MS,
      claim,
      async attempt(worker, mail, stop) {
        begunAt.set(mail.id, performance.now());
        await deliverMail(worker, mail, { ...conditions, stop }).finally(() => begunAt.delete(mail.id));
      },
      renew: leases.renew,
      release: leases.release,
    },
    failed,
  );
}

/** The accounts that have as many attempts under way as one may have. */
function fullAmong(mails: readonly Claimed[]): string[] {
  const counts = new Map<string, number>();
  for (const { turn } of mails) counts.set(turn, (counts.get(turn) ?? 0) + 1);
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
