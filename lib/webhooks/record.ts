import { countStored, rowBytes } from "@/lib/accounts/storage";
import { IN_SCOPE, isAway, onCommit, runPrepared, SCOPE_OF_ALL, type Tx } from "@/lib/db";
import { isPicked, lockedByKey } from "@/lib/due/find";
import { log } from "@/lib/log";
import { leadsTo, leadsToSql, startsFrom, startsFromSql } from "@/lib/states";
import { type Claimed, lockedDelivery } from "@/lib/webhooks/claim";
import { databaseNow } from "@/lib/webhooks/database-now";
import { lockWebhook } from "@/lib/webhooks/lock";
import { mailFailures } from "@/lib/webhooks/mail-failures";
import { disableWebhook, parkBacklog, reenableWebhook } from "@/lib/webhooks/reenable";
import {
  BACKLOG_MS,
  healthy,
  isDead,
  isFading,
  mayFadeSql,
  PROBE_WAIT_MS,
  waitAfter,
  waitsAfter,
} from "@/lib/webhooks/schedule";
import type { Outcome } from "@/lib/webhooks/send";
import { deliveryTransitions } from "@/lib/webhooks/states";
import type { Delivery, Webhook } from "@/prisma/client/client";
import type { DeliveryStatus } from "@/prisma/client/enums";

export type Attempt = {
  id: string;
  /** The delivery as it was claimed. */
  sent: Pick<Claimed, "accountId" | "id" | "webhookId" | "nextAttemptAt">;
  /** The address that it was sent to. */
  url: string;
  outcome: Outcome;
  /** Spreads the wait until the next attempt. */
  random?: (() => number) | undefined;
};

/** The answer of a receiver that wants no more. */
export const GONE = 410;

/**
 * Records successful attempts in one statement and ends their deliveries. Returns which were recorded: those of a
 * webhook that was failing, and those that another transaction has locked, are left to `recordAttempt`. Where one of
 * them cannot be recorded, each is recorded by a statement of its own.
 */
export const recordDelivered = (attempts: readonly Attempt[]) =>
  recordTogether("record_delivered", DELIVERED, attempts);

/**
 * The same for failed attempts, which are planned again. Left to `recordAttempt` are those that may lead to a mail, disable their
 * webhook or end their delivery, and those of a webhook that is disabled.
 */
export const recordFailed = (attempts: readonly Attempt[]) => recordTogether("record_failed", FAILED, attempts);

async function recordTogether(name: string, text: string, attempts: readonly Attempt[]): Promise<boolean[]> {
  try {
    return await recordAll(name, text, attempts);
  } catch (error) {
    if (isAway(error)) throw error;
    const { accountId, id } = (attempts[0] as Attempt).sent;
    log.error(
      { accountId, deliveryId: id, attempts: attempts.length, error },
      "attempts could not be recorded together",
    );
    if (attempts.length === 1) return [false];
    const each = [];
    for (const attempt of attempts) each.push(...(await recordTogether(name, text, [attempt])));
    return each;
  }
}

async function recordAll(name: string, text: string, attempts: readonly Attempt[]): Promise<boolean[]> {
  const rows = attempts.map(({ id, sent, url, outcome, random }) => ({
    ...{ attempt_id: id, account_id: sent.accountId, id: sent.id, webhook_id: sent.webhookId, url },
    ...{ status: outcome.status, answer: outcome.body, error: outcome.error, duration_ms: outcome.durationMs },
    ...{ planned_at: sent.nextAttemptAt, waits: outcome.error ? waitsAfter(outcome.retryAfterMs, random) : [] },
  }));
  const done = await runPrepared<{ id: string }>(name, text, [JSON.stringify(rows)]);
  const ids = new Set(done.map(({ id }) => id));
  for (const attempt of attempts) if (ids.has(attempt.sent.id)) countAttempt(attempt);
  return attempts.map(({ sent }) => ids.has(sent.id));
}

/** Counts what an attempt stores: its row, and another version of its delivery's. */
const countAttempt = ({ sent, outcome }: Attempt) =>
  countStored(sent.accountId, rowBytes.attempt + Buffer.byteLength(outcome.body ?? ""));

