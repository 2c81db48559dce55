"use client";
import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useTranslations } from "use-intl";
import { useApi } from "@/components/account";
import { cents, useDates, useNumbers } from "@/components/format";
import { List } from "@/components/list/list";
import { Table } from "@/components/list/table";
import { FilterBar } from "@/components/list/toolbar";
import { type FilterControl, useList } from "@/components/list/use-list";
import { usePlanName } from "@/components/splits/offer";
import { earnings, totals } from "@/components/splits/queries";
import { useAction } from "@/components/ui/action";
import { Breadcrumb } from "@/components/ui/breadcrumb";
import { Button } from "@/components/ui/button";
import { Select } from "@/components/ui/field";
import { Money } from "@/components/ui/money";
import { Time } from "@/components/ui/time";
import type { Earning } from "@/lib/earnings/schema";

/** The sales by which the account earned, the last paid first. */
export function EarningSales({ curl }: { curl: string }) {
  const t = useTranslations("splits");
  const { result, list } = useList(earnings, useApi().account);
  return (
    <>
      <Breadcrumb href="/splits/earnings" list={t("tabs.earnings")} here={t("sales")} />
      <List
        result={result}
        list={list}
        title={t("salesTitle")}
        tools={<Filters list={list} />}
        empty={t("emptyEarnings")}
        nothing={t("nothingSold")}
        curl={curl}
        place={({ data, meta }) =>
          t(meta.total_is_exact ? "shown" : "shownOfMore", { shown: data.length, total: meta.total })
        }
      >
        {(rows) => <SalesTable rows={rows} />}
      </List>
    </>
  );
}

/** The months and plans of the totals, of which one may be chosen. */
function Filters({ list }: { list: FilterControl<"month" | "plan"> }) {
  const t = useTranslations("splits");
  const dates = useDates();
  const planName = usePlanName();
  const { data: rows = [] } = useQuery(totals.of(useApi().account, {})).data ?? {};
  const { month = "", plan = "" } = list.filters;
  const months = [...new Set([...rows.map((row) => row.month), ...(month ? [month] : [])])].sort().reverse();
  const plans = new Map(rows.flatMap((row) => (row.plan ? [[row.plan.token, planName(row.plan)]] : [])));
  if (plan && !plans.has(plan)) plans.set(plan, t("plan"));
  return (
    <FilterBar list={list}>
      <Select
        aria-label={t("month")}
        value={month}
        onChange={({ target }) => list.go({ month: target.value })}
        className="!w-auto"
      >
        <option value="">{t("anyMonth")}</option>
        {months.map((one) => (
          <option key={one} value={one}>
            {dates.month(one)}
          </option>
        ))}
      </Select>
      <Select
        aria-label={t("plan")}
        value={plan}
        onChange={({ target }) => list.go({ plan: target.value })}
        className="!w-auto max-w-full"
      >
        <option value="">{t("anyPlan")}</option>
        {[...plans].map(([token, name]) => (
          <option key={token} value={token}>
            {name}
          </option>
        ))}
      </Select>
      <ExportButtons filters={list.filters} />
    </FilterBar>
  );
}

/** The listed sales as a file: for programs, or as a Brazilian Excel opens it. */
function ExportButtons({ filters: { month, plan } }: { filters: FilterControl<"month" | "plan">["filters"] }) {
  const t = useTranslations("splits");
  const api = useApi();
  const save = useAction<void, "raw" | "excel">({
    act: (format) => api.download("/api/partner/v1/earnings/export", { month, plan, format }, `${t("file")}.csv`),
    refresh: [api.account, "exports"],
  });
  return (["raw", "excel"] as const).map((format) => (
    <Button
      key={format}
      look="quiet"
      busy={save.isPending && save.variables === format}
      onClick={() => save.mutate(format)}
    >
      <Download aria-hidden="true" />
      {t(`export.${format}`)}
    </Button>
  ));
}

function SalesTable({ rows }: { rows: Earning[] }) {
  const { percent } = useNumbers();
  const t = useTranslations("splits");
  const planName = usePlanName();
  return (
    <Table
      caption={t("salesTitle")}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          head: t("plan"),
          place: "title",
          cell: ({ plan }) => <span className="block truncate font-medium">{plan ? planName(plan) : t("noPlan")}</span>,
        },
        { head: t("seller"), place: "bottomLeft", className: "wrap-anywhere", cell: ({ seller }) => seller.name },
        {
          head: t("percentage"),
          place: "wide",
          className: "tabular-nums",
          cell: ({ percentage }) => percent(percentage),
        },
        { head: t("method"), place: "wide", className: "text-muted", cell: ({ method }) => t(`methods.${method}`) },
        {
          head: t("when"),
          place: "bottomRight",
          className: "text-muted",
          cell: ({ paid_at }) => <Time at={paid_at} />,
        },
        { head: t("amount"), place: "amount", cell: ({ amount }) => <Money cents={cents(amount)} /> },
      ]}
    />
  );
}
