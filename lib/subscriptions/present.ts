import { decimal } from "@/lib/money";
import { dayOf, dueDayOf, startOf } from "@/lib/billing/calendar";
import { calendarOf, type LoadedSubscription, methodOf, type Offer } from "@/lib/billing/lock";
import type { Cycle } from "@/lib/billing/tables";
import type { Charge, Subscription, SubscriptionItem } from "@/lib/subscriptions/schema";
import { allowedActions, type Standing } from "@/lib/billing/states";
import { iso, isoOrNull } from "@/lib/time/clock";
import type { Mandate } from "@/prisma/client/client";

/** What a subscription is presented from: its row, what it owes, and its plans. */
export type Shown = Pick<LoadedSubscription, "subscription" | "cycle" | "mandate" | "offer" | "newOffer"> & {
  account: Pick<LoadedSubscription["account"], "timeZone">;
};

/** A charge as an event keeps it, from which its body is rendered at any time. Amount in cents. */
export type ChargeRow = Pick<Cycle, "number" | "kind" | "status"> & {
  amount: number;
  due_date: string;
  expires_at: string;
  paid_at: string | null;
  pix_code: string | null;
  identifier: string | null;
};

export const chargeRow = (cycle: Cycle, zone: string, pixCode: string | null): ChargeRow => ({
  ...{ number: cycle.number, kind: cycle.kind, status: cycle.status },
  ...{ amount: Number(cycle.amount), due_date: dayOf(cycle.dueAt, zone), expires_at: iso(cycle.expiresAt) },
  ...{ paid_at: isoOrNull(cycle.paidAt), pix_code: pixCode, identifier: cycle.codeId ?? cycle.transactionId },
});

/** The interface's charge. The picture of its code is made only where `qrCode` is given, because it is large. */
export const presentCharge = (row: ChargeRow, qrCode: string | null = null): Charge => ({
  cycle_number: row.number,
  kind: row.kind,
  amount: decimal(row.amount),
  status: row.status,
  due_date: row.due_date,
  expires_at: row.expires_at,
  paid_at: row.paid_at,
  payment: { pix_code: row.pix_code, qr_code: qrCode, identifier: row.identifier },
});

/** What decides which actions are allowed. */
export const standingOf = ({
  subscription,
  cycle,
  offer,
}: Pick<LoadedSubscription, "subscription" | "cycle" | "offer">): Standing => ({
  status: subscription.status,
  isPaused: subscription.pausedAt !== null,
  isOwing: cycle !== null,
  isByCard: methodOf({ offer }) === "credit_card",
  isEnding: subscription.endsAt !== null,
});

/**
 * When the day begins on which the next charge is due; null where none will be, or while nothing is known of it: what is
 * overdue was due, and what comes after it depends on its payment.
 */
export function nextChargeAt({
  subscription,
  cycle,
  offer,
  account,
}: Omit<Shown, "newOffer" | "mandate">): Date | null {
  const { status, endsAt, anchor, nextCycle } = subscription;
  if (status !== "active" && status !== "pending_first_payment") return null;
  if (cycle?.kind === "cycle") return cycle.dueAt;
  if (endsAt || !anchor) return null;
  return startOf(dueDayOf(calendarOf({ subscription, offer }), nextCycle), account.timeZone);
}

export const presentOffer = ({ plan, terms }: Offer): SubscriptionItem["plan"] => ({
  token: plan.id,
  name: plan.name,
  amount: decimal(terms.amount),
  periodicity_days: terms.periodicityDays,
  billing_method: terms.billingMethod,
  product: plan.productId && plan.product ? { reference_id: plan.productId, name: plan.product } : null,
});

export const presentMandate = ({ providerId, status, cancelledBy, createdAt }: Mandate) => ({
  ...{ id: providerId, status, cancelled_by: cancelledBy, created_at: iso(createdAt) },
});

export function presentItem(shown: Shown): SubscriptionItem {
  const { subscription: row, cycle, offer } = shown;
  return {
    token: row.id,
    status: row.status,
    subscriber_name: row.name,
    subscriber_email: row.email,
    subscriber_document: row.document,
    subscriber_phone: row.phone,
    started_at: isoOrNull(row.startedAt),
    next_charge_at: isoOrNull(nextChargeAt(shown)),
    overdue_since: isoOrNull(row.overdueSince),
    suspended_at: isoOrNull(row.suspendedAt),
    paused_at: isoOrNull(row.pausedAt),
    resumes_at: isoOrNull(row.resumesAt),
    ends_at: isoOrNull(row.endsAt),
    cancelled_at: isoOrNull(row.cancelledAt),
    retry_count: cycle?.retries ?? 0,
    amount_due: cycle && decimal(cycle.amount),
    allowed_actions: allowedActions(standingOf(shown)),
    plan: presentOffer(offer),
    mandate: shown.mandate && presentMandate(shown.mandate),
    created_at: iso(row.createdAt),
  };
}

export const presentSubscription = (shown: Shown, card: Subscription["card"], charges: Charge[]): Subscription => ({
  ...presentItem(shown),
  card,
  next_plan: shown.newOffer && presentOffer(shown.newOffer),
  paid_days_left: shown.subscription.paidDaysLeft,
  charges,
});
