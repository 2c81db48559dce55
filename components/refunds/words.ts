import type { RefundBody, RejectBody } from "@/lib/refunds/schema";

type Keys<W extends string> = readonly W[];

/** Why a refund is asked for, and why one is refused, as the forms offer it. The schema's own lists would load zod. */
export const reasons = Object.keys({
  ...{ buyer_withdrawal: 1, product_not_delivered: 1, product_defective: 1, duplicate_charge: 1, fraud: 1, other: 1 },
} satisfies Record<RefundBody["reason"], 1>) as Keys<RefundBody["reason"]>;

export const categories = Object.keys({
  ...{ insufficient_documentation: 1, outside_policy: 1, already_refunded: 1, suspected_fraud: 1, other: 1 },
} satisfies Record<RejectBody["category"], 1>) as Keys<RejectBody["category"]>;
