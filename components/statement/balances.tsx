"use client";
import { useTranslations } from "use-intl";
import { cents, useDates, useNumbers } from "@/components/format";
import type { Filters } from "@/components/list/source";
import type { StatementFilters } from "@/components/statement/days";
import { Money } from "@/components/ui/money";
import { Figure } from "@/components/ui/page";
import { BalanceKind, type StatementPage } from "@/lib/statement/schema";
import { endOfDay, startOfDay } from "@/lib/time/calendar";

type Props = { page: StatementPage; filters: Filters<StatementFilters> };

/** The four balances and their sum, now or at the end of the period that is asked for, and what they were at its start. */
export function StatementBalances({ page: { meta }, filters }: Props) {
  const t = useTranslations("statement");
  const { until } = useDates();
  const { money } = useNumbers();
  const { from, to } = filters;
  const label = to ? t("at", { moment: until(instantOf(to, endOfDay)) }) : t("now");
  const note =
    meta.opening && from
      ? t("openingAt", { moment: until(instantOf(from, startOfDay)), amount: money(cents(meta.opening.total)) })
      : undefined;
  return (
    <section aria-label={label} className="mb-4 flex flex-wrap items-start gap-x-12 gap-y-4 max-sm:*:first:basis-full">
      <Figure label={label} note={note}>
        <Money cents={cents(meta.balance.total)} />
      </Figure>
      <dl className="flex flex-wrap gap-x-10 gap-y-3 pt-0.5">
        {BalanceKind.options.map((kind) => (
          <div key={kind} className="grid content-start gap-0.5">
            <dt className="text-muted">{t(`kinds.${kind}`)}</dt>
            <dd className="tabular-nums">
              <Money cents={cents(meta.balance[kind])} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** The instant of a period's end, which is a day or an instant itself. */
const instantOf = (end: string, ofDay: (day: string) => Date) =>
  (end.length === 10 ? ofDay(end) : new Date(end)).toISOString();
