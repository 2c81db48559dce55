import { asSystem, forAccount, type Tx } from "@/lib/db";
import { sweep } from "@/lib/sweep";
import { notifyDue } from "@/lib/webhooks/due";
import { lockWebhook } from "@/lib/webhooks/lock";
import { databaseNow } from "@/lib/webhooks/now";
import { BACKLOG_MS, healthy } from "@/lib/webhooks/schedule";
import { openDeliveries } from "@/lib/webhooks/states";
import type { Webhook } from "@/prisma/client/client";

const openOf = ({ accountId, id }: Webhook) => ({ accountId, webhookId: id, status: { in: [...openDeliveries] } });

/** Deliveries woken in one transaction. */
const CHUNK = 5_000;

/**
 * Turns a webhook on again, its failures forgiven, and sends what waited for it; what waited for more than 14 days is
 * ended. A delivery that is open and has no next attempt is one that waits. Of many a first part is planned here, the
 * rest by `wakeRest`. The caller holds the webhook's lock.
 */
export async function wakeWebhook(tx: Tx, webhook: Webhook, at: Date): Promise<Webhook> {
  const waking = await wakeSome(tx, webhook, at);
  return tx.webhook.update({
    where: keyOf(webhook),
    data: { disabledAt: null, nextProbeAt: null, waking, ...healthy },
  });
}

/** Sweep: plans what else waits for webhooks that were turned on, a part at a time. */
export const wakeRest = () => sweep(findWaking, wake);

type Waking = { id: string; accountId: string; webhookId: number };

const findWaking = (most: number, but: string[]) =>
  asSystem(
    (tx) => tx.$queryRaw<Waking[]>`
      select * from (
        select account_id || ' ' || id as id, account_id as "accountId", id as "webhookId" from webhooks where waking
      ) w where w.id <> all(${but}::text[]) limit ${most}`,
  );

async function wake({ accountId, webhookId }: Waking) {
  for (let waking = true; waking; ) {
    waking = await forAccount(accountId, async (tx) => {
      const webhook = await lockWebhook(tx, accountId, webhookId);
      if (!webhook?.waking) return false;
      const isOn = !webhook.disabledAt && !webhook.deletedAt;
      const more = isOn && (await wakeSome(tx, webhook, await databaseNow(tx)));
      await tx.webhook.update({ where: keyOf(webhook), data: { waking: more } });
      return more;
    });
    notifyDue();
  }
}

const keyOf = ({ accountId, id }: Webhook) => ({ accountId_id: { accountId, id } });

/** Whether more waits than was woken. */
async function wakeSome(tx: Tx, { accountId, id: webhookId }: Webhook, at: Date): Promise<boolean> {
  const oldest = new Date(at.getTime() - BACKLOG_MS);
  const woken = await tx.$executeRaw`
    update deliveries set
      status = case when created_at < ${oldest} then 'exhausted' else status end,
      next_attempt_at = case when created_at < ${oldest} then null else ${at}::timestamptz end
    where account_id = ${accountId}::uuid and id in (
      select id from deliveries
      where account_id = ${accountId}::uuid and webhook_id = ${webhookId} and status in ('pending', 'failed')
        and next_attempt_at is null
      order by id limit ${CHUNK} for update
    )`;
  return woken === CHUNK;
}

/**
 * Turns a webhook off: what was to be sent to it waits, and `lib/webhooks/probe.ts` tries it at `nextProbeAt`; never
 * when that is null. The caller holds the webhook's lock.
 */
export async function disableWebhook(tx: Tx, webhook: Webhook, at: Date, nextProbeAt: Date | null) {
  await tx.webhook.update({ where: keyOf(webhook), data: { disabledAt: at, nextProbeAt, waking: false } });
  await tx.delivery.updateMany({ where: openOf(webhook), data: { nextAttemptAt: null } });
}
