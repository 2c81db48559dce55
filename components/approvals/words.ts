"use client";
import { useTranslations } from "use-intl";
import { useNumbers } from "@/components/format";
import type { Approval } from "@/lib/approvals/schema";
import type { RefundBody } from "@/lib/refunds/schema";
import type { Member } from "@/lib/team/schema";

type AskedRefund = {
  amount: number;
  reason: RefundBody["reason"];
  reason_details?: string | null;
  cancel_subscription?: "now" | "period_end" | null;
};

/** What is asked for and what approving it does, in words; of a refund also its sale, reason and what its subscription does. */
export function useAsked({ kind, asked, subject_id, subject_name }: Approval) {
  const t = useTranslations("approvals");
  const roles = useTranslations("roles");
  const reasons = useTranslations("refunds.reasons");
  const scopeWords = useTranslations("scopes");
  const { money } = useNumbers();
  const name = subject_name ?? "";
  if (kind === "refund") {
    const { amount, reason, reason_details, cancel_subscription } = asked as AskedRefund;
    const values = { amount: money(amount) };
    return {
      ...{ title: t("refund", values), effect: t("effect.refund", values), sale: subject_id, scopes: null },
      ...{ reason: [reasons(reason), reason_details].filter(Boolean).join(": "), end: cancel_subscription ?? null },
    };
  }
  const none = { sale: null, reason: null, end: null };
  if (kind === "credential_scopes") {
    const scopes = asked.scopes as string[];
    const words = scopes.map((scope) => scopeWords(scope as "refunds:write")).join(", ");
    return { title: t(kind, { name }), effect: t(`effect.${kind}`, { scopes: words }), scopes, ...none };
  }
  const role = asked.role as Member["role"] | null;
  const change = role === null ? "removal" : "demotion";
  const values = { name, role: role === null ? "" : roles(role) };
  return { title: t(change, values), effect: t(`effect.${change}`, values), scopes: null, ...none };
}
