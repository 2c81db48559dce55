import type { Transition } from "@/lib/states";
import type { TransactionMethod, TransactionStatus } from "@/prisma/client/enums";

type Life = { method: TransactionMethod; status: TransactionStatus };
type OfMethod = { method?: TransactionMethod };

/**
 * Every transition of a sale (domain.md section 2). One with a `method` is for sales of that method only. An expired
 * deposit can still be paid.
 */
export const transitions = {
  pay: { from: ["pending", "expired"], to: "completed" },
  refuse: { from: ["pending"], to: "refused" },
  expire: { from: ["pending"], to: "expired", method: "pix" },
  fail: { from: ["pending"], to: "failed" },
  dispute: { from: ["completed"], to: "disputed" },
  win: { from: ["disputed"], to: "completed" },
  refund: { from: ["completed", "disputed"], to: "refunded" },
  chargeback: { from: ["completed", "disputed"], to: "chargedback" },
} as const satisfies Record<string, Transition<TransactionStatus> & OfMethod>;

export type SaleTransition = keyof typeof transitions;

/** Whether a sale may make this transition now. */
export function mayMove(transition: SaleTransition, { method, status }: Life): boolean {
  const { from, method: only }: Transition<TransactionStatus> & OfMethod = transitions[transition];
  return from.includes(status) && (only === undefined || only === method);
}

/** Every status, in the order in which the interface lists them. */
export const statuses = [
  "pending",
  "completed",
  "disputed",
  "expired",
  "refused",
  "failed",
  "refunded",
  "chargedback",
] as const satisfies readonly TransactionStatus[];

/** The statuses of sales that were paid, whatever happened later. */
export const paid: readonly TransactionStatus[] = ["completed", "disputed", "refunded", "chargedback"];

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

/** V2's words, in which a sale with an open dispute is still completed. */
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

/** The list's words for the type of a sale. */
export const typeOf = { pix: "cash_in", card: "card" } as const satisfies Record<TransactionMethod, string>;

/** V2's words for the method of a sale, which a plan's `billing_method` and the path that charges a card have too. */
export const methodV2 = { pix: "pix", card: "credit_card" } as const satisfies Record<TransactionMethod, string>;
