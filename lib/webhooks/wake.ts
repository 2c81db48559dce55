import type { Tx } from "@/lib/db";
import { enqueueAll } from "@/lib/jobs/enqueue";
import { jobOf } from "@/lib/webhooks/queue";
import { MAX_RANK } from "@/lib/webhooks/rank";
import { BACKLOG_MS, healthy, isDead, PROBE_WAIT_MS } from "@/lib/webhooks/schedule";
import { openDeliveries } from "@/lib/webhooks/states";
import type { Webhook } from "@/prisma/client/client";

const openOf = ({ accountId, id }: Webhook) => ({ accountId, webhookId: id, status: { in: [...openDeliveries] } });

/**
 * Turns a webhook on again, its failures forgiven, and sends what waited for it, after everything else that is due;
 * what waited for more than 14 days is ended. A delivery that is open and has no next attempt, or one later than now,
 * is one that waits. The caller holds the webhook's lock.
 */
export async function wakeWebhook(tx: Tx, webhook: Webhook, at: Date): Promise<Webhook> {
  const { accountId, id: webhookId, url } = webhook;
  const row = await tx.webhook.update({
    where: { accountId_id: { accountId, id: webhookId } },
    data: { disabledAt: null, ...healthy },
  });
  const waiting = { ...openOf(webhook), OR: [{ nextAttemptAt: null }, { nextAttemptAt: { gt: at } }] };
  const oldest = new Date(at.getTime() - BACKLOG_MS);
  await tx.delivery.updateMany({
    where: { ...waiting, createdAt: { lt: oldest } },
    data: { status: "exhausted", nextAttemptAt: null },
  });
  const woken = await tx.delivery.updateManyAndReturn({
    where: waiting,
    data: { nextAttemptAt: at },
    select: { id: true },
  });
  const jobs = woken
    .map(({ id }) => jobOf({ id, accountId, webhookId, url, nextAttemptAt: at }, { rank: MAX_RANK }))
    .sort((one, other) => (one.payload.deliveryId < other.payload.deliveryId ? -1 : 1));
  await enqueueAll(tx, "webhooks.deliver", jobs);
  return row;
}

/** Turns a webhook off: what was to be sent to it waits, one of them as its probe. The caller holds the webhook's lock. */
export async function disableWebhook(tx: Tx, webhook: Webhook, at: Date) {
  const { accountId, id } = webhook;
  const row = await tx.webhook.update({ where: { accountId_id: { accountId, id } }, data: { disabledAt: at } });
  await tx.delivery.updateMany({ where: openOf(webhook), data: { nextAttemptAt: null } });
  await planProbe(tx, row, at);
}

/**
 * Makes the oldest delivery that waits for a disabled webhook its probe, unless it has one: tried once a day, and its
 * success turns the webhook on. When nothing waits, what comes next is it (`firstProbeAt`).
 * The caller holds the webhook's lock.
 */
export async function planProbe(tx: Tx, webhook: Webhook, at: Date) {
  if (!isProbed(webhook) || (await findProbe(tx, webhook, at))) return;
  const kept = { gte: new Date(at.getTime() - BACKLOG_MS) };
  const first = await tx.delivery.findFirst({
    where: { ...openOf(webhook), createdAt: kept },
    orderBy: { id: "asc" },
  });
  if (!first) return;
  const probe = await tx.delivery.update({
    where: { accountId_id: { accountId: first.accountId, id: first.id } },
    data: { nextAttemptAt: new Date(at.getTime() + PROBE_WAIT_MS) },
  });
  await enqueueAll(tx, "webhooks.deliver", [jobOf(probe, { rank: 1 })]);
}

/**
 * When a new delivery for a disabled webhook is to be tried as its probe, a day after it was disabled at the earliest;
 * null when it only waits. The first that comes on each day since then looks whether there is a probe, and is it if
 * not: none was there to be it before, or it got lost. The caller holds the webhook's lock.
 */
export async function firstProbeAt(tx: Tx, webhook: Webhook, now: Date): Promise<Date | null> {
  const { accountId, id: webhookId, disabledAt } = webhook;
  if (!disabledAt || !isProbed(webhook)) return null;
  const dayOf = (time: Date) => Math.floor((time.getTime() - disabledAt.getTime()) / PROBE_WAIT_MS);
  const last = await tx.delivery.findFirst({ where: { accountId, webhookId }, orderBy: { id: "desc" } });
  if (last && last.createdAt >= disabledAt && dayOf(last.createdAt) === dayOf(now)) return null;
  if (await findProbe(tx, webhook, now)) return null;
  return new Date(Math.max(now.getTime(), disabledAt.getTime() + PROBE_WAIT_MS));
}

/** One that said 410 is not probed: its failures began anew with that answer. */
const isProbed = (webhook: Webhook) => webhook.disabledAt !== null && isDead(webhook, webhook.disabledAt);

/** One that is a day late has no job any more. */
const findProbe = (tx: Tx, webhook: Webhook, at: Date) =>
  tx.delivery.findFirst({
    where: { ...openOf(webhook), nextAttemptAt: { gt: new Date(at.getTime() - PROBE_WAIT_MS) } },
  });
