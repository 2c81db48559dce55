"use client";
import { ArrowLeft } from "lucide-react";
import { useTranslations } from "use-intl";
import { List, type ListProps } from "@/components/list/list";
import { useList } from "@/components/list/use-list";
import { covering, useSaleColumns } from "@/components/transactions/columns";
import { PageLink } from "@/components/ui/page-link";
import type { SellersSales as Page, SellersSalesQuery } from "@/lib/dashboard/schema";

/** A seller's sales, newest first, to find the one that its payer asks about. */
export function SellersSales({ source }: ListProps<Page, Exclude<keyof SellersSalesQuery, "per_page">>) {
  const t = useTranslations("sellersSales");
  const words = useTranslations("sales");
  const { result, list } = useList(source, null);
  const account = list.filters.account ?? "";
  const columns = useSaleColumns(({ reference_id: id }, name) => (
    <PageLink href={`/operator/transactions/${account}/${id}`} className={covering}>
      {name}
    </PageLink>
  ));
  const whose = result.data?.meta.account;
  return (
    <>
      {whose?.mode !== "sandbox" && (
        <PageLink
          href={`/operator/accounts/${account}`}
          className="mb-5 inline-flex items-center gap-2 text-muted hover:text-ink"
        >
          <ArrowLeft aria-hidden="true" className="size-4" />
          {t("account")}
        </PageLink>
      )}
      <List
        result={result}
        list={list}
        title={whose ? t("of", { name: whose.name }) : t("title")}
        purpose={t("purpose")}
        search={{ label: words("search"), hint: t("searchHint") }}
        empty={t("empty")}
        nothing={t("nothingFound")}
        shown={words}
        keyOf={({ reference_id }) => reference_id}
        columns={columns}
      />
    </>
  );
}
