"use client";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { cents, useDates, useNumbers } from "@/components/format";
import { BarChart } from "@/components/ui/bar-chart";
import { Button } from "@/components/ui/button";
import { Money } from "@/components/ui/money";
import { Section } from "@/components/ui/page";

type Day = { date: string; amount: string; count: number };

const PERIOD = 30;

/** The paid amount of each of 30 days, the 30 days before as a thin line, and both as a table. */
export function VolumeChart({ days }: { days: Day[] }) {
  const { money } = useNumbers();
  const t = useTranslations("chart");
  const dates = useDates();
  const [asTable, setAsTable] = useState(false);
  const current = days.slice(-PERIOD);
  const before = days.slice(-2 * PERIOD, -PERIOD);
  const points = current.map((day, index) => ({
    label: dates.day(day.date),
    value: cents(day.amount),
    compare: cents(before[index]?.amount ?? "0"),
    count: day.count,
  }));
  const total = points.reduce((sum, { value }) => sum + value, 0);
  const totalBefore = points.reduce((sum, { compare }) => sum + compare, 0);
  return (
    <Section
      title={t("title")}
      aside={
        <Button look="quiet" size="small" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
          {asTable ? t("showChart") : t("showTable")}
        </Button>
      }
    >
      <div className="mb-4 flex flex-wrap gap-x-6 gap-y-1 text-caption">
        <p className="flex items-center gap-2">
          <span aria-hidden="true" className="size-2.5 rounded-[2px] bg-accent" />
          {t("current", { amount: money(total) })}
        </p>
        <p className="flex items-center gap-2 text-muted">
          <span aria-hidden="true" className="h-0.5 w-4 bg-muted" />
          {t("before", { amount: money(totalBefore) })}
        </p>
      </div>
      {asTable ? (
        <DaysTable points={points} />
      ) : (
        <BarChart
          label={t("summary", { amount: money(total), before: money(totalBefore) })}
          points={points}
          describe={(point) => [
            t("paid", { count: point.count, amount: money(point.value) }),
            t("sameDay", { amount: money(point.compare) }),
          ]}
        />
      )}
    </Section>
  );
}

function DaysTable({ points }: { points: { label: string; value: number; compare: number; count: number }[] }) {
  const t = useTranslations("chart");
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <div className="max-h-72 overflow-y-auto" tabIndex={0}>
      <table className="w-full text-right">
        <caption className="sr-only">{t("title")}</caption>
        <thead className="sticky top-0 bg-ground text-caption text-muted">
          <tr>
            <th scope="col" className="py-2 text-left font-medium">
              {t("day")}
            </th>
            <th scope="col" className="font-medium">
              {t("count")}
            </th>
            <th scope="col" className="font-medium">
              {t("amount")}
            </th>
            <th scope="col" className="font-medium">
              {t("amountBefore")}
            </th>
          </tr>
        </thead>
        <tbody>
          {[...points].reverse().map(({ label, value, compare, count }) => (
            <tr key={label} className="h-9 border-t">
              <th scope="row" className="text-left font-normal">
                {label}
              </th>
              <td>{count}</td>
              <td>
                <Money cents={value} />
              </td>
              <td className="text-muted">
                <Money cents={compare} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
