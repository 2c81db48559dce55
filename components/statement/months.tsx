"use client";
import { clsx } from "clsx";
import { Printer } from "lucide-react";
import { useTranslations } from "use-intl";
import { useApi, useSession } from "@/components/account";
import { cents, useDates } from "@/components/format";
import { List, type ListProps } from "@/components/list/list";
import { useList } from "@/components/list/use-list";
import { StatementTabs } from "@/components/statement/tabs";
import { Button } from "@/components/ui/button";
import { AccountLink } from "@/components/ui/link";
import { Money } from "@/components/ui/money";
import { Section } from "@/components/ui/page";
import {
  BalanceKind,
  type Balances,
  type MonthsPage,
  type MonthsQuery,
  type StatementMonth,
} from "@/lib/statement/schema";
import { lastDayOf } from "@/lib/time/calendar";

/** The closings of the account's months, the last one first, and each alone to be printed. */
export function StatementMonths({ source, curl }: ListProps<MonthsPage, Exclude<keyof MonthsQuery, "per_page">>) {
  const t = useTranslations("statement");
  const { result, list } = useList(source, useApi().account);
  return (
    <List
      result={result}
      list={list}
      title={t("months")}
      purpose={t("monthsPurpose")}
      pages={<StatementTabs />}
      empty={t("noMonths")}
      curl={curl}
      shown={t}
    >
      {(months: StatementMonth[]) => (
        <div className="grid gap-10">
          {months.map((month) => (
            <Month key={month.month} month={month} isAlone={Boolean(list.filters.month)} />
          ))}
        </div>
      )}
    </List>
  );
}

function Month({ month, isAlone }: { month: StatementMonth; isAlone: boolean }) {
  const t = useTranslations("statement");
  const name = useDates().month(month.month);
  const { account } = useSession();
  const [from, to] = [`${month.month}-01`, lastDayOf(month.month)];
  const title = t("closingOf", { month: name });
  return (
    <Section
      title={
        isAlone ? (
          title
        ) : (
          <AccountLink
            href={`/statement/months?month=${month.month}`}
            className="underline decoration-line underline-offset-4 hover:decoration-current"
          >
            {title}
          </AccountLink>
        )
      }
      aside={
        isAlone && (
          <Button className="print:hidden" onClick={() => window.print()}>
            <Printer aria-hidden="true" />
            {t("print")}
          </Button>
        )
      }
      className="break-inside-avoid"
    >
      <p className="mb-2 hidden print:block">{account.name}</p>
      <Closing month={month} title={title} />
      <AccountLink
        href={`/statement?from=${from}&to=${to}`}
        className="mt-3 inline-block underline underline-offset-4 print:hidden"
      >
        {t("seeLines", { month: name })} ({t("lineCount", { count: month.lines })})
      </AccountLink>
    </Section>
  );
}

/**
 * Opening balance and what each subject came to, above a rule and the closing balance: a column for each balance, on a phone a
 * table for each. Balances that had nothing are left out.
 */
function Closing({ month: { opening, sums, closing }, title }: { month: StatementMonth; title: string }) {
  const t = useTranslations("statement");
  const all = [opening, ...sums, closing];
  const used = BalanceKind.options.filter((kind) => all.some((balances) => cents(balances[kind]) !== 0));
  const columns = used.length > 1 ? ([...used, "total"] as const) : used.length === 1 ? used : (["total"] as const);
  const rows: Row[] = [
    { name: t("opening"), balances: opening },
    ...sums.map((sum) => ({ name: t(`topics.${sum.about}`), balances: sum })),
    { name: t("closing"), balances: closing, isEnd: true },
  ];
  return (
    <>
      <ClosingTable title={title} rows={rows} columns={columns} className="max-sm:hidden" />
      <div className="grid gap-6 sm:hidden">
        {columns.map((column) => (
          <ClosingTable key={column} title={`${title}: ${t(`kinds.${column}`)}`} rows={rows} columns={[column]} />
        ))}
      </div>
    </>
  );
}

type Row = { name: string; balances: Balances; isEnd?: boolean };
type Column = keyof Balances;
type TableProps = { title: string; rows: readonly Row[]; columns: readonly Column[]; className?: string };

function ClosingTable({ title, rows, columns, className }: TableProps) {
  const t = useTranslations("statement");
  return (
    <table className={clsx("w-full", className)}>
      <caption className="sr-only">{title}</caption>
      <thead>
        <tr className="text-caption text-muted">
          <td />
          {columns.map((column) => (
            <th key={column} scope="col" className="py-1 pl-4 text-right font-medium">
              {t(`kinds.${column}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, balances, isEnd }) => (
          <tr key={name} className={clsx(isEnd ? "rule-sum h-11 font-semibold" : "h-9")}>
            <th scope="row" className={clsx("py-1 pr-4 text-left", isEnd ? "font-semibold" : "font-normal")}>
              {name}
            </th>
            {columns.map((column) => (
              <td key={column} className={clsx("pl-4 text-right", column === "total" && "font-medium")}>
                <Money cents={cents(balances[column])} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
