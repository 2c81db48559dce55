import type { States } from "@/lib/states";
import type { PaymentLinkStatus } from "@/prisma/client/enums";

/** Every status of a payment link, and those it may move to. */
export const paymentLinkStates: States<PaymentLinkStatus> = {
  active: ["inactive"],
  inactive: ["active"],
};