/** A delivery becomes delivered from any status (`deliveryTransitions`), so none is compared: the planner could read by it. */
const DELIVERED = `with ${SCOPE_OF_ALL}, held as (
    select d.account_id, d.id, m.attempt_id, m.url, m.status, m.answer, m.duration_ms
    from json_to_recordset($1::json) as m(attempt_id uuid, account_id uuid, id uuid, url text, status int, answer text,
      duration_ms int)
    cross join lateral ${lockedDelivery("m")} d
    left join webhooks w on w.account_id = d.account_id and w.id = d.webhook_id
    where ${IN_SCOPE} and (w.id is null or (w.failures_in_row = 0 and w.disabled_at is null))
  ), ended as (
    update deliveries d set ${leadsToSql(deliveryTransitions.deliver)}, next_attempt_at = null, attempts = d.attempts + 1, url = h.url,
      claimed_by = null, claimed_until = null
    from held h where ${IN_SCOPE} and ${isPicked("d", "h")}
    returning d.account_id, d.id, d.attempts, h.attempt_id, h.status, h.answer, h.duration_ms
  ), kept as (
    insert into delivery_attempts (id, account_id, delivery_id, attempt, response_status, response_body, duration_ms,
      created_at)
    select attempt_id, account_id, id, attempts, status, answer, duration_ms, now() from ended
  )
  select id from ended`;

/** A webhook is locked before its deliveries, and what another transaction has locked is passed over. */
const FAILED = `with ${SCOPE_OF_ALL}, made as materialized (
    select * from json_to_recordset($1::json) as m(attempt_id uuid, account_id uuid, id uuid, webhook_id int, planned_at timestamptz,
      url text, status int, answer text, error text, duration_ms int, waits bigint[])
  ), webhook as materialized (
    select w.account_id, w.id
    from (
      select account_id, webhook_id as id, count(*)::int as failures from made where webhook_id is not null
      group by 1, 2 order by 1, 2
    ) n
    cross join lateral ${lockedByKey("webhooks", { account_id: "uuid", id: "int" }, "n", { isInScope: true })} w
    where w.disabled_at is null and w.deleted_at is null and not ${mayFadeSql("w", "n.failures")}
  ), held as (
    select d.account_id, d.id, m.webhook_id, m.attempt_id, m.url, m.status, m.answer, m.error, m.duration_ms,
      m.waits[d.attempts + 1] as wait_ms
    from made m
    left join webhook w on w.account_id = m.account_id and w.id = m.webhook_id
    cross join lateral ${lockedDelivery("m")} d
    where (m.webhook_id is null or w.id is not null) and ${startsFromSql(deliveryTransitions.fail, "d")}
      and date_trunc('milliseconds', d.next_attempt_at) = m.planned_at and m.waits[d.attempts + 1] is not null
  ), ended as (
    update deliveries d set ${leadsToSql(deliveryTransitions.fail)}, next_attempt_at = now() + h.wait_ms * interval '1 millisecond',
      attempts = d.attempts + 1, url = h.url, claimed_by = null, claimed_until = null
    from held h where ${IN_SCOPE} and ${isPicked("d", "h")}
    returning d.account_id, d.id, d.attempts, h.webhook_id, h.attempt_id, h.status, h.answer, h.error, h.duration_ms
  ), kept as (
    insert into delivery_attempts (id, account_id, delivery_id, attempt, response_status, response_body, error, duration_ms,
      created_at)
    select attempt_id, account_id, id, attempts, status, answer, error, duration_ms, now() from ended
  ), failing as (
    update webhooks w set failures_in_row = w.failures_in_row + f.failures, failing_since = coalesce(w.failing_since, now())
    from (
      select account_id, webhook_id, count(*)::int as failures from ended where webhook_id is not null group by 1, 2
    ) f
    where ${IN_SCOPE} and w.account_id = f.account_id and w.id = f.webhook_id
  )
  select id from ended`;

/**
 * Records an attempt and its consequences: the delivery's status and next attempt, and the webhook's health. Returns
 * the delivery's new status.
 */
