import { together } from "@/lib/batch";
import { forAccount, isUnavailable } from "@/lib/db";
import { newId } from "@/lib/ids";
import { log } from "@/lib/log";
import { open } from "@/lib/vault";
import { renderBody } from "@/lib/webhooks/bodies";
import type { Claimed } from "@/lib/webhooks/claim";
import { tokenContext } from "@/lib/webhooks/create";
import { type Attempt, recordAttempt, recordDelivered } from "@/lib/webhooks/record";
import { type Outcome, send } from "@/lib/webhooks/send";
import { headersOf } from "@/lib/webhooks/sign";
import type { Resolve } from "@/lib/webhooks/url";

/** For the whole attempt; the old API's receivers were promised five. */
const TIMEOUT_MS = { cash: 10_000, event: 10_000, legacy: 5_000 };

/** What a test may set instead of waiting: the patience, the jitter and the resolver. */
export type Conditions = { timeoutMs?: number; random?: () => number; resolve?: Resolve };

/**
 * One attempt at a delivery that was claimed: sends with no transaction open, then records answer, status and next
 * attempt together. A crash in between leaves nothing recorded: the claim ends, and the receiver sees the same
 * `webhook-id` twice (at least once). Returns what came of it; null when its webhook was removed meanwhile.
 */
export async function deliver(claimed: Claimed, conditions: Conditions = {}): Promise<Outcome | null> {
  const { accountId, id, webhookId, url } = claimed;
  if (url === null) {
    await endRemoved(claimed);
    return null;
  }
  const attemptId = newId();
  const outcome = await sendClaimed({ ...claimed, url }, attemptId, conditions).catch((error) => {
    if (isUnavailable(error)) throw error;
    log.error({ accountId, deliveryId: id, error }, "a delivery could not be sent");
    return NOT_SENT;
  });

  const status = await record({ id: attemptId, sent: claimed, url, outcome, random: conditions.random });
  const { durationMs, error, status: answer } = outcome;
  const facts = { accountId, deliveryId: id, webhookId, attemptId, answer, error, durationMs, status };
  log[error ? "warn" : "debug"](facts, "webhook attempt");
  return outcome;
}

/** What is wrong on our side, such as a secret that opens no more, is an attempt too: it is shown, and it has an end. */
const NOT_SENT: Outcome = { status: null, body: null, error: "not_sent", retryAfterMs: null, durationMs: 0 };

async function sendClaimed(claimed: Claimed & { url: string }, attemptId: string, conditions: Conditions) {
  const { accountId, contract, event, eventId, url, mode, sealedToken, claimedAt: at } = claimed;
  const body = claimed.body ?? (await render(claimed));
  const token = sealedToken && open(sealedToken, tokenContext(accountId)).toString();
  const headers = headersOf({ contract, event, eventId, attemptId, body, token, at });
  const timeoutMs = conditions.timeoutMs ?? TIMEOUT_MS[contract];
  return send({ url, mode, headers, body, timeoutMs, hide: token, at }, conditions.resolve);
}

/** Good answers of many are recorded in one statement; all else, which changes an endpoint's health, one by one. */
async function record(attempt: Attempt) {
  const isDone = attempt.outcome.error === null && (await recordGood(attempt));
  return isDone ? "delivered" : recordOther(attempt);
}

const recordGood = together(recordDelivered);
const recordOther = fewAtOnce((attempt: Attempt) =>
  forAccount(attempt.sent.accountId, (tx) => recordAttempt(tx, attempt)),
);
const render = fewAtOnce((claimed: Claimed) => renderBody(claimed, claimed.claimedAt));
const endRemoved = fewAtOnce(({ accountId, id }: Claimed) =>
  forAccount(accountId, (tx) =>
    tx.delivery.updateMany({ where: { accountId, id }, data: { status: "exhausted", nextAttemptAt: null } }),
  ),
);

/** Does two at once in a process, the others in turn, so that many at once leave it its connections. */
function fewAtOnce<Asked, Answer>(run: (asked: Asked) => Promise<Answer>): (asked: Asked) => Promise<Answer> {
  return together(async (asked: readonly Asked[]) => {
    const answers: (Answer | Error)[] = [];
    for (const one of asked) {
      answers.push(await run(one).catch((error) => (error instanceof Error ? error : new Error(String(error)))));
    }
    return answers as Answer[]; // `together` rejects one alone whose answer is an error
  });
}
