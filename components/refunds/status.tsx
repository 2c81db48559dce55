"use client";
import { useTranslations } from "use-intl";
import { Status, type Tone } from "@/components/ui/status";
import type { Refund } from "@/lib/refunds/schema";

export type RefundStatus = Refund["status"];

const tones: Record<RefundStatus, Tone> = {
  pending: "info",
  approved: "info",
  processing: "info",
  completed: "good",
  rejected: "bad",
  failed: "bad",
  cancelled: "muted",
};

export function RefundStatusWord({ status }: { status: RefundStatus }) {
  const t = useTranslations("refunds");
  return <Status tone={tones[status]}>{t(`status.${status}`)}</Status>;
}
