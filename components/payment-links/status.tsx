"use client";
import { useTranslations } from "use-intl";
import { Status } from "@/components/ui/status";
import type { PaymentLink } from "@/lib/payment-links/schema";

/** Whether a link can be paid, as a dot and a word. An active one that has ended says so. */
export function LinkStatus({ link: { status, accepts_payments: isOpen } }: { link: PaymentLink }) {
  const t = useTranslations("paymentLinks");
  if (status === "inactive") return <Status tone="warn">{t("status.inactive")}</Status>;
  return <Status tone={isOpen ? "good" : "muted"}>{t(isOpen ? "status.active" : "status.ended")}</Status>;
}
