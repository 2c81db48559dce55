"use client";
import { useTranslations } from "use-intl";
import type { SaleStatus } from "@/components/transactions/queries";
import { Status, type Tone } from "@/components/ui/status";

const tones: Record<SaleStatus, Tone> = {
  pending: "info",
  completed: "good",
  refused: "bad",
  expired: "muted",
  failed: "bad",
  refunded: "muted",
  chargedback: "bad",
  disputed: "warn",
};

export function SaleStatusWord({ status }: { status: SaleStatus }) {
  const t = useTranslations("status");
  return <Status tone={tones[status]}>{t(status)}</Status>;
}
