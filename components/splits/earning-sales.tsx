"use client";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useApi } from "@/components/account";
import { useDates, useNumbers } from "@/components/format";
import { ExportButtons } from "@/components/list/export";
import { List, type ListProps } from "@/components/list/list";
import { type Filters, listQuery } from "@/components/list/source";
import { useList } from "@/components/list/use-list";
import { Earned } from "@/components/splits/earned";
import { usePlanName } from "@/components/splits/offer";
import { totals } from "@/components/splits/queries";
import { Breadcrumb } from "@/components/ui/breadcrumb";
import { Time } from "@/components/ui/time";
import type { EarningPage, EarningQuery } from "@/lib/earnings/schema";

/** The sales by which the account earned, the last paid first. */
export function EarningSales({ source, curl }: ListProps<EarningPage, keyof EarningQuery>) {
  const t = useTranslations("splits");
  const names = useTranslations("methods");
  const dates = useDates();
  const planName = usePlanName();
  const { percent } = useNumbers();
  const { account } = useApi();
  const { result, list } = useList(source, account);
  const { months, plans } = useSold(list.filters);
  return (
    <>
      <Breadcrumb href="/splits/earnings" list={t("tabs.earnings")} here={t("sales")} />
      <List
        result={result}
        list={list}
        title={t("salesTitle")}
        choices={[
          {
            ...{ filter: "month", label: t("month"), any: t("anyMonth") },
            options: months.map((month) => [month, dates.month(month)]),
          },
          { filter: "plan", label: t("plan"), any: t("anyPlan"), options: [...plans] },
        ]}
        beside={
          <ExportButtons
            path="/api/partner/v1/earnings/export"
            account={account}
            asked={{ month: list.filters.month, plan: list.filters.plan }}
            file={t("file")}
          />
        }
        empty={t("emptyEarnings")}
        nothing={t("nothingSold")}
        curl={curl}
        shown={t}
        keyOf={({ id }) => id}
        columns={[
          {
            head: t("plan"),
            place: "title",
            cell: ({ plan }) => (
              <span className="block truncate font-medium">{plan ? planName(plan) : t("noPlan")}</span>
            ),
          },
          { head: t("seller"), place: "bottomLeft", className: "wrap-anywhere", cell: ({ seller }) => seller.name },
          {
            head: t("percentage"),
            place: "wide",
            className: "tabular-nums",
            cell: ({ percentage }) => percent(percentage),
          },
          { head: t("method"), place: "wide", className: "text-muted", cell: ({ method }) => names(`${method}.name`) },
          {
            head: t("when"),
            place: "bottomRight",
            className: "text-muted",
            cell: ({ paid_at }) => <Time at={paid_at} />,
          },
          { head: t("amount"), place: "amount", cell: (row) => <Earned earned={row} /> },
        ]}
      />
    </>
  );
}

/** The months and plans of the totals, of which one may be chosen. */
function useSold({ month = "", plan = "" }: Filters<"month" | "plan">) {
  const t = useTranslations("splits");
  const planName = usePlanName();
  const { data: rows = [] } = useQuery(listQuery(totals, useApi().account, {})).data ?? {};
  const months = [...new Set([...rows.map((row) => row.month), ...(month ? [month] : [])])].sort().reverse();
  const plans = new Map(rows.flatMap((row) => (row.plan ? [[row.plan.token, planName(row.plan)]] : [])));
  if (plan && !plans.has(plan)) plans.set(plan, t("plan"));
  return { months, plans };
}
