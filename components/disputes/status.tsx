"use client";
import { useTranslations } from "use-intl";
import { Status, type Tone } from "@/components/ui/status";
import type { Dispute } from "@/lib/disputes/schema";

const tones: Record<Dispute["status"], Tone> = { open: "warn", won: "good", lost: "bad", cancelled: "muted" };

export function DisputeStatusWord({ status }: Pick<Dispute, "status">) {
  const t = useTranslations("disputes");
  return <Status tone={tones[status]}>{t(`status.${status}`)}</Status>;
}
