import type { States } from "@/lib/states";
import { urlIn } from "@/lib/typed";
import type { DeliveryStatus } from "@/prisma/client/enums";

/**
 * The states of a delivery. `failed` will be attempted again, and `exhausted` had its last attempt. Only a person's
 * resend leads back to `pending`, from any state.
 */
export const deliveryStates = {
  pending: ["delivered", "failed", "exhausted"],
  failed: ["delivered", "failed", "exhausted", "pending"],
  delivered: ["pending"],
  exhausted: ["pending"],
} as const satisfies States<DeliveryStatus>;

/** The statuses of deliveries that will still be attempted. */
export const openDeliveries = ["pending", "failed"] as const satisfies DeliveryStatus[];

/** Why an attempt failed, as the webhook's owner sees it. */
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

/** Whether a webhook moves to another receiver, where it gets a new signing secret. */
export function isOtherOrigin(before: string, after: string): boolean {
  const to = urlIn(after);
  return to !== undefined && new URL(before).origin !== to.origin;
}
