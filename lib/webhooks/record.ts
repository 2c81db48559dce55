import type { Tx } from "@/lib/db";
import { enqueueAll } from "@/lib/jobs/enqueue";
import { log } from "@/lib/log";
import { lockWebhook } from "@/lib/webhooks/lock";
import { jobOf } from "@/lib/webhooks/queue";
import { rankOf } from "@/lib/webhooks/rank";
import { BACKLOG_MS, healthy, isDead, isFading, PROBE_WAIT_MS, waitAfter } from "@/lib/webhooks/schedule";
import type { Outcome } from "@/lib/webhooks/send";
import { disableWebhook, wakeWebhook } from "@/lib/webhooks/wake";
import type { Delivery, Webhook } from "@/prisma/client/client";
import type { DeliveryStatus } from "@/prisma/client/enums";

export type Attempt = {
  id: string;
  /** The delivery as it was when this attempt began, and where it was sent. */
  sent: Delivery;
  body: string;
  outcome: Outcome;
  at: Date;
};

const GONE = 410;

/**
 * Keeps an attempt and draws its consequences: the delivery's status, the next attempt and its job, the endpoint's
 * health. Locks the webhook before the delivery, as everything here does, so that none wait for each other in a ring.
 * Returns the delivery's new status. `random` spreads the wait.
 */
export async function recordAttempt(tx: Tx, attempt: Attempt, random?: () => number): Promise<DeliveryStatus> {
  const { sent, outcome, at } = attempt;
  const { accountId, id, webhookId, url } = sent;
  const webhook = webhookId === null ? null : await lockWebhook(tx, accountId, webhookId);
  const delivery = await lockDelivery(tx, accountId, id);
  const attempts = delivery.attempts + 1;
  await tx.deliveryAttempt.create({
    data: {
      id: attempt.id,
      accountId,
      deliveryId: id,
      attempt: attempts,
      requestBody: attempt.body,
      responseStatus: outcome.status,
      responseBody: outcome.body,
      error: outcome.error,
      durationMs: outcome.durationMs,
      createdAt: at,
    },
  });
  const next = nextOf(attempt, delivery, webhook, random);
  const updated = await tx.delivery.update({
    where: { accountId_id: { accountId, id } },
    data: { ...next, attempts, url },
  });
  if (updated.nextAttemptAt) {
    await enqueueAll(tx, "webhooks.deliver", [jobOf(updated, { rank: rankOf(updated, true) })]);
  }
  if (webhook && !webhook.deletedAt) await recordHealth(tx, webhook, outcome, at);
  return updated.status;
}

type Next = { status: DeliveryStatus; nextAttemptAt: Date | null };

function nextOf(
  { sent, outcome, at }: Attempt,
  delivery: Delivery,
  webhook: Webhook | null,
  random?: () => number,
): Next {
  if (!outcome.error) return { status: "delivered", nextAttemptAt: null };
  // Resent, parked or ended while this attempt was under way: what was decided then stands.
  const replanned = delivery.nextAttemptAt?.getTime() !== sent.nextAttemptAt?.getTime();
  if (replanned) return { status: delivery.status, nextAttemptAt: delivery.nextAttemptAt };
  if (outcome.status === GONE) return { status: "exhausted", nextAttemptAt: null };
  // A disabled endpoint is tried by its probe alone, and what was tried waits on.
  if (webhook?.disabledAt) return { status: isKept(delivery, at) ? "failed" : "exhausted", nextAttemptAt: null };
  const wait = waitAfter(delivery.attempts + 1, outcome.retryAfterMs, random);
  if (wait === null) return { status: "exhausted", nextAttemptAt: null };
  return { status: "failed", nextAttemptAt: new Date(at.getTime() + wait) };
}

const isKept = ({ createdAt }: Delivery, at: Date) => at.getTime() - createdAt.getTime() < BACKLOG_MS;

/** One success forgives all; 410, or a day of nothing but failures, turns the endpoint off; after 410 it is not tried. */
async function recordHealth(tx: Tx, webhook: Webhook, { error, status }: Outcome, at: Date) {
  const { accountId, id, disabledAt } = webhook;
  const key = { accountId_id: { accountId, id } };
  if (!error) {
    if (disabledAt) await wakeWebhook(tx, webhook, at);
    else if (webhook.failuresInRow > 0) await tx.webhook.update({ where: key, data: healthy });
    return;
  }
  const isGone = status === GONE;
  const health = { failuresInRow: webhook.failuresInRow + 1, failingSince: webhook.failingSince ?? at };
  await tx.webhook.update({ where: key, data: { ...health, ...(isGone && { nextProbeAt: null }) } });
  if (disabledAt) return;
  const facts = { accountId, webhookId: id, ...health };
  // Its owner will be mailed at these two places.
  if (isGone || isDead(health, at)) {
    await disableWebhook(tx, webhook, at, isGone ? null : new Date(at.getTime() + PROBE_WAIT_MS));
    log.warn(facts, "webhook disabled");
  } else if (isFading(health, at)) {
    log.warn(facts, "webhook close to being disabled");
  }
}

async function lockDelivery(tx: Tx, accountId: string, id: string) {
  await tx.$queryRaw`select id from deliveries where account_id = ${accountId}::uuid and id = ${id}::uuid for update`;
  return tx.delivery.findUniqueOrThrow({ where: { accountId_id: { accountId, id } } });
}
