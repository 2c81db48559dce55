"use client";
import { useTranslations } from "use-intl";
import { documentNumber } from "@/components/format";
import { List } from "@/components/list/list";
import { Table } from "@/components/list/table";
import { StatusTabs } from "@/components/list/tabs";
import { Toolbar } from "@/components/list/toolbar";
import { useList } from "@/components/list/use-list";
import { type SellerAccount, sellers } from "@/components/operator/queries";
import { SellerStatusWord } from "@/components/operator/status";
import { PageLink } from "@/components/ui/page-link";
import { Time } from "@/components/ui/time";

const statuses = ["pending", "approved", "suspended"] as const;

/** Sellers' accounts, newest first. */
export function Sellers() {
  const t = useTranslations("operator");
  const { result, list } = useList(sellers, null);
  return (
    <List
      result={result}
      list={list}
      title={t("accounts")}
      purpose={t("purpose")}
      empty={t("empty")}
      place={({ data, meta }) =>
        t(meta.total_is_exact ? "shown" : "shownOfMore", { shown: data.length, total: meta.total })
      }
      nothing={t(list.filters.search ? "nothingFound" : "empty")}
      tools={
        <>
          <StatusTabs
            list={list}
            label={t("statuses")}
            statuses={statuses}
            counts={result.data?.meta.counts}
            areLeast="counted"
            name={(tab) => t(`tabs.${tab}`)}
          />
          <Toolbar list={list} label={t("search")} hint={t("searchHint")} />
        </>
      }
    >
      {(rows) => <SellersTable rows={rows} />}
    </List>
  );
}

function SellersTable({ rows }: { rows: SellerAccount[] }) {
  const t = useTranslations("operator");
  return (
    <Table
      caption={t("accounts")}
      rows={rows}
      keyOf={(row) => row.id}
      columns={[
        {
          head: t("columns.seller"),
          place: "title",
          cell: ({ id, name, email }) => (
            <PageLink
              href={`/operator/accounts/${id}`}
              className="block truncate font-medium after:absolute after:inset-0"
            >
              {name} <span className="font-normal text-muted">· {email}</span>
            </PageLink>
          ),
        },
        {
          head: t("columns.document"),
          place: "bottomLeft",
          className: "whitespace-nowrap text-muted",
          cell: (row) => documentNumber(row.document),
        },
        { head: t("columns.state"), place: "topRight", cell: (row) => <SellerStatusWord status={row.status} /> },
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
