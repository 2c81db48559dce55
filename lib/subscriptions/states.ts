import { before, type States } from "@/lib/states";
import type { CycleStatus, SubscriptionStatus } from "@/prisma/client/enums";

/** Every status of a subscription, and those it may move to (domain.md section 2). */
export const subscriptionStates: States<SubscriptionStatus> = {
  pending_first_payment: ["active", "cancelled"],
  active: ["overdue", "suspended", "cancelled"],
  overdue: ["active", "suspended", "cancelled"],
  suspended: ["active", "cancelled"],
  cancelled: [],
};

/** Every status of a cycle. An expired one can still be paid, late, or be asked for again; or its payment comes too late. */
export const cycleStates: States<CycleStatus> = {
  pending: ["paid", "expired", "failed"],
  expired: ["paid", "pending", "failed"],
  failed: [],
  paid: ["refunded"],
  refunded: [],
};

export const statuses = Object.keys(subscriptionStates) as [SubscriptionStatus, ...SubscriptionStatus[]];

/** The statuses of subscriptions that can still be charged. */
export const living = before(subscriptionStates, "cancelled");

/** What decides which actions are allowed. */
export type Standing = {
  status: SubscriptionStatus;
  isPaused: boolean;
  /** Whether something is owed that can be paid or asked for again. */
  isOwing: boolean;
  isByCard: boolean;
};

/** What a person may ask for, and of which subscriptions. The API's `allowed_actions` and the buttons come from here. */
export const actions = {
  cancel: ({ status }) => living.includes(status),
  pause: ({ status }) => status === "active" || status === "overdue",
  reactivate: ({ status, isPaused }) => status === "suspended" && isPaused,
  resend_charge: ({ status, isPaused, isOwing }) =>
    isOwing && !isPaused && (status === "pending_first_payment" || status === "overdue" || status === "suspended"),
  change_plan: ({ status, isOwing }) => status === "active" && !isOwing,
  replace_card: ({ status, isByCard }) => isByCard && living.includes(status) && status !== "pending_first_payment",
} as const satisfies Record<string, (standing: Standing) => boolean>;

export type Action = keyof typeof actions;

export const allActions = Object.keys(actions) as [Action, ...Action[]];

export const allowedActions = (standing: Standing): Action[] => allActions.filter((name) => actions[name](standing));
