import type { Transitions } from "@/lib/states";
import type { CycleStatus, MandateStatus, SubscriptionStatus } from "@/prisma/client/enums";

/** The transitions of a subscription. */
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

/** The statuses of cycles that were paid, whatever happened later. */
export const paidCycles: readonly CycleStatus[] = ["paid", "refunded"];

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

/** What happens to subscriptions, their cycles and their mandates. */
export type SubscriptionEvent =
  | `subscription.${"created" | "activated" | "overdue" | "suspended" | "ending" | "cancelled" | "expired"}`
  | `subscription.${"reactivated" | "renewed" | "plan_changed"}`
  | `cycle.${"created" | "paid" | "failed" | "retried"}`
  | `mandate.${"activated" | "cancelled"}`;
