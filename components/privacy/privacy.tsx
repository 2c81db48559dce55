"use client";
import { useTranslations } from "use-intl";
import { useMay } from "@/components/account";
import { CustomerData } from "@/components/privacy/customer-data";
import { type RetentionRule, RetentionTable } from "@/components/privacy/retention";
import { SettingsHead } from "@/components/settings/tabs";
import { Section } from "@/components/ui/page";

/** What is kept of customers and for how long, and for who may ask, what is kept of one of them. */
export function PrivacyPage(props: { rules: readonly RetentionRule[]; years: number }) {
  const t = useTranslations("retention");
  return (
    <>
      <SettingsHead />
      <div className="grid gap-8">
        {useMay("account:write") && <CustomerData />}
        <Section title={t("title")}>
          <p className="mb-2 max-w-[64ch] text-muted">{t("purpose")}</p>
          <RetentionTable {...props} />
        </Section>
      </div>
    </>
  );
}
