"use client";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useApi } from "@/components/account";
import { cents, useDates } from "@/components/format";
import type { Choosable } from "@/components/list/choice";
import { List, type ListProps } from "@/components/list/list";
import type { Filters } from "@/components/list/source";
import { covering } from "@/components/list/table";
import { useList } from "@/components/list/use-list";
import { plansToFilter, subscriptionPath } from "@/components/subscriptions/queries";
import { SubscriptionStatusWord } from "@/components/subscriptions/status";
import { ButtonLink } from "@/components/ui/button-link";
import { AccountLink } from "@/components/ui/link";
import { Money } from "@/components/ui/money";
import type { SubscriptionItem, SubscriptionPage, SubscriptionQuery } from "@/lib/subscriptions/schema";

const statuses = ["active", "overdue", "suspended", "paused", "pending_first_payment", "cancelled"] as const;

/** The subscriptions of every plan. */
export function Subscriptions({ source, curl }: ListProps<SubscriptionPage, keyof SubscriptionQuery>) {
  const t = useTranslations("subscriptions.list");
  const words = useTranslations("subscriptions.status");
  const { result, list } = useList(source, useApi().account);
  const plans = usePlans(list.filters, result.data?.data);
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
      shown={t}
      tabs={{ label: words("label"), statuses, name: (tab) => words(`tabs.${tab}`) }}
      search={{ label: t("search"), hint: t("searchHint") }}
      choices={[plans]}
      beside={<ButtonLink href="/subscriptions/overdue">{t("overdue")}</ButtonLink>}
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

/** Narrows the list to one plan. An archived one that the address names is named by its subscriptions. */
function usePlans({ plan: chosen }: Filters<"plan">, rows: SubscriptionItem[] | undefined): Choosable<"plan"> {
  const t = useTranslations("subscriptions.list");
  const { data } = useQuery(plansToFilter(useApi().account));
  const plans: Pick<SubscriptionItem["plan"], "token" | "name" | "product">[] = [...(data?.data ?? [])];
  if (chosen && !plans.some(({ token }) => token === chosen)) {
    const named = rows?.find(({ plan }) => plan.token === chosen)?.plan;
    plans.push(named ?? { token: chosen, name: t("thisPlan"), product: null });
  }
  const options = plans.map(
    ({ token, name, product }) => [token, product ? `${product.name} · ${name}` : name] as const,
  );
  return { filter: "plan", label: t("plan"), any: t("anyPlan"), options };
}

const Title = ({ row: { token, subscriber_name, plan } }: { row: SubscriptionItem }) => (
  <AccountLink href={subscriptionPath(token)} className={covering}>
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
