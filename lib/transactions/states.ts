import type { TransactionMethod, TransactionStatus } from "@/prisma/client/enums";

type Life = { method: TransactionMethod; status: TransactionStatus };
type Change = { from: readonly TransactionStatus[]; to: TransactionStatus; method?: TransactionMethod };

/**
 * Everything that can happen to a sale (domain.md section 2); one with a `method` happens to no other sale. An expired
 * deposit that is paid after all still counts.
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
} as const satisfies Record<string, Change>;

export type Transition = keyof typeof transitions;

/** Whether a transition may happen to a sale as it is now. */
export function mayMove(transition: Transition, { method, status }: Life): boolean {
  const { from, method: only }: Change = transitions[transition];
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

/** The money came, whatever became of it later. */
export const paid: readonly TransactionStatus[] = ["completed", "disputed", "refunded", "chargedback"];

/** SQL: a list of statuses for `status in …`. */
export const inSql = (some: readonly TransactionStatus[]) => `(${some.map((status) => `'${status}'`).join(", ")})`;

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

/** The list's words for what a sale is. */
export const typeOf = { pix: "cash_in", card: "card" } as const satisfies Record<TransactionMethod, string>;

/** V2's words for how a sale is paid: those of a plan's `billing_method`, and of the path that charges a card. */
export const methodV2 = { pix: "pix", card: "credit_card" } as const satisfies Record<TransactionMethod, string>;
