import type { States } from "@/lib/states";
import type { TransactionStatus } from "@/prisma/client/enums";

/** Deposits and card charges (domain.md section 2). An expired deposit that is paid after all still counts. */
export const transactionStates = {
  pending: ["completed", "refused", "expired", "failed"],
  completed: ["disputed", "refunded", "chargedback"],
  disputed: ["completed", "refunded", "chargedback"],
  expired: ["completed"],
  refused: [],
  failed: [],
  refunded: [],
  chargedback: [],
} as const satisfies States<TransactionStatus>;

/** V1's words (operations.md section 2). */
export const statusV1 = {
  pending: "pending",
  completed: "completed",
  refused: "failed",
  expired: "failed",
  failed: "failed",
  disputed: "med",
  refunded: "refunded",
  chargedback: "refunded",
} as const satisfies Record<TransactionStatus, string>;

/** V2's words: an open dispute is still a completed sale there. */
export const statusV2 = {
  pending: "pending",
  completed: "completed",
  refused: "refused",
  expired: "expired",
  failed: "failed",
  disputed: "completed",
  refunded: "refunded",
  chargedback: "chargedback",
} as const satisfies Record<TransactionStatus, string>;

/** The old API's words (operations.md section 9). */
export const statusLegacy = {
  pending: "WAITING_FOR_APPROVAL",
  completed: "PAID_OUT",
  refused: "CANCELLED",
  expired: "EXPIRED",
  failed: "CANCELLED",
  disputed: "PAID_OUT",
  refunded: "REFUNDED",
  chargedback: "REFUNDED",
} as const satisfies Record<TransactionStatus, string>;
