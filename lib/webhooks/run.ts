import { startAttempts } from "@/lib/due/attempts";
import { type Attempting, choose, type DueDelivery, ENDPOINT_PLACES, endpointOf, fullOf } from "@/lib/webhooks/choose";
import { type Claimed, claimDeliveries, findDue, releaseClaims, renewClaims } from "@/lib/webhooks/claim";
import { type Conditions, deliver } from "@/lib/webhooks/deliver";
import type { Outcome } from "@/lib/webhooks/send";

/** The pauses after a search that began nothing: when nothing is due, and when what is due has to wait. */
const IDLE_MS = 2_000;
const WAITING_MS = 500;
const GATHER_MS = 5;
const HELD_BACK_MS = 30_000;
/** An endpoint that takes longer is not trusted, even if it answers with success; one that is as fast earns a place. */
const SLOW_MS = 3_000;
const FAST_MS = 500;
const MOST_PLACES = 32;
const MAX_TRUSTED = 10_000;
/** An account whose last attempt began within this time lets others go first. */
const SERVED_MS = 10_000;

/** `stopWithinMs`: another time that a stop lets attempts go on, for tests. */
export type Terms = Conditions & { stopWithinMs?: number };

/** A claimed delivery, and as what it was chosen. */
type Begun = Claimed & { attempting: Attempting };

/** Delivers what is due until the returned function is called (`startAttempts`). The rows of `deliveries` are the queue. */
export function startDeliveries(
  failed: (error: unknown) => void,
  { stopWithinMs, ...conditions }: Terms = {},
): () => Promise<void> {
  const earned = newEarned();
  const served = newServed();

  async function claim(worker: string, underWay: ReadonlyMap<string, Begun>) {
    const attempts = [...underWay.values()].map(({ attempting }) => attempting);
    const { due, nextMs } = await findDue(fullOf(attempts), served.accounts());
    const idle = due.filter(({ id }) => !underWay.has(id));
    const chosen = new Map(choose(idle, attempts, earned.placesOf).map((one) => [one.id, one]));
    const claimed = chosen.size > 0 ? await claimDeliveries(worker, [...chosen.values()]) : [];
    const begun = claimed.flatMap((delivery) => {
      const attempting = chosen.get(delivery.id);
      return attempting ? [{ ...delivery, attempting }] : [];
    });
    for (const { accountId } of begun) served.note(accountId);
    const waitMs = due.length > 0 ? WAITING_MS : IDLE_MS;
    return { claimed: begun, pauseMs: Math.min(waitMs, Math.ceil(nextMs ?? waitMs)) };
  }

  async function attempt(_worker: string, { attempting, ...delivery }: Begun, stop: AbortSignal) {
    const outcome = await deliver(delivery, { ...conditions, stop });
    if (outcome) earned.note(attempting, outcome);
  }

  return startAttempts<Begun>(
    {
      on: "deliveries",
      gatherMs: GATHER_MS,
      heldBackMs: HELD_BACK_MS,
      claim,
      attempt,
      renew: renewClaims,
      release: releaseClaims,
      stopWithinMs,
    },
    failed,
  );
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
 * How many places each endpoint has earned that answered its last attempt with success and in time: some with the first
 * answer, another with each fast one, and half as many after one that is neither fast nor slow. They are in memory only, because
 * one attempt at each endpoint earns the first of them again. When there are too many, the endpoint whose last success is the
 * oldest is dropped.
 */
function newEarned() {
  const earned = new Map<string, number>();
  return {
    placesOf: (due: DueDelivery) => earned.get(endpointOf(due)) ?? 0,
    note(due: DueDelivery, { error, durationMs }: Outcome) {
      const endpoint = endpointOf(due);
      const before = earned.get(endpoint) ?? 0;
      earned.delete(endpoint);
      if (error || durationMs >= SLOW_MS) return;
      const places = durationMs < FAST_MS ? before + 1 : Math.floor(before / 2);
      earned.set(endpoint, Math.min(Math.max(places, ENDPOINT_PLACES), MOST_PLACES));
      if (earned.size > MAX_TRUSTED) for (const oldest of earned.keys()) return void earned.delete(oldest);
    },
  };
}
