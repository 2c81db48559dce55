"use client";
import { useTranslations } from "use-intl";
import { useMay } from "@/components/account";
import { CustomerData } from "@/components/privacy/customer-data";
import { type RetentionRule, RetentionTable } from "@/components/privacy/retention";
import { PageHead, Section } from "@/components/ui/page";

/** What is kept of customers and for how long, and for who may ask, what is kept of one of them. */
export function PrivacyPage(props: { rules: readonly RetentionRule[]; years: number }) {
  const t = useTranslations("retention");
  const nav = useTranslations("nav");
  return (
    <>
      <PageHead title={nav("privacy")} />
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
