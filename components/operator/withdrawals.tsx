"use client";
import { useTranslations } from "use-intl";
import { cents } from "@/components/format";
import { List, type ListProps } from "@/components/list/list";
import type { ListPage } from "@/components/list/source";
import { covering } from "@/components/list/table";
import { useList } from "@/components/list/use-list";
import { Age } from "@/components/operator/age";
import { ModeTabs } from "@/components/operator/mode-tabs";
import { Money } from "@/components/ui/money";
import { PageLink } from "@/components/ui/page-link";
import { payeeText } from "@/components/withdrawals/key";
import type { WaitingQuery, WaitingWithdrawal } from "@/lib/withdrawals/schema";

/** The withdrawals that need a person because their rail does not say how they ended, the longest waiting first. */
export function WaitingWithdrawals({
  source,
}: ListProps<ListPage<WaitingWithdrawal>, Exclude<keyof WaitingQuery, "per_page">>) {
  const t = useTranslations("payouts");
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
      keyOf={({ withdrawal }) => withdrawal.reference_id}
      columns={[
        {
          head: t("columns.seller"),
          place: "title",
          cell: ({ account, withdrawal }) => (
            <PageLink href={`/operator/withdrawals/${account.id}/${withdrawal.reference_id}`} className={covering}>
              {account.name}
              <span className="font-normal text-muted"> · {payeeText(withdrawal)}</span>
            </PageLink>
          ),
        },
        {
          head: t("columns.why"),
          place: "bottomLeft",
          className: "text-muted",
          cell: ({ is_accepted }) => t(is_accepted ? "noEnd" : "noAnswer"),
        },
        {
          head: t("columns.age"),
          place: "bottomRight",
          className: "text-muted",
          cell: ({ since }) => <Age since={since} />,
        },
        {
          head: t("columns.amount"),
          place: "amount",
          cell: ({ withdrawal }) => <Money cents={cents(withdrawal.amount)} />,
        },
      ]}
    />
  );
}
