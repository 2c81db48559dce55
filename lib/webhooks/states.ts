import type { States } from "@/lib/states";
import type { DeliveryStatus } from "@/prisma/client/enums";

/**
 * A delivery. `failed` will be tried again; `exhausted` had its last attempt. Only a person's resend leads back to
 * `pending`, from anywhere.
 */
export const deliveryStates = {
  pending: ["delivered", "failed", "exhausted"],
  failed: ["delivered", "failed", "exhausted", "pending"],
  delivered: ["pending"],
  exhausted: ["pending"],
} as const satisfies States<DeliveryStatus>;

/** Statuses whose delivery still has an attempt before it. */
export const openDeliveries = ["pending", "failed"] as const satisfies DeliveryStatus[];

/** Why an attempt failed: a closed set, shown to the endpoint's owner. */
export const deliveryErrors = [
  "timeout",
  "dns",
  "connection_refused",
  "connection_failed",
  "tls",
  "address_not_allowed",
  "redirect",
  "http_error",
  "invalid_response",
  "not_sent",
] as const;

export type DeliveryError = (typeof deliveryErrors)[number];

/** Another origin is another receiver: a webhook that moves to one gets a new signing secret. */
export const isOtherOrigin = (before: string, after: string) =>
  URL.canParse(after) && new URL(before).origin !== new URL(after).origin;
