import { asSystem, forAccount, type Tx } from "@/lib/db";
import { sweep } from "@/lib/sweep";
import { notifyDue } from "@/lib/webhooks/due";
import { lockWebhook } from "@/lib/webhooks/lock";
import { databaseNow } from "@/lib/webhooks/now";
import { BACKLOG_MS, healthy } from "@/lib/webhooks/schedule";
import type { Webhook } from "@/prisma/client/client";

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
    with waiting as (
      select id, row_number() over (order by id) as place from (
        select id from deliveries
        where account_id = ${accountId}::uuid and webhook_id = ${webhookId} and status in ('pending', 'failed')
          and next_attempt_at is null
        order by id limit ${CHUNK} for update
      ) locked
    )
    update deliveries d set
      status = case when d.created_at < ${oldest} then 'exhausted' else d.status end,
      -- A microsecond apart, so that they are sent in the order in which they were made.
      next_attempt_at = case when d.created_at >= ${oldest}
        then ${at}::timestamptz + w.place * interval '1 microsecond' end
    from waiting w where d.account_id = ${accountId}::uuid and d.id = w.id`;
  return woken === CHUNK;
}

/**
 * Turns a webhook off: what was to be sent to it waits, and `lib/webhooks/probe.ts` tries it at `nextProbeAt`; never
 * when that is null. Of a backlog that is longer than one statement parks, each vain attempt parks as much again
 * (`lib/webhooks/record.ts`). The caller holds the webhook's lock.
 */
export async function disableWebhook(tx: Tx, webhook: Webhook, at: Date, nextProbeAt: Date | null) {
  await tx.webhook.update({ where: keyOf(webhook), data: { disabledAt: at, nextProbeAt, waking: false } });
  await parkBacklog(tx, webhook);
}

/** More than this at once would outlast a statement's time. */
const PARKED_AT_ONCE = 100_000;

/** Lets what is planned for a webhook wait until it is on again, the first hundred thousand. */
export const parkBacklog = (tx: Tx, { accountId, id }: Webhook) =>
  tx.$executeRaw`
    update deliveries set next_attempt_at = null
    where account_id = ${accountId}::uuid and id in (
      select id from deliveries
      where account_id = ${accountId}::uuid and (case when webhook_id is null then 0 else webhook_id end) = ${id}
        and next_attempt_at is not null
      limit ${PARKED_AT_ONCE}
    )`;
