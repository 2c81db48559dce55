"use client";
import { useTranslations } from "use-intl";
import { documentNumber } from "@/components/format";
import { List, type ListProps } from "@/components/list/list";
import { covering } from "@/components/list/table";
import { useList } from "@/components/list/use-list";
import type { SellerPage } from "@/components/operator/queries";
import { SellerLink } from "@/components/operator/seller-link";
import { SellerStatusWord } from "@/components/operator/status";
import { Time } from "@/components/ui/time";
import type { AccountsQuery } from "@/lib/accounts/schema";

const statuses = ["pending", "approved", "suspended"] as const;

/** Sellers' accounts, newest first. */
export function Sellers({ source }: ListProps<SellerPage, keyof AccountsQuery>) {
  const t = useTranslations("operator");
  const { result, list } = useList(source, null);
  return (
    <List
      result={result}
      list={list}
      title={t("accounts")}
      purpose={t("purpose")}
      empty={t("empty")}
      nothing={t(list.filters.search ? "nothingFound" : "empty")}
      tabs={{ label: t("statuses"), statuses, name: (tab) => t(`tabs.${tab}`) }}
      search={{ label: t("search"), hint: t("searchHint") }}
      shown={t}
      keyOf={(row) => row.id}
      columns={[
        {
          head: t("columns.seller"),
          place: "title",
          cell: ({ id, name, email }) => (
            <SellerLink id={id} className={covering}>
              {name} <span className="font-normal text-muted">· {email}</span>
            </SellerLink>
          ),
        },
        {
          head: t("columns.document"),
          place: "bottomLeft",
          className: "whitespace-nowrap text-muted",
          cell: (row) => documentNumber(row.document),
        },
        {
          head: t("columns.state"),
          place: "topRight",
          cell: (row) => <SellerStatusWord status={row.status} isAsked={row.review_asked_at !== null} />,
        },
        {
          head: t("columns.features"),
          place: "wide",
          className: "text-muted",
          cell: ({ features }) => features.map((name) => t(`featureNames.${name}`)).join(", ") || t("noFeatures"),
        },
        {
          head: t("columns.since"),
          place: "bottomRight",
          className: "text-muted",
          cell: (row) => <Time at={row.created_at} />,
        },
      ]}
    />
  );
}
