"use client";
import { useTranslations } from "use-intl";
import { cents } from "@/components/format";
import { List, type ListProps } from "@/components/list/list";
import type { ListPage } from "@/components/list/source";
import { covering } from "@/components/list/table";
import { useList } from "@/components/list/use-list";
import { Age } from "@/components/operator/age";
import { ModeTabs } from "@/components/operator/mode-tabs";
import { useReasonWords } from "@/components/operator/unmatched-status";
import { Money } from "@/components/ui/money";
import { PageLink } from "@/components/ui/page-link";
import { Tab, Tabs } from "@/components/ui/tabs";
import type { ListedUnmatched, UnmatchedQuery } from "@/lib/unmatched/schema";
import { unmatchedReasons, unmatchedStatuses } from "@/lib/unmatched/states";

const ages = ["day", "week", "month"] as const;

/** Money that belonged to no open sale: what is held the longest waiting first. */
export function UnmatchedList({
  source,
}: ListProps<ListPage<ListedUnmatched>, Exclude<keyof UnmatchedQuery, "per_page">>) {
  const t = useTranslations("unmatched");
  const reasonOf = useReasonWords();
  const { result, list } = useList(source, null);
  const { mode, status = "open" } = list.filters;
  return (
    <List
      result={result}
      list={list}
      title={t("title")}
      purpose={t("purpose")}
      pages={
        <>
          <ModeTabs here={mode}>
            {(mode, link) => <a {...link} {...list.follow({ mode: mode === "live" ? "" : mode })} />}
          </ModeTabs>
          <Tabs label={t("statuses")}>
            {unmatchedStatuses.map((one) => (
              <Tab key={one} here={status === one}>
                {(look) => (
                  <a {...look} {...list.follow({ status: one === "open" ? "" : one })}>
                    {t(`tabs.${one}`)}
                  </a>
                )}
              </Tab>
            ))}
          </Tabs>
        </>
      }
      search={{ label: t("search"), hint: t("searchHint") }}
      choices={[
        {
          filter: "age",
          label: t("age"),
          any: t("anyAge"),
          options: ages.map((age) => [age, t(`ages.${age}`)] as const),
        },
        {
          filter: "reason",
          label: t("columns.reason"),
          any: t("anyReason"),
          options: unmatchedReasons.map((reason) => [reason, reasonOf(reason)] as const),
        },
      ]}
      empty={t("empty")}
      nothing={t("nothing")}
      shown={t}
      keyOf={({ id }) => id}
      columns={[
        {
          head: t("columns.who"),
          place: "title",
          cell: ({ id, kept_with, account, payer, end_to_end_id }) => (
            <PageLink href={`/operator/unmatched/${kept_with}/${id}`} className={covering}>
              {payer?.name ?? end_to_end_id}
              <span className="font-normal text-muted"> · {account?.name ?? t("noAccount")}</span>
            </PageLink>
          ),
        },
        {
          head: t("columns.reason"),
          place: "bottomLeft",
          className: "text-muted",
          cell: ({ reason, is_returned_by_policy: isReturned }) =>
            isReturned ? `${reasonOf(reason)} · ${t("byItself")}` : reasonOf(reason),
        },
        {
          head: t("columns.age"),
          place: "bottomRight",
          className: "text-muted",
          cell: ({ received_at: since }) => <Age since={since} />,
        },
        { head: t("columns.amount"), place: "amount", cell: ({ amount }) => <Money cents={cents(amount)} /> },
      ]}
    />
  );
}
