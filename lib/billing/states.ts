import type { Transitions } from "@/lib/states";
import type { CycleStatus, MandateStatus, SubscriptionStatus } from "@/prisma/client/enums";

/** The transitions of a subscription (domain.md section 2). */
export const subscriptionTransitions = {
  pay: { from: ["pending_first_payment", "active", "overdue", "suspended"], to: "active" },
  fallOverdue: { from: ["active"], to: "overdue" },
  suspend: { from: ["overdue"], to: "suspended" },
  pause: { from: ["active", "overdue"], to: "suspended" },
  resume: { from: ["suspended"], to: "active" },
  cancel: { from: ["pending_first_payment", "active", "overdue", "suspended"], to: "cancelled" },
} as const satisfies Transitions<SubscriptionStatus>;

/** The transitions of a cycle. An expired one can still be paid, late, or be asked for again; or its payment comes too late. */
export const cycleTransitions = {
  pay: { from: ["pending", "expired"], to: "paid" },
  expire: { from: ["pending", "expired"], to: "expired" },
  reopen: { from: ["pending", "expired"], to: "pending" },
  fail: { from: ["pending", "expired"], to: "failed" },
  refund: { from: ["paid"], to: "refunded" },
} as const satisfies Transitions<CycleStatus>;

/** The transitions of a mandate, as the rail makes them. */
export const mandateTransitions = {
  approve: { from: ["created"], to: "approved" },
  reject: { from: ["created", "approved"], to: "rejected" },
  expire: { from: ["created", "approved"], to: "expired" },
  cancel: { from: ["created", "approved"], to: "cancelled" },
} as const satisfies Transitions<MandateStatus>;

/** The statuses of mandates that can still change. */
export const openMandates: readonly MandateStatus[] = mandateTransitions.cancel.from;

/** The statuses of subscriptions that can still be charged. */
export const living: SubscriptionStatus[] = [...subscriptionTransitions.cancel.from];

/** What decides which actions are allowed. */
export type Standing = {
  status: SubscriptionStatus;
  isPaused: boolean;
  /** Whether something is owed that can be paid or asked for again. */
  isOwing: boolean;
  isByCard: boolean;
  /** Whether it was asked to end with what is paid of it. */
  isEnding: boolean;
};

/** What a person may ask for, and of which subscriptions. The API's `allowed_actions` and the buttons come from here. */
export const actions = {
  cancel: ({ status }) => living.includes(status),
  pause: ({ status, isEnding }) => (status === "active" && !isEnding) || status === "overdue",
  reactivate: ({ status, isPaused }) => status === "suspended" && isPaused,
  // A first charge by card is pending only while its answer is awaited, and is not to be paid a second time meanwhile.
  resend_charge: ({ status, isPaused, isOwing, isByCard }) =>
    isOwing &&
    !isPaused &&
    (status === "overdue" || status === "suspended" || (status === "pending_first_payment" && !isByCard)),
  change_plan: ({ status, isOwing, isEnding }) => status === "active" && !isOwing && !isEnding,
  replace_card: ({ status, isByCard }) => isByCard && living.includes(status) && status !== "pending_first_payment",
} as const satisfies Record<string, (standing: Standing) => boolean>;

export type Action = keyof typeof actions;

export const allActions = Object.keys(actions) as [Action, ...Action[]];

export const allowedActions = (standing: Standing): Action[] => allActions.filter((name) => actions[name](standing));
