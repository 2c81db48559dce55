import { startAttempts } from "@/lib/due/attempts";
import { type Claimed, claimOrders, leases } from "@/lib/tracking/claim";
import { sendOrder } from "@/lib/tracking/send";

/** How many orders one process sends at once, and how many of one account. */
const PLACES = 8;
const OF_ONE = 2;
/** The pause after a look that found nothing. */
const IDLE_MS = 5_000;
/** How many accounts are remembered in the order in which they were served. */
const MAX_SERVED = 1_000;

/** Sends what is due until the returned function is called (`startAttempts`). The rows of `tracking_orders` are the queue. */
export function startOrders(failed: (error: unknown) => void): () => Promise<void> {
  let served: string[] = [];

  async function claim(worker: string, underWay: ReadonlyMap<string, Claimed>) {
    const free = PLACES - underWay.size;
    if (free <= 0) return { claimed: [], pauseMs: IDLE_MS };
    const turns = [...underWay.values()].map(({ turn }) => turn);
    const full = turns.filter((turn, at) => turns.slice(0, at + 1).filter((one) => one === turn).length === OF_ONE);
    const { claimed, nextMs } = await claimOrders(worker, free, { served, full });
    const now = claimed.map(({ turn }) => turn);
    served = [...served.filter((one) => !now.includes(one)), ...new Set(now)].slice(-MAX_SERVED);
    return { claimed, pauseMs: Math.min(IDLE_MS, Math.max(50, Math.ceil(nextMs ?? IDLE_MS))) };
  }

  return startAttempts<Claimed>(
    {
      ...{ on: "tracking", gatherMs: 20, heldBackMs: 60_000, claim, renew: leases.renew, release: leases.release },
      attempt: sendOrder,
    },
    failed,
  );
}
