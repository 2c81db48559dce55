import { forAccount, type Tx } from "@/lib/db";
import { newId } from "@/lib/ids";
import { enqueueAll, type Jobs } from "@/lib/jobs/enqueue";
import { log } from "@/lib/log";
import { open } from "@/lib/vault";
import { tokenContext } from "@/lib/webhooks/create";
import { bodyOf } from "@/lib/webhooks/payloads";
import { jobOf } from "@/lib/webhooks/queue";
import { MAX_RANK, noteAttempt, rankOf } from "@/lib/webhooks/rank";
import { recordAttempt } from "@/lib/webhooks/record";
import { send } from "@/lib/webhooks/send";
import { headersOf } from "@/lib/webhooks/sign";
import { openDeliveries } from "@/lib/webhooks/states";
import type { Mode, Resolve } from "@/lib/webhooks/url";
import type { Delivery } from "@/prisma/client/client";

/** For the whole attempt; the old API's receivers were promised five. */
const TIMEOUT_MS = { cash: 10_000, event: 10_000, legacy: 5_000 };

/** What a test may set instead of waiting: the clock, the patience, the jitter and the resolver. */
export type Conditions = { now?: () => Date; timeoutMs?: number; random?: () => number; resolve?: Resolve };

/**
 * The `webhooks.deliver` job: one attempt. Reads what to send, sends with no transaction open, then records answer,
 * status and next attempt together. A crash in between leaves nothing recorded: the job runs again and the receiver
 * sees the same `webhook-id` twice (at least once). A delivery that is done or parked is left alone, and one whose
 * endpoint holds up others more than when the job was queued goes back, unsent, to wait where it belongs by now.
 */
export async function deliverWebhook(job: Jobs["webhooks.deliver"], conditions: Conditions = {}) {
  const { accountId, deliveryId } = job;
  const { now = () => new Date(), random, resolve } = conditions;
  const attemptId = newId();
  const at = now();
  const prepared = await forAccount(accountId, (tx) => prepare(tx, job));
  if (!prepared) return;
  const { sent, body, token, mode } = prepared;
  const { contract, event, eventId, url, webhookId } = sent;

  const headers = headersOf({ contract, event, eventId, attemptId, body, token, at });
  const timeoutMs = conditions.timeoutMs ?? TIMEOUT_MS[contract];
  const outcome = await send({ url, mode, headers, body, timeoutMs, hide: token }, resolve);
  noteAttempt(sent, outcome);

  const attempt = { id: attemptId, sent, body, outcome, at: now() };
  const status = await forAccount(accountId, (tx) => recordAttempt(tx, attempt, random));
  const { durationMs, error, status: answer } = outcome;
  const facts = { accountId, deliveryId, webhookId, attemptId, answer, error, durationMs, status };
  log[error ? "warn" : "debug"](facts, "webhook attempt");
}

type Prepared = { sent: Delivery; body: string; token: string | null; mode: Mode };

async function prepare(
  tx: Tx,
  { accountId, deliveryId: id, rank: queuedAs = MAX_RANK }: Jobs["webhooks.deliver"],
): Promise<Prepared | undefined> {
  const delivery = await tx.delivery.findFirst({
    where: { accountId, id, status: { in: [...openDeliveries] }, nextAttemptAt: { not: null } },
  });
  if (!delivery) return undefined;
  const { webhookId, eventId, contract } = delivery;
  const webhook = await signerOf(tx, accountId, webhookId);
  if (!webhook && webhookId !== null) {
    // Removed while the event was being handed out.
    await tx.delivery.updateMany({ where: { accountId, id }, data: { status: "exhausted", nextAttemptAt: null } });
    return undefined;
  }
  const rank = rankOf(delivery, webhookId !== null && (webhook?.failuresInRow ?? 0) > 0);
  if (rank > queuedAs) {
    await enqueueAll(tx, "webhooks.deliver", [jobOf(delivery, { rank })]);
    return undefined;
  }
  const event = await tx.event.findUniqueOrThrow({ where: { accountId_id: { accountId, id: eventId } } });
  const sale = await tx.transaction.findUniqueOrThrow({ where: { accountId_id: { accountId, id: event.subjectId } } });
  const { mode } = await tx.account.findUniqueOrThrow({ where: { id: accountId }, select: { mode: true } });
  return {
    sent: { ...delivery, url: webhook && webhookId !== null ? webhook.url : delivery.url },
    body: JSON.stringify(bodyOf(contract, delivery.event, event, sale)),
    token: webhook && open(webhook.sealedToken, tokenContext(accountId)).toString(),
    mode,
  };
}

/**
 * Whose token signs. A charge's own callback has no secret of its own, so it takes the account's oldest active
 * webhook's, which its owner holds; an account without any sends it unsigned.
 */
const signerOf = (tx: Tx, accountId: string, webhookId: number | null) =>
  tx.webhook.findFirst({
    where: { accountId, deletedAt: null, ...(webhookId === null ? { disabledAt: null } : { id: webhookId }) },
    orderBy: { id: "asc" },
  });
