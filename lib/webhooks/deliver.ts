import { setTimeout as sleep } from "node:timers/promises";
import { coalesce } from "@/lib/concurrency/coalesce";
import { concurrencyLimits } from "@/lib/concurrency/limit";
import { forAccount, isLockTimeout, isUnavailable } from "@/lib/db";
import { newId } from "@/lib/ids";
import { log } from "@/lib/log";
import type { Resolve } from "@/lib/receivers/url";
import { leadsTo, startsFrom } from "@/lib/states";
import { decrypt } from "@/lib/vault/vault";
import { renderBody } from "@/lib/webhooks/bodies";
import type { Claimed } from "@/lib/webhooks/claim";
import { tokenContext } from "@/lib/webhooks/create";
import { type Attempt, GONE, recordAttempt, recordDelivered, recordFailed } from "@/lib/webhooks/record";
import { type Outcome, send } from "@/lib/webhooks/send";
import { headersOf } from "@/lib/webhooks/sign";
import { deliveryTransitions } from "@/lib/webhooks/states";

/** The time limit of a whole attempt, by contract; the old API's receivers have 5 s. */
export const TIMEOUT_MS = { cash: 10_000, event: 10_000, legacy: 5_000 };

/** What a test may replace: the time limit, the jitter and the resolver. */
export type Conditions = { timeoutMs?: number; random?: () => number; resolve?: Resolve };

/** `stop` ends the attempt early. */
type Stoppable = Conditions & { stop?: AbortSignal };

/**
 * Makes one attempt at a claimed delivery: sends with no transaction open, then records the answer, the status and the
 * next attempt together. After a crash in between nothing is recorded, the claim ends, and the receiver gets the same
 * `webhook-id` again (at least once). Returns the outcome, or null when none was recorded: the webhook was removed
 * meanwhile, or `stop` ended the attempt, which counts as not made.
 */
export async function deliver(claimed: Claimed, conditions: Stoppable = {}): Promise<Outcome | null> {
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

  if (outcome.error && conditions.stop?.aborted) return null;
  const status = await record(
    { id: attemptId, sent: claimed, url, outcome, random: conditions.random },
    conditions.stop,
  );
  const { durationMs, error, status: answer } = outcome;
  const facts = { accountId, deliveryId: id, webhookId, attemptId, answer, error, durationMs, status };
  log[error ? "warn" : "debug"](facts, "webhook attempt");
  return outcome;
}

/** The outcome when our side fails, such as a secret that cannot be opened: it counts as an attempt and is shown. */
const NOT_SENT: Outcome = { status: null, body: null, error: "not_sent", retryAfterMs: null, durationMs: 0 };

async function sendClaimed(claimed: Claimed & { url: string }, attemptId: string, conditions: Stoppable) {
  const { accountId, contract, event, eventId, url, mode, sealedTokens, claimedAt: at } = claimed;
  const body = claimed.body ?? (await render(claimed));
  const tokens = sealedTokens.map((sealed) =>
    decrypt(Buffer.from(sealed, "base64"), tokenContext(accountId)).toString(),
  );
  const headers = headersOf({ contract, event, eventId, attemptId, body, tokens, at });
  const { timeoutMs = TIMEOUT_MS[contract], stop, resolve } = conditions;
  return send({ accountId, url, mode, headers, body, timeoutMs, stop, hide: tokens, at }, resolve);
}

/** Attempts are recorded many at a time; one that changes more than its webhook's count of failures is recorded alone. */
async function record(attempt: Attempt, stop?: AbortSignal) {
  const { error, status } = attempt.outcome;
  if (error === null && (await recordSuccess(attempt))) return "delivered";
  if (error !== null && status !== GONE && (await recordFailure(attempt))) return "failed";
  return recordPatiently(attempt, stop);
}

/** How long an attempt waits in line for its webhook, how long it then lets others go first, and how often. */
const LOCK_WITHIN = "200ms";
const LET_GO_FIRST_MS = 1_000;
const WAITS = 60;

/**
 * While another transaction holds the webhook, its attempts are still under way, and those of others are recorded: of a
 * webhook one at a time, so that many of one whose row is held do not take the turns of all.
 */
const recordPatiently = (attempt: Attempt, stop?: AbortSignal) =>
  ofWebhook(`${attempt.sent.accountId} ${attempt.sent.webhookId ?? attempt.sent.id}`, () =>
    recordWhenFree(attempt, stop),
  );

const ofWebhook = concurrencyLimits(
  { width: () => 1, waiting: Number.POSITIVE_INFINITY },
  () => new Error("Nobody is refused"),
);

async function recordWhenFree(attempt: Attempt, stop?: AbortSignal) {
  for (let waits = 0; ; waits += 1) {
    try {
      return await recordOther(attempt);
    } catch (error) {
      if (!isLockTimeout(error) || waits === WAITS || stop?.aborted) throw error;
      await sleep(LET_GO_FIRST_MS);
    }
  }
}

const recordSuccess = coalesce(recordDelivered);
const recordFailure = coalesce(recordFailed);
const recordOther = fewAtOnce((attempt: Attempt) =>
  forAccount(attempt.sent.accountId, async (tx) => {
    await tx.$executeRaw`select set_config('lock_timeout', ${LOCK_WITHIN}, true)`;
    return recordAttempt(tx, attempt);
  }),
);
const render = fewAtOnce((claimed: Claimed) => renderBody(claimed));
const endRemoved = fewAtOnce(({ accountId, id }: Claimed) =>
  forAccount(accountId, (tx) =>
    tx.delivery.updateMany({
      where: { accountId, id, ...startsFrom(deliveryTransitions.exhaust) },
      data: { ...leadsTo(deliveryTransitions.exhaust), nextAttemptAt: null },
    }),
  ),
);

/** Runs two at once in this process and the others in turn, so that connections remain for other work. */
function fewAtOnce<Input, Result>(run: (input: Input) => Promise<Result>): (input: Input) => Promise<Result> {
  return coalesce(async (inputs: readonly Input[]) => {
    const results: (Result | Error)[] = [];
    for (const input of inputs) {
      results.push(await run(input).catch((error) => (error instanceof Error ? error : new Error(String(error)))));
    }
    return results as Result[]; // `together` rejects only the caller whose result is an error
  });
}
