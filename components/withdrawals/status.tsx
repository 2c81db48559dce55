"use client";
import { useTranslations } from "use-intl";
import { Status, type Tone } from "@/components/ui/status";
import type { Withdrawal } from "@/lib/withdrawals/schema";

const tones: Record<Withdrawal["status"], Tone> = {
  awaiting_approval: "warn",
  requested: "info",
  sending: "info",
  accepted: "info",
  paid: "good",
  failed: "bad",
  cancelled: "muted",
  lapsed: "muted",
  returned: "warn",
};

export function WithdrawalStatusWord({ status }: Pick<Withdrawal, "status">) {
  const t = useTranslations("withdrawals");
  return <Status tone={tones[status]}>{t(`status.${status}`)}</Status>;
}
