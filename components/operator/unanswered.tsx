"use client";
import { useTranslations } from "use-intl";
import { List, type ListProps } from "@/components/list/list";
import type { ListPage } from "@/components/list/source";
import { useList } from "@/components/list/use-list";
import { SellerLink } from "@/components/operator/seller-link";
import { Time } from "@/components/ui/time";
import type { Unanswered, UnansweredQuery } from "@/lib/outside/schema";

/** Calls and watches that a provider has not answered for a day, the longest waiting first. */
export function UnansweredList({
  source,
}: ListProps<ListPage<Unanswered>, Exclude<keyof UnansweredQuery, "per_page">>) {
  const t = useTranslations("unanswered");
  const { result, list } = useList(source, null);
  return (
    <List
      result={result}
      list={list}
      title={t("title")}
      purpose={t("purpose")}
      empty={t("empty")}
      nothing={t("empty")}
      shown={t}
      keyOf={({ what, provider, kind, id }) => `${what} ${provider} ${kind} ${id}`}
      columns={[
        {
          head: t("columns.what"),
          place: "title",
          cell: ({ what, kind }) => (
            <>
              {t(`what.${what}`)} <span className="font-mono text-caption text-muted">{kind}</span>
            </>
          ),
        },
        {
          head: t("columns.id"),
          place: "bottomLeft",
          className: "max-w-[280px] truncate font-mono text-caption text-muted",
          cell: (row) => row.id,
        },
        { head: t("columns.provider"), place: "topRight", cell: (row) => row.provider },
        {
          head: t("columns.account"),
          place: "wide",
          cell: ({ account }) => account && <SellerLink id={account.id}>{account.name}</SellerLink>,
        },
        {
          head: t("columns.since"),
          place: "bottomRight",
          className: "text-muted",
          cell: (row) => <Time at={row.since} />,
        },
      ]}
    />
  );
}
