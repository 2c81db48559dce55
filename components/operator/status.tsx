"use client";
import { useTranslations } from "use-intl";
import type { SellerStatus } from "@/components/operator/queries";
import { Status, type Tone } from "@/components/ui/status";

const tones: Record<SellerStatus, Tone> = { pending: "warn", approved: "good", suspended: "bad", closed: "muted" };

export function SellerStatusWord({ status }: { status: SellerStatus }) {
  const t = useTranslations("operator");
  return <Status tone={tones[status]}>{t(`status.${status}`)}</Status>;
}
