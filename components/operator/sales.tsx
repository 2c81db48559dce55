"use client";
import { useParams } from "next/navigation";
import { useTranslations } from "use-intl";
import { List, type ListProps } from "@/components/list/list";
import { covering } from "@/components/list/table";
import { useList } from "@/components/list/use-list";
import { Back } from "@/components/operator/back";
import { useSaleColumns } from "@/components/transactions/columns";
import { PageLink } from "@/components/ui/page-link";
import type { SellersSales as Page, SellersSalesQuery } from "@/lib/dashboard/schema";

/** A seller's sales, newest first, to find the one that its payer asks about. */
export function SellersSales({ source }: ListProps<Page, Exclude<keyof SellersSalesQuery, "per_page">>) {
  const t = useTranslations("sellersSales");
  const words = useTranslations("sales");
  const { result, list } = useList(source, null);
  const { id } = useParams<{ id: string }>();
  const columns = useSaleColumns(({ reference_id: sale }, name) => (
    <PageLink href={`/operator/accounts/${id}/transactions/${sale}`} className={covering}>
      {name}
    </PageLink>
  ));
  const whose = result.data?.meta.account;
  return (
    <>
      {whose?.mode !== "sandbox" && <Back href={`/operator/accounts/${id}`}>{t("account")}</Back>}
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
