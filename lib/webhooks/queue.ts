import { sha256 } from "@/lib/ids";
import type { NewJob } from "@/lib/jobs/enqueue";
import { type Endpoint, endpointOf } from "@/lib/webhooks/rank";
import type { Delivery } from "@/prisma/client/client";

/** Jobs of one queue run one after the other, so these two are the most an account has under way: 8 of 24 places. */
const LANES = 6;
const RETRY_QUEUES = 2;

/** A first attempt at an endpoint in good health names the sale it tells of; all others their endpoint's rank. */
export type Place = { about: string } | { rank: number };

/**
 * The job of a delivery's next attempt, at `nextAttemptAt`. An account has eight queues, whatever it registers:
 * six lanes for first attempts at endpoints in good health, in which what concerns one sale at one endpoint stays in
 * order; and two for retries, resends, and all that is for endpoints that fail, hang, or are not known yet.
 *
 * What an endpoint that hangs costs the others of its account: it is found out by its first time-out (10 s), which
 * every lane may have begun to wait for meanwhile; from then on what waits for it in a lane is moved to a retry queue
 * unsent, however much it is. So each endpoint that begins to hang delays a healthy one by 10 s. In the retry queues
 * those that held up others least go first (`rank`), so one that failed but answers waits for the attempt that is
 * under way, 10 s again, and never for the backlog of one that hangs. Those that hang wait for each other.
 */
export function jobOf(delivery: Endpoint & Pick<Delivery, "id" | "nextAttemptAt">, place: Place) {
  const { id, accountId, nextAttemptAt } = delivery;
  const rank = "rank" in place ? place.rank : 0;
  return {
    payload: { accountId, deliveryId: id, rank },
    queue: queueOf(delivery, place),
    key: `webhooks.deliver:${id}`,
    priority: rank,
    ...(nextAttemptAt && { runAt: nextAttemptAt }),
  } satisfies NewJob<"webhooks.deliver">;
}

/** `webhook:<account>:<lane>` or `retry:<account>:<0 or 1>`. */
function queueOf(endpoint: Endpoint, place: Place): string {
  const name = endpointOf(endpoint);
  if ("rank" in place) return `retry:${endpoint.accountId}:${shareOf(name, RETRY_QUEUES)}`;
  return `webhook:${endpoint.accountId}:${shareOf(`${name} ${place.about}`, LANES)}`;
}

const shareOf = (text: string, count: number) => sha256(text).readUInt32BE() % count;
