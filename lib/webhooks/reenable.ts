import { asSystem, forAccount, isLockTimeout, type Tx } from "@/lib/db";
import { locked } from "@/lib/due/find";
import { wake } from "@/lib/due/wake";
import { log } from "@/lib/log";
import { startsFromSql } from "@/lib/states";
import { databaseNow } from "@/lib/webhooks/database-now";
import { lockWebhookSoon } from "@/lib/webhooks/lock";
import { BACKLOG_MS, healthy } from "@/lib/webhooks/schedule";
import { deliveryTransitions } from "@/lib/webhooks/states";
import type { Webhook } from "@/prisma/client/client";

/** How many deliveries one transaction plans. */
const CHUNK = 5_000;

/**
 * Enables a webhook, resets its failures and plans the deliveries that waited for it; those that waited for more than
 * 14 days are ended. An open delivery without a next attempt is one that waits. The first of many are planned here, the
 * rest by `planBacklogs`. The caller holds the webhook's lock.
 */
export async function reenableWebhook(tx: Tx, webhook: Webhook, at: Date): Promise<Webhook> {
  const waking = await planWaiting(tx, webhook, at);
  return tx.webhook.update({
    where: keyOf(webhook),
    data: { disabledAt: null, nextProbeAt: null, waking, ...healthy },
  });
}

/** How many webhooks one run serves. */
const BATCH = 20;

/**
 * Loop: plans a chunk of the deliveries that wait for each of some webhooks which were enabled. One that fails does not
 * stop the others. Returns whether more may wait.
 */
export async function planBacklogs(): Promise<boolean> {
  const planned: boolean[] = [];
  for (const one of await findWaking()) {
    await planChunk(one).then(
      (isMore) => planned.push(isMore),
      (error) => {
        if (!isLockTimeout(error)) log.error({ ...one, error }, "the deliveries of a webhook could not be planned");
      },
    );
  }
  if (planned.length > 0) wake("deliveries");
  return planned.length === BATCH || planned.includes(true);
}

type Waking = { accountId: string; webhookId: number };

/** Without those whose rows are held just now, so that they are not all that a run finds. */
const findWaking = () =>
  asSystem((tx) =>
    tx.$queryRawUnsafe<Waking[]>(
      locked(`select account_id as "accountId", id as "webhookId" from webhooks where waking limit ${BATCH}`),
    ),
  );

const planChunk = ({ accountId, webhookId }: Waking): Promise<boolean> =>
  forAccount(accountId, async (tx) => {
    const webhook = await lockWebhookSoon(tx, accountId, webhookId);
    if (!webhook?.waking) return false;
    const isOn = !webhook.disabledAt && !webhook.deletedAt;
    const more = isOn && (await planWaiting(tx, webhook, await databaseNow(tx)));
    await tx.webhook.update({ where: keyOf(webhook), data: { waking: more } });
    return more;
  });

const keyOf = ({ accountId, id }: Webhook) => ({ accountId_id: { accountId, id } });

/** Plans a chunk of the deliveries that wait. Returns whether more may wait. */
async function planWaiting(tx: Tx, { accountId, id: webhookId }: Webhook, at: Date): Promise<boolean> {
  const oldest = new Date(at.getTime() - BACKLOG_MS);
  const planned = await tx.$executeRawUnsafe(PLAN_WAITING, accountId, webhookId, oldest, at);
  return planned === CHUNK;
}

const { exhaust } = deliveryTransitions;

const PLAN_WAITING = `with waiting as (
    select id, row_number() over (order by id) as place from (
      select id from deliveries
      where account_id = $1::uuid and webhook_id = $2 and ${startsFromSql(exhaust)} and next_attempt_at is null
      order by id limit ${CHUNK} for update
    ) locked
  )
  update deliveries d set
    status = case when d.created_at < $3 then '${exhaust.to}' else d.status end,
    -- A microsecond apart, so that they are sent in the order in which they were created.
    next_attempt_at = case when d.created_at >= $3 then $4::timestamptz + w.place * interval '1 microsecond' end
  from waiting w where d.account_id = $1::uuid and d.id = w.id`;

/**
 * Disables a webhook: its open deliveries wait, and `lib/webhooks/probe.ts` tries it at `nextProbeAt`, or never when
 * that is null. Of a backlog that is too long for one statement, each further failure parks another part
 * (`lib/webhooks/record.ts`). The caller holds the webhook's lock.
 */
export async function disableWebhook(tx: Tx, webhook: Webhook, at: Date, nextProbeAt: Date | null) {
  await tx.webhook.update({ where: keyOf(webhook), data: { disabledAt: at, nextProbeAt, waking: false } });
  await parkBacklog(tx, webhook);
}

/** How many deliveries one statement can park within its time limit. */
const PARK_LIMIT = 100_000;

/** Lets a webhook's planned deliveries wait until it is enabled, up to `PARK_LIMIT` of them. */
export const parkBacklog = (tx: Tx, { accountId, id }: Webhook) =>
  tx.$executeRaw`
    update deliveries set next_attempt_at = null
    where account_id = ${accountId}::uuid and id in (
      select id from deliveries
      where account_id = ${accountId}::uuid and (case when webhook_id is null then 0 else webhook_id end) = ${id}
        and next_attempt_at is not null
      limit ${PARK_LIMIT}
    )`;
