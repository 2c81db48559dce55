import type { Transitions } from "@/lib/states";
import { urlIn } from "@/lib/typed/text";
import type { DeliveryStatus } from "@/prisma/client/enums";

/**
 * The transitions of a delivery. A failed one will be attempted again, and an exhausted one had its last attempt. A
 * success is true whatever was decided while it was under way. Only a person's resend leads back to `pending`.
 */
export const deliveryTransitions = {
  deliver: { from: ["pending", "failed", "exhausted", "delivered"], to: "delivered" },
  fail: { from: ["pending", "failed"], to: "failed" },
  exhaust: { from: ["pending", "failed"], to: "exhausted" },
  resend: { from: ["pending", "failed", "exhausted", "delivered"], to: "pending" },
} as const satisfies Transitions<DeliveryStatus>;

/** The statuses of deliveries that will still be attempted. */
export const openDeliveries: readonly DeliveryStatus[] = deliveryTransitions.fail.from;

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
