import type { Transitions } from "@/lib/states";
import type { PaymentLinkStatus } from "@/prisma/client/enums";

/** The transitions of a payment link. */
export const paymentLinkTransitions = {
  activate: { from: ["inactive"], to: "active" },
  deactivate: { from: ["active"], to: "inactive" },
} as const satisfies Transitions<PaymentLinkStatus>;