export async function recordAttempt(tx: Tx, attempt: Attempt): Promise<DeliveryStatus> {
  const { sent, url, outcome } = attempt;
  const { accountId, id, webhookId } = sent;
  onCommit(tx, () => countAttempt(attempt));
  const webhook = webhookId === null ? null : await lockWebhook(tx, accountId, webhookId);
  const delivery = await lockDelivery(tx, accountId, id);
  const at = await databaseNow(tx);
  const attempts = delivery.attempts + 1;
  await tx.deliveryAttempt.create({
    data: {
      id: attempt.id,
      accountId,
      deliveryId: id,
      attempt: attempts,
      responseStatus: outcome.status,
      responseBody: outcome.body,
      error: outcome.error,
      durationMs: outcome.durationMs,
      createdAt: at,
    },
  });
  const { transition, nextAttemptAt } = nextOf(attempt, delivery, webhook, at);
  const move = transition && deliveryTransitions[transition];
  const { status } = await tx.delivery.update({
    where: { accountId_id: { accountId, id }, ...(move && startsFrom(move)) },
    data: { ...(move && leadsTo(move)), nextAttemptAt, attempts, url, claimedBy: null, claimedUntil: null },
  });
  if (webhook && !webhook.deletedAt) await recordHealth(tx, webhook, outcome, at);
  return status;
}

/** How a delivery moves, if it does, and when it is attempted again. */
type Next = { transition?: keyof typeof deliveryTransitions; nextAttemptAt: Date | null };

function nextOf({ sent, outcome, random }: Attempt, delivery: Delivery, webhook: Webhook | null, at: Date): Next {
  if (!outcome.error) return { transition: "deliver", nextAttemptAt: null };
  // The delivery was resent, parked or ended while this attempt was under way, and that decision stands.
  const replanned = delivery.nextAttemptAt?.getTime() !== sent.nextAttemptAt.getTime();
  if (replanned) return { nextAttemptAt: delivery.nextAttemptAt };
  if (outcome.status === GONE) return { transition: "exhaust", nextAttemptAt: null };
  // Only the daily probe tries a disabled webhook, so a failed delivery waits on.
  if (webhook?.disabledAt) return { transition: isKept(delivery, at) ? "fail" : "exhaust", nextAttemptAt: null };
  const wait = waitAfter(delivery.attempts + 1, outcome.retryAfterMs, random);
  if (wait === null) return { transition: "exhaust", nextAttemptAt: null };
  return { transition: "fail", nextAttemptAt: new Date(at.getTime() + wait) };
}

const isKept = ({ createdAt }: Delivery, at: Date) => at.getTime() - createdAt.getTime() < BACKLOG_MS;

/**
 * One success resets the failures. A 410, or a day with only failures, disables the webhook; after a 410 it is not
 * probed either. Its owner gets a mail half way to that, and at its end.
 */
async function recordHealth(tx: Tx, webhook: Webhook, { error, status }: Outcome, at: Date) {
  const { accountId, id, disabledAt } = webhook;
  const key = { accountId_id: { accountId, id } };
  if (!error) {
    if (disabledAt) await reenableWebhook(tx, webhook, at);
    else if (webhook.failuresInRow > 0) await tx.webhook.update({ where: key, data: healthy });
    return;
  }
  const isGone = status === GONE;
  const health = { failuresInRow: webhook.failuresInRow + 1, failingSince: webhook.failingSince ?? at };
  await tx.webhook.update({ where: key, data: { ...health, ...(isGone && { nextProbeAt: null }) } });
  if (disabledAt) {
    await parkBacklog(tx, webhook);
    return;
  }
  const facts = { accountId, webhookId: id, ...health };
  if (isGone || isDead(health, at)) {
    await disableWebhook(tx, webhook, at, isGone ? null : new Date(at.getTime() + PROBE_WAIT_MS));
    await mailFailures(tx, webhook, "webhook_disabled", health.failingSince);
    log.warn(facts, "webhook disabled");
  } else if (isFading(health, at)) {
    await mailFailures(tx, webhook, "webhook_failing", health.failingSince);
    log.warn(facts, "webhook close to being disabled");
  }
}

async function lockDelivery(tx: Tx, accountId: string, id: string) {
  await tx.$queryRaw`select id from deliveries where account_id = ${accountId}::uuid and id = ${id}::uuid for update`;
  return tx.delivery.findUniqueOrThrow({ where: { accountId_id: { accountId, id } } });
}
