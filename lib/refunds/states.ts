import type { ErrorCode } from "@/lib/errors";
import type { Transitions } from "@/lib/states";
import type { RefundStatus, TransactionStatus } from "@/prisma/client/enums";

/** The transitions of a refund. It is reviewed by the operator's staff, then the rail pays it back. */
export const refundTransitions = {
  approve: { from: ["pending"], to: "approved" },
  reject: { from: ["pending"], to: "rejected" },
  cancel: { from: ["pending"], to: "cancelled" },
  /** By a dispute of its sale, which can stop what its rail was not asked for yet. */
  stop: { from: ["pending", "approved"], to: "cancelled" },
  process: { from: ["approved"], to: "processing" },
  complete: { from: ["processing"], to: "completed" },
  fail: { from: ["processing"], to: "failed" },
  /** It was made after all, although its rail had said that it would not. */
  complete_late: { from: ["failed"], to: "completed" },
} as const satisfies Transitions<RefundStatus>;

export type RefundTransition = keyof typeof refundTransitions;

/** Why a sale in each status is not refunded; null where a refund of it may be asked for. */
export const saleRefusals = {
  completed: null,
  disputed: "refund_sale_disputed",
  pending: "refund_not_eligible",
  expired: "refund_not_eligible",
  refused: "refund_not_eligible",
  failed: "refund_not_eligible",
  refunded: "refund_not_eligible",
  chargedback: "refund_not_eligible",
} as const satisfies Record<TransactionStatus, ErrorCode | null>;

export const refundStatusLabels = {
  pending: "Em análise",
  approved: "Aprovado",
  processing: "Em processamento",
  completed: "Concluído",
  rejected: "Recusado",
  failed: "Não concluído",
  cancelled: "Cancelado",
} as const satisfies Record<RefundStatus, string>;
