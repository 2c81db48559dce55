import { isMethodThat, methods } from "@/lib/methods/methods";
import { inSql, startsFromSql, type Transition } from "@/lib/states";
import type { TransactionMethod, TransactionStatus } from "@/prisma/client/enums";

type Life = { method: TransactionMethod; status: TransactionStatus };
/** Whether only sales that are paid by a code make a transition. */
type OfCode = { byCode?: true };

/**
 * Every transition of a sale. One that is `byCode` is for sales that are paid by a code, which expires with them; an
 * expired one can still be paid.
 */
export const transitions = {
  pay: { from: ["pending", "expired"], to: "completed" },
  refuse: { from: ["pending"], to: "refused" },
  expire: { from: ["pending"], to: "expired", byCode: true },
  fail: { from: ["pending"], to: "failed" },
  dispute: { from: ["completed"], to: "disputed" },
  win: { from: ["disputed"], to: "completed" },
  refund: { from: ["completed", "disputed"], to: "refunded" },
  chargeback: { from: ["completed", "disputed"], to: "chargedback" },
} as const satisfies Record<string, Transition<TransactionStatus> & OfCode>;

export type SaleTransition = keyof typeof transitions;

/** Whether a sale may make this transition now. */
export function mayMove(transition: SaleTransition, { method, status }: Life): boolean {
  const { from, byCode }: Transition<TransactionStatus> & OfCode = transitions[transition];
  return from.includes(status) && (!byCode || methods[method].byCode);
}

/** SQL: whether a sale is of a method that is paid by a code, and whether it is one whose money comes later. */
export const isByCode = (row?: string) => isMethodThat(({ byCode }) => byCode, row);
const settlesLater = (row?: string) => isMethodThat(({ settlementDays }) => settlementDays !== null, row);

/** SQL: whether a sale can expire. */
export const isExpiring = (row?: string) => `${startsFromSql(transitions.expire, row)} and ${isByCode(row)}`;

/** SQL: whether a sale was paid whose money is not available yet. */
export function isSettling(row?: string): string {
  const of = row === undefined ? "" : `${row}.`;
  return `${of}settled_at is null and ${of}status = 'completed' and ${settlesLater(row)}`;
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

/** SQL: whether a sale was paid, whatever happened later. */
export const isPaid = (row?: string) => `${row === undefined ? "" : `${row}.`}status in ${inSql(paid)}`;

type OfV1 = { status: TransactionStatus; lostAmount: number | bigint; method: TransactionMethod };

/** V1's word for a sale: a Pix that was lost in a dispute is called so for ever. */
export const wordOfV1 = ({ status, lostAmount, method }: OfV1) =>
  status === "refunded" && methods[method].lostBy === "refund" && Number(lostAmount) > 0 ? "med" : statusV1[status];

/** V1's words. */
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

/** The old API's words. */
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
