"use client";
import { useTranslations } from "use-intl";
import { useApi } from "@/components/account";
import { cents, useDates } from "@/components/format";
import { List, type ListProps } from "@/components/list/list";
import { covering } from "@/components/list/table";
import { useList } from "@/components/list/use-list";
import { Earned, useReturned } from "@/components/splits/earned";
import { usePlanName } from "@/components/splits/offer";
import { SplitTabs } from "@/components/splits/tabs";
import { AccountLink } from "@/components/ui/link";
import { Money } from "@/components/ui/money";
import { Figure } from "@/components/ui/page";
import type { EarningTotal, MonthTotal, TotalPage } from "@/lib/earnings/schema";

/** What the account earned by others' sales: the current month's figure, then the totals. */
export function Earnings({ source, curl }: ListProps<TotalPage, "page">) {
  const t = useTranslations("splits");
  const dates = useDates();
  const { result, list } = useList(source, useApi().account);
  return (
    <List
      result={result}
      list={list}
      title={t("title")}
      purpose={t("purpose")}
      pages={<SplitTabs />}
      tools={result.data && <ThisMonth month={result.data.meta.this_month} />}
      empty={t("emptyEarnings")}
      curl={curl}
      caption={t("totals")}
      keyOf={({ month, plan, seller }) => `${month} ${plan?.token} ${seller.email}`}
      columns={[
        { head: t("plan"), place: "title", cell: (row) => <Title row={row} /> },
        { head: t("seller"), place: "bottomLeft", className: "wrap-anywhere", cell: ({ seller }) => seller.name },
        { head: t("sales"), place: "wide", className: "tabular-nums", cell: ({ sales }) => sales },
        { head: t("month"), place: "bottomRight", className: "text-muted", cell: ({ month }) => dates.month(month) },
        { head: t("amount"), place: "amount", cell: (row) => <Earned earned={row} /> },
      ]}
    />
  );
}

function ThisMonth({ month }: { month: MonthTotal }) {
  const t = useTranslations("splits");
  const dates = useDates();
  const note = [t("thisMonthNote", { count: month.sales }), useReturned(month)].filter(Boolean).join(" · ");
  return (
    <div className="py-6">
      <Figure label={t("thisMonth", { month: dates.month(month.month) })} note={note}>
        <Money cents={cents(month.left)} />
      </Figure>
    </div>
  );
}

function Title({ row: { month, plan } }: { row: EarningTotal }) {
  const t = useTranslations("splits");
  const planName = usePlanName();
  return (
    <AccountLink
      href={`/splits/earnings/sales?month=${month}${plan ? `&plan=${plan.token}` : ""}`}
      className={covering}
    >
      {plan ? planName(plan) : t("noPlan")}
    </AccountLink>
  );
}
