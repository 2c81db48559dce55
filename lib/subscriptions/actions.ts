import { living } from "@/lib/billing/states";
import type { SubscriptionStatus } from "@/prisma/client/enums";

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
