"use client";
import { useTranslations } from "use-intl";
import { useApi, useMay } from "@/components/account";
import { List, type ListProps } from "@/components/list/list";
import { useList } from "@/components/list/use-list";
import { Tab, Tabs } from "@/components/ui/tabs";
import { useWithdrawalColumns } from "@/components/withdrawals/columns";
import type { WithdrawalPage, WithdrawalQuery } from "@/lib/withdrawals/schema";

/** The tabs: all, those under way, those that wait for a person of the account, and the ends. */
const tabs = ["", "open", "awaiting_approval", "paid", "returned", "failed", "cancelled"] as const;

/** The account's withdrawals, newest first. */
export function Withdrawals({ source, curl }: ListProps<WithdrawalPage, Exclude<keyof WithdrawalQuery, "per_page">>) {
  const t = useTranslations("withdrawals");
  const { result, list } = useList(source, useApi().account);
  const mayWithdraw = useMay("withdrawals:write");
  return (
    <List
      result={result}
      list={list}
      title={t("title")}
      purpose={t("purpose")}
      add={mayWithdraw && { label: t("withdraw"), href: "/withdrawals/new" }}
      empty={t("empty")}
      curl={curl}
      nothing={t("nothingFound")}
      shown={t}
      tools={
        <Tabs label={t("columns.status")}>
          {tabs.map((status) => (
            <Tab key={status} here={(list.filters.status ?? "") === status}>
              {(look) => (
                <a {...look} {...list.follow({ status })}>
                  {t(`tabs.${status || "all"}`)}
                </a>
              )}
            </Tab>
          ))}
        </Tabs>
      }
      hasPeriod
      keyOf={({ reference_id }) => reference_id}
      columns={useWithdrawalColumns()}
    />
  );
}
