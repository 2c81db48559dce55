import type { States } from "@/lib/states";
import type { TransactionMethod, TransactionStatus } from "@/prisma/client/enums";

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

/** V2's words for how a sale is paid: those of a plan's `billing_method`, and of the path that charges a card. */
export const methodV2 = { pix: "pix", card: "credit_card" } as const satisfies Record<TransactionMethod, string>;
