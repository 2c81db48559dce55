"use client";
import { useTranslations } from "use-intl";
import type { Charge } from "@/components/subscriptions/detail-queries";
import { Status, type Tone } from "@/components/ui/status";

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
