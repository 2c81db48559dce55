"use client";
import { clsx } from "clsx";
import type { ReactNode } from "react";
import { useLocale, useTranslations } from "use-intl";
import { cents, dayOf, useDates, useNumbers } from "@/components/format";
import { ExportButtons } from "@/components/list/export";
import type { ListSource } from "@/components/list/source";
import { useList } from "@/components/list/use-list";
import { StatementBalances } from "@/components/statement/balances";
import { Money } from "@/components/ui/money";
import {
  BalanceKind,
  type StatementLine,
  type StatementPage,
  type StatementQuery,
  Topic,
} from "@/lib/statement/schema";

export type StatementFilters = Exclude<keyof StatementQuery, "per_page">;
/** The link to a line's record, by the line's name; null where there is none that this person may open. */
export type LinkOf = (record: StatementLine["record"], name: string) => ReactNode;

/** The look of a link to a line's record, which covers its row. Its words are read whole. */
export const lineLink = "block font-medium after:absolute after:inset-0";

/** What a statement's page gives to its list, for its owner and for the staff alike. */
export function useStatementList<P extends StatementPage>(
  source: ListSource<P, StatementFilters>,
  account: string | null,
  linkOf: LinkOf,
) {
  const t = useTranslations("statement");
  const { result, list } = useList(source, account);
  const { from, to, balance, about } = list.filters;
  const language = useLocale();
  return {
    result,
    list,
    tools: result.data && <StatementBalances page={result.data} filters={list.filters} />,
    choices: [
      {
        ...{ filter: "balance" as const, label: t("kind"), any: t("anyKind") },
        options: BalanceKind.options.map((kind) => [kind, t(`kinds.${kind}`)] as const),
      },
      {
        ...{ filter: "about" as const, label: t("about"), any: t("anyAbout") },
        options: Topic.options.map((topic) => [topic, t(`topics.${topic}`)] as const),
      },
    ],
    hasPeriod: true,
    beside: account && (
      <ExportButtons
        path="/api/partner/v1/statement/export"
        account={account}
        asked={{ from, to, balance, about, language }}
        file={t("file")}
      />
    ),
    nothing: t("nothing"),
    shown: t,
    children: (lines: StatementLine[]) => <Days lines={lines} linkOf={linkOf} />,
  };
}

/** Lines under the days on which they were made, each with the balance after it. */
function Days({ lines, linkOf }: { lines: readonly StatementLine[]; linkOf: LinkOf }) {
  const t = useTranslations("statement");
  const { date } = useDates();
  const days = new Map<string, StatementLine[]>();
  for (const line of lines) {
    const day = dayOf(new Date(line.created_at));
    days.set(day, [...(days.get(day) ?? []), line]);
  }
  const hasAfter = lines.some((line) => line.balance_after !== null);
  const head = "sticky top-0 z-10 bg-ground py-2 font-medium text-caption text-muted";
  return (
    <table className="w-full border-b max-sm:block">
      <caption className="sr-only">{t("title")}</caption>
      <thead className="max-sm:sr-only">
        <tr>
          <th scope="col" className={clsx(head, "text-left")}>
            {t("line")}
          </th>
          <th scope="col" className={clsx(head, "text-left")}>
            {t("balance")}
          </th>
          <th scope="col" className={clsx(head, "text-right")}>
            {t("amount")}
          </th>
          {hasAfter && (
            <th scope="col" className={clsx(head, "text-right")}>
              {t("after")}
            </th>
          )}
        </tr>
      </thead>
      {[...days].map(([day, some]) => (
        <tbody key={day} className="max-sm:block">
          <tr className="border-t max-sm:block">
            <th
              scope="rowgroup"
              colSpan={hasAfter ? 4 : 3}
              className="pt-5 pb-2 text-left font-semibold tabular-nums max-sm:block"
            >
              {date(some[0]?.created_at ?? "")}
            </th>
          </tr>
          {some.map((line) => (
            <Line key={line.id} line={line} linkOf={linkOf} hasAfter={hasAfter} />
          ))}
        </tbody>
      ))}
    </table>
  );
}

type LineProps = { line: StatementLine; linkOf: LinkOf; hasAfter: boolean };

function Line({ line, linkOf, hasAfter }: LineProps) {
  const t = useTranslations("statement");
  const { full } = useDates();
  const { money } = useNumbers();
  const wordsOf = useLineWords();
  const name = wordsOf(line);
  const amount = cents(line.amount);
  const isIn = amount > 0;
  const [at, after] = [full(line.created_at), line.balance_after];
  return (
    <tr className="group relative border-t transition-colors hover:bg-line/35 max-sm:grid max-sm:grid-cols-[minmax(0,1fr)_auto] max-sm:gap-x-4 max-sm:gap-y-0.5 max-sm:py-2.5">
      <td className="py-2 pr-4 max-sm:py-0 max-sm:pr-0 sm:max-w-0 sm:w-1/2">
        {linkOf(line.record, name) ?? <span className="block font-medium">{name}</span>}
        <span className="wrap-anywhere line-clamp-3 whitespace-normal text-caption text-muted">
          <time dateTime={line.created_at} title={at} className="whitespace-nowrap">
            {at.split(", ")[1]}
          </time>
          {line.reason && ` · ${line.reason}`}
        </span>
      </td>
      <td className="whitespace-nowrap py-2 pr-4 text-muted max-sm:order-3 max-sm:py-0 max-sm:text-caption">
        {t(`kinds.${line.balance}`)} · {t(isIn ? "came" : "went")}
      </td>
      <td
        className={clsx(
          "whitespace-nowrap py-2 text-right font-medium tabular-nums max-sm:order-2 max-sm:py-0",
          isIn && "text-good",
        )}
      >
        {isIn && "+"}
        {money(amount)}
      </td>
      {hasAfter && (
        <td className="whitespace-nowrap py-2 pl-6 text-right text-muted max-sm:order-4 max-sm:py-0 max-sm:pl-0 max-sm:text-caption">
          {after !== null && (
            <>
              <span className="sr-only">{t("after")} </span>
              <Money cents={cents(after)} />
            </>
          )}
        </td>
      )}
    </tr>
  );
}

/** What happened by a line, in the reader's language. A line of a later version is some other one. */
function useLineWords() {
  const t = useTranslations("statement");
  return ({ type, balance, amount, is_fee, party }: StatementLine) => {
    const way = `${balance}_${cents(amount) > 0 ? "in" : "out"}${is_fee ? "_fee" : ""}`;
    const key = `lines.${type}.${way}` as "lines.split_paid.available_out";
    return t.has(key) ? t(key, { party: party ?? "—" }) : t("other");
  };
}
