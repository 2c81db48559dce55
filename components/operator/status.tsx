"use client";
import { useTranslations } from "use-intl";
import type { SellerStatus } from "@/components/operator/queries";
import { Status, type Tone } from "@/components/ui/status";

const tones: Record<SellerStatus, Tone> = { pending: "warn", approved: "good", suspended: "bad", closed: "muted" };

/** `isAsked`: whether its seller waits for the review, so that nothing is missing. */
export function SellerStatusWord({ status, isAsked = false }: { status: SellerStatus; isAsked?: boolean }) {
  const t = useTranslations("operator");
  return <Status tone={tones[status]}>{t(isAsked ? "status.underReview" : `status.${status}`)}</Status>;
}
