import type { Transitions } from "@/lib/states";
import type { RefundStatus } from "@/prisma/client/enums";

/** The transitions of a refund. It is reviewed by the operator's staff, then the rail pays it back. */
export const refundTransitions = {
  approve: { from: ["pending"], to: "approved" },
  reject: { from: ["pending"], to: "rejected" },
  cancel: { from: ["pending"], to: "cancelled" },
  process: { from: ["approved"], to: "processing" },
  complete: { from: ["processing"], to: "completed" },
  fail: { from: ["processing"], to: "failed" },
} as const satisfies Transitions<RefundStatus>;

export type RefundTransition = keyof typeof refundTransitions;

/** The statuses of a refund that has not ended, of which a sale has one at most. */
export const openRefunds = ["pending", "approved", "processing"] as const satisfies readonly RefundStatus[];

/** The statuses of a refund that ended without money moving, which gave back what it held. */
export const releasedRefunds = ["rejected", "cancelled", "failed"] as const satisfies readonly RefundStatus[];

export const refundStatusLabels = {
  pending: "Em análise",
  approved: "Aprovado",
  processing: "Em processamento",
  completed: "Concluído",
  rejected: "Recusado",
  failed: "Não concluído",
  cancelled: "Cancelado",
} as const satisfies Record<RefundStatus, string>;
