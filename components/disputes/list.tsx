"use client";
import { useTranslations } from "use-intl";
import { useApi } from "@/components/account";
import { useDisputeColumns } from "@/components/disputes/columns";
import { List, type ListProps } from "@/components/list/list";
import { useList } from "@/components/list/use-list";
import type { DisputePage, DisputeQuery } from "@/lib/disputes/schema";
import { disputeTransitions } from "@/lib/disputes/states";

const statuses = ["open", ...Object.values(disputeTransitions).map(({ to }) => to)] as const;

/** The account's disputes. The open ones come by their deadline. */
export function Disputes({ source, curl }: ListProps<DisputePage, keyof DisputeQuery>) {
  const t = useTranslations("disputes");
  const { result, list } = useList(source, useApi().account);
  return (
    <List
      result={result}
      list={list}
      title={t("title")}
      purpose={t("purpose")}
      empty={t("empty")}
      curl={curl}
      nothing={t("nothingFound")}
      shown={t}
      choices={[
        {
          ...{ filter: "status", label: t("columns.status"), any: t("anyStatus") },
          options: statuses.map((status) => [status, t(`status.${status}`)] as const),
        },
      ]}
      keyOf={({ code }) => code}
      columns={useDisputeColumns()}
    />
  );
}
