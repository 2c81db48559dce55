import type { Tx } from "@/lib/db";
import { sha256 } from "@/lib/ids";
import { enqueue } from "@/lib/jobs/enqueue";
import type { Delivery } from "@/prisma/client/client";

/** How many deliveries to one healthy endpoint may run at once. */
const LANES = 4;

type Addressed = Pick<Delivery, "id" | "accountId" | "webhookId" | "url" | "nextAttemptAt">;

/**
 * Promises the next attempt, at `nextAttemptAt`. Jobs of one queue run one after the other, and each endpoint has
 * queues of its own, so one that hangs keeps only its own deliveries waiting. A first attempt may name the sale it
 * tells of (`about`): a healthy endpoint has four lanes, and what concerns one sale stays in one lane, in order.
 * Retries, resends and everything of an endpoint that fails share the first lane.
 */
export async function enqueueDelivery(tx: Tx, delivery: Addressed, about?: string) {
  await enqueue(
    tx,
    "webhooks.deliver",
    { accountId: delivery.accountId, deliveryId: delivery.id },
    {
      queue: queueOf(delivery, about),
      key: `webhooks.deliver:${delivery.id}`,
      ...(delivery.nextAttemptAt && { runAt: delivery.nextAttemptAt }),
    },
  );
}

/** `webhook:<id>:<lane>`, or `callback:<hash>:<lane>` for the host that a charge's own callback names. */
export function queueOf({ accountId, webhookId, url }: Addressed, about?: string): string {
  const lane = about ? (sha256(about)[0] ?? 0) % LANES : 0;
  if (webhookId !== null) return `webhook:${webhookId}:${lane}`;
  return `callback:${sha256(`${accountId} ${new URL(url).host}`).toString("hex", 0, 8)}:${lane}`;
}
