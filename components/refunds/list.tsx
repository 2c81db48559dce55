"use client";
import { useTranslations } from "use-intl";
import { useApi, useMay } from "@/components/account";
import { List, type ListProps } from "@/components/list/list";
import { useList } from "@/components/list/use-list";
import { useRefundColumns } from "@/components/refunds/columns";
import type { RefundPage, RefundQuery } from "@/lib/refunds/schema";
import { refundTransitions } from "@/lib/refunds/states";

const statuses = ["pending", ...new Set(Object.values(refundTransitions).map(({ to }) => to))] as const;

/** The account's refunds, newest first. One is asked for on the page of its sale. */
export function Refunds({ source, curl }: ListProps<RefundPage, keyof RefundQuery>) {
  const t = useTranslations("refunds");
  const { result, list } = useList(source, useApi().account);
  const mayAsk = useMay("refunds:write");
  return (
    <List
      result={result}
      list={list}
      title={t("title")}
      purpose={t(list.filters.reference_id ? "ofSale" : "purpose")}
      add={mayAsk && { label: t("ask"), href: "/transactions?status=completed" }}
      empty={t("empty")}
      curl={curl}
      nothing={t("nothingFound")}
      shown={t}
      choices={[
        {
          ...{ filter: "status", label: t("columns.status"), any: t("anyStatus") },
          options: [
            ["open", t("notEnded")] as const,
            ...statuses.map((status) => [status, t(`status.${status}`)] as const),
          ],
        },
      ]}
      hasPeriod
      keyOf={({ code }) => code}
      columns={useRefundColumns()}
    />
  );
}
