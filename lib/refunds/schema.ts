import { z } from "zod";
import { CursorMeta, CursorQuery, PageQuery, pageOf } from "@/lib/lists/pagination";
import { period } from "@/lib/lists/period";
import { time } from "@/lib/time/schema";
import { Amount } from "@/lib/typed/amount";
import { Mode, RefundReason, RefundStatus, RejectionCategory, SubscriptionEnd } from "@/prisma/client/enums";

export const reasonLabels = {
  buyer_withdrawal: "Arrependimento do comprador",
  product_not_delivered: "Produto não entregue",
  product_defective: "Produto com defeito",
  duplicate_charge: "Cobrança em duplicidade",
  fraud: "Fraude",
  other: "Outro motivo",
} as const satisfies Record<RefundReason, string>;

export const rejectionLabels = {
  insufficient_documentation: "Documentação insuficiente",
  outside_policy: "Fora da política de estornos",
  already_refunded: "Já estornado",
  suspected_fraud: "Suspeita de fraude",
  other: "Outro motivo",
} as const satisfies Record<RejectionCategory, string>;

const details = z.string().trim().max(2_000);

/** POST /transaction/{reference_id}/refund. `amount` becomes cents; without it, all that is left of the sale. */
export const RefundBody = z.object({
  reason: z.enum(RefundReason, { error: "Informe o motivo do estorno." }),
  reason_details: details.nullish().transform((text) => text || null),
  amount: Amount.nullish(),
  cancel_subscription: z.enum(SubscriptionEnd).nullish(),
});
export type RefundBody = z.output<typeof RefundBody>;
/** The same as it is sent. */
export type RefundBodySent = z.input<typeof RefundBody>;

/** Why the operator's staff refuses a refund. */
export const RejectBody = z.object({
  category: z.enum(RejectionCategory, { error: "Escolha por que o pedido é recusado." }),
  reason: z.string().trim().min(1, "Escreva ao vendedor por que o pedido é recusado.").max(2_000),
});
export type RejectBody = z.output<typeof RejectBody>;

/** The same by the operator's staff, for a seller, who reads the details. */
export const RefundForSeller = RefundBody.extend({
  reason_details: details.min(1, "Escreva ao vendedor por que a operação pede este estorno."),
});
export type RefundForSeller = z.output<typeof RefundForSeller>;

const amount = z.string().meta({ description: "Reais, two decimals", example: "19.99" });
const text = z.string().nullable();
const timeOrNull = time.nullable();

export const Refund = z.object({
  code: z.string().meta({ example: "rfd_0199c0de000070008000000000000000" }),
  status: z.enum(RefundStatus),
  status_label: z.string(),
  amount,
  fee: amount,
  total: amount,
  reason: z.enum(RefundReason),
  reason_label: z.string(),
  reason_details: text,
  rejection_category: z.enum(RejectionCategory).nullable(),
  rejection_category_label: text,
  rejection_reason: text,
  provider_receipt: z.record(z.string(), z.unknown()).nullable(),
  executed_at: timeOrNull,
  requested_at: time,
  approved_at: timeOrNull,
  rejected_at: timeOrNull,
  completed_at: timeOrNull,
  cancelled_at: timeOrNull,
  transaction: z.object({
    reference_id: z.uuid(),
    end_to_end_id: text,
    amount,
    paid_at: timeOrNull,
    method: z.string(),
    fees: amount,
    product: z.object({ name: text }),
    client: z.object({ name: text, email: text, document: text, phone: text }),
  }),
  /** What happened to it, the oldest first. */
  events: z.array(
    z.object({
      event: z.string(),
      actor_type: z.enum(["partner", "admin", "system"]),
      payload: z.record(z.string(), z.string()),
      occurred_at: time,
    }),
  ),
});
export type Refund = z.output<typeof Refund>;

export const RefundAnswer = z.object({ data: Refund });

/** A refund as the dashboard shows it, with what each recipient gives back and when the subscription of its sale ends. */
export const RefundDetail = Refund.extend({
  cancel_subscription: z.enum(SubscriptionEnd).nullable(),
  shares: z.array(z.object({ name: z.string(), amount, is_held: z.boolean() })),
});
export type RefundDetail = z.output<typeof RefundDetail>;

export const RefundQuery = CursorQuery.extend({
  /** `open` is every one that has not ended. */
  status: z.enum([...Object.values(RefundStatus), "open"]).optional(),
  ...period,
  reference_id: z.uuid().optional().meta({ description: "Only refunds of this sale" }),
});
export type RefundQuery = z.output<typeof RefundQuery>;

export const RefundPage = z.object({ data: z.array(Refund), meta: CursorMeta });
export type RefundPage = z.output<typeof RefundPage>;

/** GET /api/operator/v1/refunds: what the staff has to review, the longest waiting first. */
export const ReviewQuery = PageQuery.extend({ mode: z.enum(Mode).default("live") });
export type ReviewQuery = z.output<typeof ReviewQuery>;

/** A refund for the operator's staff, with whose it is. */
export const Review = z.object({
  refund: Refund,
  account: z.object({ id: z.uuid(), name: z.string(), mode: z.enum(Mode) }),
});
export type Review = z.output<typeof Review>;
export const ReviewPage = pageOf(Review);
