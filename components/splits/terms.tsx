"use client";
import { useTranslations } from "use-intl";
import { useNumbers } from "@/components/format";
import type { Invite } from "@/lib/subscription-splits/schema";

/** The terms that an acceptance agrees to. Another text of them is another version in lib/subscription-splits/answer. */
export function Terms({ invite: { percentage, plan } }: { invite: Invite }) {
  const { percent } = useNumbers();
  const t = useTranslations("splits.terms");
  return (
    <ul className="grid list-disc gap-1.5 pl-4 marker:text-muted">
      <li>{t("net", { percentage: percent(percentage), plan: plan.name })}</li>
      <li>{t("later")}</li>
      <li>{t("end")}</li>
      <li>{t("kept")}</li>
    </ul>
  );
}
