"use client";
import { useTranslations } from "use-intl";
import { useApi, useMay } from "@/components/account";
import { AuditList, type AuditProps, type LinkOf, recordLink } from "@/components/audit/list";
import { useMaySeeRefunds } from "@/components/refunds/may-see";
import { SettingsTabs } from "@/components/settings/tabs";
import { AccountLink } from "@/components/ui/link";

/** Who did what in the account, newest first. */
export function Audit({ source }: AuditProps) {
  const t = useTranslations("settings");
  const { account } = useApi();
  return (
    <AuditList
      source={source}
      account={account}
      title={t("title")}
      pages={<SettingsTabs />}
      linkOf={useSellersLinks()}
    />
  );
}

/** The link to the record's page, where this person may open it. */
function useSellersLinks(): LinkOf {
  const t = useTranslations("audit");
  const may = {
    transaction: useMay("transactions:read"),
    refund: useMaySeeRefunds(),
    withdrawal: useMay("withdrawals:read"),
    subscription: useMay("subscriptions:read"),
    payment_link: useMay("transactions:read"),
    product: useMay("plans:read"),
    webhook: useMay("webhooks:read"),
  };
  return ({ record }) => {
    if (!record || !Object.hasOwn(may, record.subject) || !may[record.subject as keyof typeof may]) return null;
    const page = { transaction: "transactions", refund: "refunds", withdrawal: "withdrawals" } as const;
    const others = { subscription: "subscriptions", payment_link: "payment-links", product: "products" } as const;
    const folder = { ...page, ...others, webhook: "webhooks" as const }[record.subject as keyof typeof may];
    return (
      <p>
        <AccountLink href={`/${folder}/${record.id}`} className={recordLink}>
          {t("open")}
        </AccountLink>
      </p>
    );
  };
}
