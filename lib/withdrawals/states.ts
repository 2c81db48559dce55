import type { Transitions } from "@/lib/states";
import type { WithdrawalStatus } from "@/prisma/client/enums";

/**
 * The transitions of a withdrawal. `send` is written before the rail is asked, so that nobody cancels what may be on its
 * way. The money of one that was given up can still arrive, which is `pay_late`.
 */
export const withdrawalTransitions = {
  approve: { from: ["awaiting_approval"], to: "requested" },
  reject: { from: ["awaiting_approval"], to: "cancelled" },
  lapse: { from: ["awaiting_approval"], to: "lapsed" },
  cancel: { from: ["awaiting_approval", "requested"], to: "cancelled" },
  send: { from: ["requested"], to: "sending" },
  accept: { from: ["sending"], to: "accepted" },
  pay: { from: ["sending", "accepted"], to: "paid" },
  fail: { from: ["sending", "accepted"], to: "failed" },
  pay_late: { from: ["failed"], to: "paid" },
  return: { from: ["paid"], to: "returned" },
} as const satisfies Transitions<WithdrawalStatus>;

export type WithdrawalTransition = keyof typeof withdrawalTransitions;

/** The statuses of a withdrawal that has not ended, whose amount and fee are held. */
export const openWithdrawals = [
  "awaiting_approval",
  "requested",
  "sending",
  "accepted",
] as const satisfies readonly WithdrawalStatus[];

/** The statuses of a withdrawal whose money never left, or never arrived: what it held is available again. */
export const releasedWithdrawals = ["failed", "cancelled", "lapsed"] as const satisfies readonly WithdrawalStatus[];

/** V1's words, and those of the cash contract. */
export const withdrawalStatusV1 = {
  awaiting_approval: "pending",
  requested: "pending",
  sending: "pending",
  accepted: "pending",
  paid: "completed",
  failed: "failed",
  cancelled: "failed",
  lapsed: "failed",
  returned: "failed",
} as const satisfies Record<WithdrawalStatus, string>;

/** The old API's words. */
export const withdrawalStatusLegacy = {
  awaiting_approval: "WAITING_FOR_APPROVAL",
  requested: "WAITING_FOR_APPROVAL",
  sending: "WAITING_FOR_APPROVAL",
  accepted: "WAITING_FOR_APPROVAL",
  paid: "PAID_OUT",
  failed: "CANCELLED",
  cancelled: "CANCELLED",
  lapsed: "CANCELLED",
  returned: "REFUNDED",
} as const satisfies Record<WithdrawalStatus, string>;

/** What a seller may do with a withdrawal. */
export const withdrawalActions = ["approve", "reject", "cancel"] as const satisfies readonly WithdrawalTransition[];
export type WithdrawalAction = (typeof withdrawalActions)[number];

/** What a seller may do with a withdrawal in this status. */
export const actionsOn = (status: WithdrawalStatus): WithdrawalAction[] =>
  withdrawalActions.filter((name) => withdrawalTransitions[name].from.some((one) => one === status));

export const withdrawalStatusLabels = {
  awaiting_approval: "Aguardando aprovação",
  requested: "Na fila",
  sending: "Enviando",
  accepted: "Em processamento",
  paid: "Concluído",
  failed: "Não concluído",
  cancelled: "Cancelado",
  lapsed: "Expirado",
  returned: "Devolvido",
} as const satisfies Record<WithdrawalStatus, string>;
