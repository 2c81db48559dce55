"use client";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useApi } from "@/components/account";
import { cents, useDates } from "@/components/format";
import { List } from "@/components/list/list";
import { Table } from "@/components/list/table";
import { StatusTabs } from "@/components/list/tabs";
import { Toolbar } from "@/components/list/toolbar";
import { type FilterControl, useList } from "@/components/list/use-list";
import { plansToFilter, subscriptionPath, subscriptions } from "@/components/subscriptions/queries";
import { SubscriptionStatusWord } from "@/components/subscriptions/status";
import { ButtonLink } from "@/components/ui/button-link";
import { Select } from "@/components/ui/field";
import { AccountLink } from "@/components/ui/link";
import { Money } from "@/components/ui/money";
import type { SubscriptionItem } from "@/lib/subscriptions/schema";

const statuses = ["active", "overdue", "suspended", "paused", "pending_first_payment", "cancelled"] as const;

/** The subscriptions of every plan. */
export function Subscriptions({ curl }: { curl: string }) {
  const t = useTranslations("subscriptions.list");
  const words = useTranslations("subscriptions.status");
  const { result, list } = useList(subscriptions, useApi().account);
  return (
    <List
      result={result}
      list={list}
      title={t("title")}
      purpose={t("purpose")}
      add={{ label: t("sell"), href: "/products" }}
      empty={t("empty")}
      nothing={t("nothing")}
      curl={curl}
      place={({ data, meta }) =>
        t(meta.total_is_exact ? "shown" : "shownOfMore", { shown: data.length, total: meta.total })
      }
      tools={
        <>
          <StatusTabs
            list={list}
            label={words("label")}
            statuses={statuses}
            counts={withAll(result.data?.meta.counts)}
            areLeast="counted"
            name={(tab) => words(`tabs.${tab}`)}
          />
          <Toolbar list={list} label={t("search")} hint={t("searchHint")}>
            <PlanSelect list={list} rows={result.data?.data} />
            <ButtonLink href="/subscriptions/overdue">{t("overdue")}</ButtonLink>
          </Toolbar>
        </>
      }
    >
      {(rows) => <SubscriptionsTable rows={rows} />}
    </List>
  );
}

/** The numbers by status, with their sum for the tab of all. */
export const withAll = (counts: Record<string, number> | undefined) =>
  counts && { ...counts, all: Object.values(counts).reduce((sum, count) => sum + count, 0) };

/** Narrows the list to one plan. An archived one that the address names is named by its subscriptions. */
function PlanSelect({ list, rows }: { list: FilterControl<"plan">; rows: SubscriptionItem[] | undefined }) {
  const t = useTranslations("subscriptions.list");
  const { data } = useQuery(plansToFilter(useApi().account));
  const { plan: chosen } = list.filters;
  const plans: Pick<SubscriptionItem["plan"], "token" | "name" | "product">[] = [...(data?.data ?? [])];
  if (chosen && !plans.some(({ token }) => token === chosen)) {
    const named = rows?.find(({ plan }) => plan.token === chosen)?.plan;
    plans.push(named ?? { token: chosen, name: t("thisPlan"), product: null });
  }
  return (
    <Select
      aria-label={t("plan")}
      value={chosen ?? ""}
      onChange={({ target }) => list.go({ plan: target.value })}
      className="!w-auto max-w-full sm:max-w-64"
    >
      <option value="">{t("anyPlan")}</option>
      {plans.map(({ token, name, product }) => (
        <option key={token} value={token}>
          {product ? `${product.name} · ${name}` : name}
        </option>
      ))}
    </Select>
  );
}

function SubscriptionsTable({ rows }: { rows: SubscriptionItem[] }) {
  const t = useTranslations("subscriptions.list");
  const words = useTranslations("subscriptions.status");
  return (
    <Table
      caption={t("title")}
      rows={rows}
      keyOf={(row) => row.token}
      columns={[
        { head: t("person"), place: "title", cell: (row) => <Title row={row} /> },
        { head: words("label"), place: "bottomLeft", cell: (row) => <SubscriptionStatusWord {...row} /> },
        { head: t("plan"), place: "wide", className: "text-muted", cell: ({ plan }) => <PlanName name={plan.name} /> },
        { head: t("next"), place: "bottomRight", className: "text-muted", cell: (row) => <NextCharge row={row} /> },
        { head: t("amount"), place: "amount", cell: ({ plan }) => <Money cents={cents(plan.amount)} /> },
      ]}
    />
  );
}

const Title = ({ row: { token, subscriber_name, plan } }: { row: SubscriptionItem }) => (
  <AccountLink href={subscriptionPath(token)} className="block truncate font-medium after:absolute after:inset-0">
    {subscriber_name}
    <span className="font-normal text-muted md:hidden"> · {plan.name}</span>
  </AccountLink>
);

const PlanName = ({ name }: { name: string }) => (
  <span title={name} className="block max-w-64 truncate">
    {name}
  </span>
);

/** The day of the next charge. Where there is none, the status says until when the subscription runs. */
function NextCharge({ row: { next_charge_at: next, status } }: { row: SubscriptionItem }) {
  const t = useTranslations("subscriptions.list");
  const { date } = useDates();
  if (!next) return <span className="whitespace-nowrap">{t(status === "overdue" ? "oncePaid" : "none")}</span>;
  return (
    <time dateTime={next} className="whitespace-nowrap">
      {date(next)}
    </time>
  );
}
