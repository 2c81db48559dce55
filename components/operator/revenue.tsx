"use client";
import { useQuery } from "@tanstack/react-query";
import { usePathname, useRouter } from "next/navigation";
import { useTranslations } from "use-intl";
import { cents, useDates } from "@/components/format";
import { Table } from "@/components/list/table";
import { revenueQuery } from "@/components/operator/report-queries";
import { SellerLink } from "@/components/operator/seller-link";
import { Field, Input } from "@/components/ui/field";
import { Loaded } from "@/components/ui/loaded";
import { Money } from "@/components/ui/money";
import { Figure, PageHead, Section } from "@/components/ui/page";
import { SumTable } from "@/components/ui/sum-table";
import { methodNames } from "@/lib/methods/methods";
import type { Revenue, RevenueQuery } from "@/lib/revenue/schema";

/** What the platform earned in a period: by method, by day and by account. */
export function RevenuePage({ asked }: { asked: RevenueQuery }) {
  const t = useTranslations("reports.revenue");
  const result = useQuery(revenueQuery(asked));
  return (
    <>
      <PageHead title={t("title")} purpose={t("purpose")} />
      <Loaded result={result}>{(revenue) => <Known revenue={revenue} />}</Loaded>
    </>
  );
}

type Sums = Revenue["total"];

function Known({ revenue }: { revenue: Revenue }) {
  const t = useTranslations("reports.revenue");
  const methods = useTranslations("methods");
  const postings = useTranslations("timeline.ledgerLines");
  const dates = useDates();
  const { total, kinds, months, days, accounts } = revenue;
  const shown = methodNames.filter((method) => total.sales[method] !== undefined);
  const columns = [
    ...shown.map((method) => ({
      head: methods(`${method}.fee`),
      place: "wideAmount" as const,
      cell: ({ sales }: Sums) => <Money cents={cents(sales[method] ?? "0.00")} />,
    })),
    { head: t("others"), place: "wideAmount" as const, cell: ({ others }: Sums) => <Money cents={cents(others)} /> },
    { head: t("total"), place: "amount" as const, cell: ({ total }: Sums) => <Money cents={cents(total)} /> },
  ];
  return (
    <div className="grid gap-8">
      <Between revenue={revenue} />
      <Figure label={t("earned")}>
        <Money cents={cents(total.total)} />
      </Figure>
      <SumTable
        caption={t("title")}
        lines={[
          ...shown.map(
            (method) =>
              [methods(`${method}.fee`), <Money key={method} cents={cents(total.sales[method] ?? "0.00")} />] as const,
          ),
          [t("others"), <Money key="others" cents={cents(total.others)} />] as const,
        ]}
        sum={[t("total"), <Money key="total" cents={cents(total.total)} />]}
      />
      {kinds.length > 0 && (
        <Section title={t("byKind")}>
          <SumTable
            caption={t("byKind")}
            lines={kinds.map(
              ({ type, amount }) =>
                [
                  postings.has(type as "refund_completed") ? postings(type as "refund_completed") : type,
                  <Money key={type} cents={cents(amount)} />,
                ] as const,
            )}
            sum={[t("others"), <Money key="others" cents={cents(total.others)} />]}
          />
        </Section>
      )}
      {months.length > 1 && (
        <Section title={t("byMonth")}>
          <Table
            caption={t("byMonth")}
            rows={months}
            keyOf={({ month }) => month}
            columns={[{ head: t("month"), place: "title", cell: ({ month }) => dates.month(month) }, ...columns]}
          />
        </Section>
      )}
      <Section title={t("byDay")}>
        {days.length === 0 ? (
          <p className="text-muted">{t("empty")}</p>
        ) : (
          <Table
            caption={t("byDay")}
            rows={days}
            keyOf={({ day }) => day}
            columns={[{ head: t("day"), place: "title", cell: ({ day }) => dates.day(day) }, ...columns]}
          />
        )}
      </Section>
      {accounts.length > 0 && (
        <Section title={t("byAccount")}>
          <Table
            caption={t("byAccount")}
            rows={accounts}
            keyOf={({ id }) => id}
            columns={[
              {
                head: t("account"),
                place: "title",
                cell: ({ id, name }) => (
                  <SellerLink id={id} className="block truncate font-medium">
                    {name}
                  </SellerLink>
                ),
              },
              ...columns,
            ]}
          />
        </Section>
      )}
    </div>
  );
}

/** The days of the period, both included, which are in the page's address. */
function Between({ revenue: { from, to } }: { revenue: Revenue }) {
  const t = useTranslations("reports.revenue");
  const [path, router] = [usePathname(), useRouter()];
  const go = (days: { from: string; to: string }) =>
    days.from && days.to && router.replace(`${path}?${new URLSearchParams(days)}`);
  return (
    <div className="flex flex-wrap gap-4">
      <Field label={t("from")}>
        {(wiring) => (
          <Input
            {...wiring}
            type="date"
            value={from}
            max={to}
            onChange={({ target }) => go({ from: target.value, to })}
          />
        )}
      </Field>
      <Field label={t("to")}>
        {(wiring) => (
          <Input
            {...wiring}
            type="date"
            value={to}
            min={from}
            onChange={({ target }) => go({ from, to: target.value })}
          />
        )}
      </Field>
    </div>
  );
}
