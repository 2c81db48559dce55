import { forAccount, type Tx } from "@/lib/db";
import { enqueue, enqueueAll, type Jobs } from "@/lib/jobs/enqueue";
import { jobOf } from "@/lib/webhooks/queue";
import { MAX_RANK } from "@/lib/webhooks/rank";
import { BACKLOG_MS, healthy, isDead, PROBE_WAIT_MS } from "@/lib/webhooks/schedule";
import { openDeliveries } from "@/lib/webhooks/states";
import type { Webhook } from "@/prisma/client/client";

const openOf = ({ accountId, id }: Webhook) => ({ accountId, webhookId: id, status: { in: [...openDeliveries] } });

/** Deliveries woken in one transaction. */
const CHUNK = 5_000;

/**
 * Turns a webhook on again, its failures forgiven, and sends what waited for it, after everything else that is due;
 * what waited for more than 14 days is ended. A delivery that is open and has no next attempt is one that waits. The
 * caller holds the webhook's lock.
 */
export async function wakeWebhook(tx: Tx, webhook: Webhook, at: Date): Promise<Webhook> {
  const { accountId, id } = webhook;
  const row = await tx.webhook.update({
    where: { accountId_id: { accountId, id } },
    data: { disabledAt: null, ...healthy },
  });
  // Its probe waits no longer than the others.
  await tx.delivery.updateMany({
    where: { ...openOf(webhook), nextAttemptAt: { gt: at } },
    data: { nextAttemptAt: null },
  });
  await wakeSome(tx, row, at);
  return row;
}

/** The `webhooks.wake` job: what else waits for a webhook that is on, a chunk at a time. */
export async function wakeMore({ accountId, webhookId }: Jobs["webhooks.wake"]): Promise<void> {
  await forAccount(accountId, async (tx) => {
    await tx.$queryRaw`select id from webhooks where account_id = ${accountId}::uuid and id = ${webhookId} for update`;
    const webhook = await tx.webhook.findUniqueOrThrow({ where: { accountId_id: { accountId, id: webhookId } } });
    if (!webhook.disabledAt && !webhook.deletedAt) await wakeSome(tx, webhook, new Date());
  });
}

async function wakeSome(tx: Tx, { accountId, id: webhookId, url }: Webhook, at: Date) {
  const oldest = new Date(at.getTime() - BACKLOG_MS);
  const woken = await tx.$queryRaw<{ id: string; kept: boolean }[]>`
    update deliveries set
      status = case when created_at < ${oldest} then 'exhausted' else status end,
      next_attempt_at = case when created_at < ${oldest} then null else ${at}::timestamptz end
    where account_id = ${accountId}::uuid and id in (
      select id from deliveries
      where account_id = ${accountId}::uuid and webhook_id = ${webhookId} and status in ('pending', 'failed')
        and next_attempt_at is null
      order by id limit ${CHUNK} for update
    )
    returning id, status <> 'exhausted' as kept`;
  const jobs = woken
    .filter(({ kept }) => kept)
    .map(({ id }) => jobOf({ id, accountId, webhookId, url, nextAttemptAt: at }, { rank: MAX_RANK }))
    .sort((one, other) => (one.payload.deliveryId < other.payload.deliveryId ? -1 : 1));
  await enqueueAll(tx, "webhooks.deliver", jobs);
  if (woken.length < CHUNK) return;
  await enqueue(tx, "webhooks.wake", { accountId, webhookId }, { key: `webhooks.wake:${webhookId}` });
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
