"use client";
import { useTranslations } from "use-intl";
import { cents } from "@/components/format";
import { List, type ListProps } from "@/components/list/list";
import type { ListPage } from "@/components/list/source";
import { covering } from "@/components/list/table";
import { useList } from "@/components/list/use-list";
import { Age } from "@/components/operator/age";
import { ModeTabs } from "@/components/operator/mode-tabs";
import type { Review } from "@/components/operator/refund-queries";
import { Money } from "@/components/ui/money";
import { PageLink } from "@/components/ui/page-link";
import type { ReviewQuery } from "@/lib/refunds/schema";

/** The refunds that wait for a decision, the longest waiting first. */
export function Reviews({ source }: ListProps<ListPage<Review>, Exclude<keyof ReviewQuery, "per_page">>) {
  const t = useTranslations("reviews");
  const reasons = useTranslations("refunds.reasons");
  const { result, list } = useList(source, null);
  return (
    <List
      result={result}
      list={list}
      title={t("title")}
      purpose={t("purpose")}
      pages={
        <ModeTabs here={list.filters.mode}>
          {(mode, link) => <a {...link} {...list.follow({ mode: mode === "live" ? "" : mode })} />}
        </ModeTabs>
      }
      empty={t("empty")}
      shown={t}
      keyOf={({ refund }) => refund.code}
      columns={[
        {
          head: t("columns.seller"),
          place: "title",
          cell: ({ account, refund: { code, transaction } }) => (
            <PageLink href={`/operator/refunds/${account.id}/${code}`} className={covering}>
              {account.name}
              {transaction.client.name && <span className="font-normal text-muted"> · {transaction.client.name}</span>}
            </PageLink>
          ),
        },
        {
          head: t("columns.reason"),
          place: "bottomLeft",
          className: "text-muted",
          cell: ({ refund }) => reasons(refund.reason),
        },
        {
          head: t("columns.age"),
          place: "bottomRight",
          className: "text-muted",
          cell: ({ refund }) => <Age since={refund.requested_at} />,
        },
        {
          head: t("columns.amount"),
          place: "amount",
          cell: ({ refund }) => <Money cents={cents(refund.amount)} />,
        },
      ]}
    />
  );
}
