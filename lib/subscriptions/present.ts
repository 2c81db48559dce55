import { type ChargeRow, presentMandate } from "@/lib/billing/event-record";
import { isByCard, type LoadedSubscription, nextChargeAt, type Offer } from "@/lib/billing/subscription";
import { decimal } from "@/lib/money";
import { allowedActions, type Standing } from "@/lib/subscriptions/actions";
import type { Charge, Subscription, SubscriptionItem } from "@/lib/subscriptions/schema";
import { iso, isoOrNull } from "@/lib/time/clock";

/** What a subscription is presented from: its row, what it owes, and its plans. */
export type Shown = Pick<LoadedSubscription, "subscription" | "cycle" | "mandate" | "offer" | "newOffer"> & {
  account: Pick<LoadedSubscription["account"], "timeZone">;
};

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
  isByCard: isByCard({ offer }),
  isEnding: subscription.endsAt !== null,
});

export const presentOffer = ({ plan, terms }: Offer): SubscriptionItem["plan"] => ({
  token: plan.id,
  name: plan.name,
  amount: decimal(terms.amount),
  periodicity_days: terms.periodicityDays,
  billing_method: terms.billingMethod,
  product: plan.productId && plan.product ? { reference_id: plan.productId, name: plan.product } : null,
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
