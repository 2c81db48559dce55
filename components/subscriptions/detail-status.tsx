"use client";
import { useTranslations } from "use-intl";
import type { Charge, Subscription, SubscriptionStatus } from "@/components/subscriptions/detail-queries";
import { Status, type Tone } from "@/components/ui/status";

const tones: Record<SubscriptionStatus, Tone> = {
  pending_first_payment: "info",
  active: "good",
  overdue: "warn",
  suspended: "bad",
  cancelled: "muted",
};

/** A subscription's status. A paused one is suspended to the API, and paused to a person. */
export function StandingWord({ subscription: { status, paused_at } }: { subscription: Subscription }) {
  const t = useTranslations("subscriptions");
  if (status === "suspended" && paused_at) return <Status tone="muted">{t("detail.paused")}</Status>;
  return <Status tone={tones[status]}>{t(`status.${status}`)}</Status>;
}

const chargeTones: Record<Charge["status"], Tone> = {
  pending: "info",
  paid: "good",
  expired: "muted",
  failed: "bad",
  refunded: "muted",
};

export function ChargeWord({ status }: { status: Charge["status"] }) {
  const t = useTranslations("subscriptions.detail.chargeStatus");
  return <Status tone={chargeTones[status]}>{t(status)}</Status>;
}
