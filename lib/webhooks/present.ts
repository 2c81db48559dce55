import { iso, isoOrNull, realNow } from "@/lib/time/clock";
import type { Delivery, Webhook, WebhookEvent } from "@/lib/webhooks/schema";
import { secretOf } from "@/lib/webhooks/sign";
import type { DeliveryError } from "@/lib/webhooks/states";
import type {
  DeliveryAttempt as AttemptRow,
  Delivery as DeliveryRow,
  Webhook as WebhookRow,
} from "@/prisma/client/client";

/** A webhook as lists and changes show it, with only the two ends of its token. */
export const presentWebhook = (row: WebhookRow): Webhook => ({
  id: row.id,
  title: row.title,
  url: row.url,
  event: row.event as WebhookEvent,
  trigger_all_products: row.triggerAllProducts,
  products: row.products,
  token_prefix: row.tokenPrefix,
  token_last4: row.tokenLast4,
  previous_token_expires_at:
    row.previousTokenEndsAt && row.previousTokenEndsAt > realNow() ? iso(row.previousTokenEndsAt) : null,
  status: row.disabledAt ? "disabled" : row.failuresInRow > 0 ? "failing" : "active",
  disabled_at: isoOrNull(row.disabledAt),
  created_at: iso(row.createdAt),
  updated_at: iso(row.updatedAt),
});

/** A webhook with its new secret, which is shown only this once. */
export const presentCreated = (row: WebhookRow, token: string) => ({
  ...presentWebhook(row),
  token,
  secret: secretOf(token),
});

/** A delivery with its attempts, the last one first; all of them sent the same body. */
export function presentDelivery(
  row: DeliveryRow,
  attempts: AttemptRow[],
  { body, about }: { body: string | null; about: Delivery["about"] },
): Delivery {
  const [last] = attempts;
  return {
    id: row.id,
    event: row.event,
    event_id: row.eventId,
    about,
    url: row.url,
    attempt: row.attempts,
    status: row.status,
    response_status: last?.responseStatus ?? null,
    response_body: last?.responseBody ?? null,
    error: (last?.error ?? null) as DeliveryError | null,
    duration_ms: last?.durationMs ?? null,
    created_at: iso(row.createdAt),
    next_attempt_at: isoOrNull(row.nextAttemptAt),
    attempts: attempts.map((attempt) => ({
      attempt: attempt.attempt,
      request_body: body,
      response_status: attempt.responseStatus,
      response_body: attempt.responseBody,
      error: attempt.error as DeliveryError | null,
      duration_ms: attempt.durationMs,
      created_at: iso(attempt.createdAt),
    })),
  };
}
