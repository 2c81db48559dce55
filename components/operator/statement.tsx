"use client";
import { useParams } from "next/navigation";
import { useTranslations } from "use-intl";
import { List, type ListProps } from "@/components/list/list";
import { Back } from "@/components/operator/back";
import { lineLink, type StatementFilters, useStatementList } from "@/components/statement/days";
import { PageLink } from "@/components/ui/page-link";
import type { SellersStatement as Page } from "@/lib/dashboard/schema";
import type { StatementLine } from "@/lib/statement/schema";

/** A seller's statement, as the seller reads it. */
export function SellersStatement({ source }: ListProps<Page, StatementFilters>) {
  const t = useTranslations("statement");
  const { id } = useParams<{ id: string }>();
  const shown = useStatementList(source, null, (record, name) => {
    const href = pathOf(id, record);
    return href === null ? null : (
      <PageLink href={href} className={lineLink}>
        {name}
      </PageLink>
    );
  });
  const whose = shown.result.data?.meta.account;
  return (
    <>
      {whose?.mode !== "sandbox" && <Back href={`/operator/accounts/${id}`}>{t("account")}</Back>}
      <List
        {...shown}
        title={whose ? t("of", { name: whose.name }) : t("title")}
        purpose={t("staffPurpose")}
        empty={t("staffEmpty")}
      />
    </>
  );
}

/** Where the console shows a line's record. */
function pathOf(account: string, record: StatementLine["record"]): string | null {
  if (record?.subject === "transaction") return `/operator/accounts/${account}/transactions/${record.id}`;
  return record?.subject === "refund" ? `/operator/refunds/${account}/${record.id}` : null;
}
