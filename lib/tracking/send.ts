import { withinMs } from "@/lib/concurrency/time-limit";
import { forAccount, isUnavailable, type Tx } from "@/lib/db";
import { openEvent } from "@/lib/events/subjects";
import { log } from "@/lib/log";
import { timeouts } from "@/lib/outside/http-client";
import { type Claimed, MAX_ATTEMPTS, WAIT } from "@/lib/tracking/claim";
import type { Answered, SaleEvent } from "@/lib/tracking/port";
import { trackingContext } from "@/lib/tracking/save";
import type { OrderError } from "@/lib/tracking/schema";
import { trackingFor } from "@/lib/tracking/trackers";
import { decrypt } from "@/lib/vault/vault";

/** Sends a claimed order with no transaction open, then records what the service answered. Without an end nothing is recorded. */
export async function sendOrder(worker: string, claimed: Claimed, stop?: AbortSignal): Promise<void> {
  const { accountId, eventId, mode } = claimed;
  const asked = await forAccount(accountId, (tx) => read(tx, claimed));
  const service = trackingFor(mode);
  if (!asked || !service) return record(worker, claimed, { error: asked ? "not_configured" : "deactivated" }, true);
  const send = (signal: AbortSignal) => service.send({ ...asked, isTest: mode === "sandbox", signal });
  const answered = await withinMs(timeouts.callMs, stop, send).catch((error) => {
    if (isUnavailable(error)) throw error;
    return { error: "no_answer" } as const;
  });
  if (stop?.aborted) return;
  const isSent = "status" in answered && answered.status >= 200 && answered.status < 300;
  await record(worker, claimed, answered, isSent);
  if (!isSent)
    log.warn({ accountId, eventId, answer: "status" in answered ? answered.status : null }, "an order was not taken");
}

/** The account's token, and the body of the event; undefined where the integration ended. */
async function read(tx: Tx, { accountId, eventId }: Claimed) {
  const integration = await tx.trackingIntegration.findUnique({ where: { accountId } });
  const event = await tx.event.findFirst({ where: { accountId, id: eventId } });
  if (!integration || !event) return undefined;
  const name = event.type === "transaction.created" ? event.type : "transaction.updated";
  const body = openEvent(event).body({ contract: "event", name }) as SaleEvent;
  return { token: decrypt(integration.sealedToken, trackingContext(accountId)).toString(), event: body };
}

type Outcome = Answered | { error: OrderError };

const record = (worker: string, { accountId, eventId, attempts }: Claimed, outcome: Outcome, isEnd: boolean) =>
  forAccount(accountId, async (tx) => {
    const { status, text, error } = { status: null, text: null, error: null, ...outcome };
    const isSent = isEnd && error === null;
    const ends = isEnd || attempts + 1 >= MAX_ATTEMPTS;
    const values = [accountId, eventId, worker, status, text, error ?? (isSent ? null : "http_error"), isSent, ends];
    await tx.$executeRawUnsafe(RECORD, ...values);
  });

/** A failure counts only while the claim lasts; what was taken was taken. */
const RECORD = `update tracking_orders t set attempts = t.attempts + 1, answer_status = $4::int, answer = $5, error = $6,
    sent_at = case when $7::boolean then now() end, claimed_by = null, claimed_until = null,
    next_attempt_at = case when not $8::boolean then now() + ${WAIT} end
  where t.account_id = $1::uuid and t.event_id = $2::uuid and t.next_attempt_at is not null
    and (t.claimed_by = $3::uuid or $7::boolean)`;
