"use client";
import { useTranslations } from "use-intl";
import { Deadline } from "@/components/disputes/deadline";
import { cents } from "@/components/format";
import { List, type ListProps } from "@/components/list/list";
import type { ListPage } from "@/components/list/source";
import { covering } from "@/components/list/table";
import { useList } from "@/components/list/use-list";
import { ModeTabs } from "@/components/operator/mode-tabs";
import { Money } from "@/components/ui/money";
import { PageLink } from "@/components/ui/page-link";
import type { DisputeReview, DisputeReviewQuery } from "@/lib/disputes/schema";

/** The open disputes of all sellers, whose deadline is nearest first. */
export function OpenDisputes({
  source,
}: ListProps<ListPage<DisputeReview>, Exclude<keyof DisputeReviewQuery, "per_page">>) {
  const t = useTranslations("disputes");
  const reviews = useTranslations("disputes.console");
  const { result, list } = useList(source, null);
  return (
    <List
      result={result}
      list={list}
      title={t("title")}
      purpose={reviews("purpose")}
      pages={
        <ModeTabs here={list.filters.mode}>
          {(mode, link) => <a {...link} {...list.follow({ mode: mode === "live" ? "" : mode })} />}
        </ModeTabs>
      }
      empty={reviews("empty")}
      shown={t}
      keyOf={({ dispute }) => dispute.code}
      columns={[
        {
          head: reviews("seller"),
          place: "title",
          cell: ({ account, dispute: { code, transaction } }) => (
            <PageLink href={`/operator/disputes/${account.id}/${code}`} className={covering}>
              {account.name}
              {transaction.client.name && <span className="font-normal text-muted"> · {transaction.client.name}</span>}
            </PageLink>
          ),
        },
        {
          head: t("columns.reason"),
          place: "bottomLeft",
          className: "text-muted",
          cell: ({ dispute }) => t(`reasons.${dispute.reason}`),
        },
        {
          head: t("columns.deadline"),
          place: "bottomRight",
          className: "text-muted",
          cell: ({ dispute }) => <Deadline dispute={dispute} />,
        },
        { head: t("columns.amount"), place: "amount", cell: ({ dispute }) => <Money cents={cents(dispute.amount)} /> },
      ]}
    />
  );
}
