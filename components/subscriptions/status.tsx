"use client";
import { useTranslations } from "use-intl";
import { useDates } from "@/components/format";
import { Status, type Tone } from "@/components/ui/status";
import type { SubscriptionItem } from "@/lib/subscriptions/schema";

export type SubscriptionStatus = SubscriptionItem["status"];

const tones: Record<SubscriptionStatus, Tone> = {
  pending_first_payment: "info",
  active: "good",
  overdue: "warn",
  suspended: "bad",
  cancelled: "muted",
};

type Props = { status: SubscriptionStatus; paused_at?: string | null; ends_at?: string | null };

/** A subscription's status as a dot and a word. One that a person has paused, or that was asked to end, says so. */
export function SubscriptionStatusWord({ status, paused_at, ends_at }: Props) {
  const t = useTranslations("subscriptions.status");
  const { lastDay } = useDates();
  if (status === "suspended" && paused_at) return <Status tone="muted">{t("paused")}</Status>;
  if (status === "active" && ends_at) return <Status tone="warn">{t("until", { day: lastDay(ends_at) })}</Status>;
  return <Status tone={tones[status]}>{t(status)}</Status>;
}
