import { forAccount, type Tx } from "@/lib/db";
import { enqueue, enqueueAll, type Jobs } from "@/lib/jobs/enqueue";
import { lockWebhook } from "@/lib/webhooks/lock";
import { jobOf } from "@/lib/webhooks/queue";
import { MAX_RANK } from "@/lib/webhooks/rank";
import { BACKLOG_MS, healthy } from "@/lib/webhooks/schedule";
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
    data: { disabledAt: null, nextProbeAt: null, ...healthy },
  });
  await wakeSome(tx, row, at);
  return row;
}

/** The `webhooks.wake` job: what else waits for a webhook that is on, a chunk at a time. */
export async function wakeMore({ accountId, webhookId }: Jobs["webhooks.wake"]): Promise<void> {
  await forAccount(accountId, async (tx) => {
    const webhook = await lockWebhook(tx, accountId, webhookId);
    if (webhook && !webhook.disabledAt && !webhook.deletedAt) await wakeSome(tx, webhook, new Date());
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

/**
 * Turns a webhook off: what was to be sent to it waits, and `lib/webhooks/probe.ts` tries it at `nextProbeAt`; never
 * when that is null. The caller holds the webhook's lock.
 */
export async function disableWebhook(tx: Tx, webhook: Webhook, at: Date, nextProbeAt: Date | null) {
  const { accountId, id } = webhook;
  const where = { accountId_id: { accountId, id } };
  await tx.webhook.update({ where, data: { disabledAt: at, nextProbeAt } });
  await tx.delivery.updateMany({ where: openOf(webhook), data: { nextAttemptAt: null } });
}
