"use client";
import { useTranslations } from "use-intl";
import { useApi, useMay } from "@/components/account";
import { cents } from "@/components/format";
import { List, type ListProps } from "@/components/list/list";
import { covering } from "@/components/list/table";
import { useList } from "@/components/list/use-list";
import { useMaySeeRefunds } from "@/components/refunds/may-see";
import { AccountLink } from "@/components/ui/link";
import { Money } from "@/components/ui/money";
import { Figure } from "@/components/ui/page";
import { Time } from "@/components/ui/time";
import type { StatementLine, StatementPage, StatementQuery } from "@/lib/statement/schema";

/** The account's balance, and every line that made it so, newest first. */
export function Statement({ source }: ListProps<StatementPage, Exclude<keyof StatementQuery, "per_page">>) {
  const t = useTranslations("statement");
  const kinds = useTranslations("timeline.kinds");
  const { result, list } = useList(source, useApi().account);
  const balance = result.data?.meta.balance;
  return (
    <List
      result={result}
      list={list}
      title={t("title")}
      purpose={t("purpose")}
      tools={balance && <Balances balance={balance} />}
      empty={t("empty")}
      shown={t}
      keyOf={({ id }) => id}
      columns={[
        { head: t("line"), place: "title", cell: (line) => <Title line={line} /> },
        {
          head: t("balance"),
          place: "bottomLeft",
          className: "whitespace-nowrap text-muted first-letter:uppercase",
          cell: ({ balance }) => kinds(balance),
        },
        {
          head: t("when"),
          place: "bottomRight",
          className: "text-muted",
          cell: (line) => <Time at={line.created_at} />,
        },
        { head: t("amount"), place: "amount", cell: (line) => <Money cents={cents(line.amount)} /> },
      ]}
    />
  );
}

function Balances({ balance }: { balance: StatementPage["meta"]["balance"] }) {
  const t = useTranslations("balance");
  return (
    <div className="mb-6 flex flex-wrap gap-x-12 gap-y-4 max-sm:*:first:basis-full">
      <Figure label={t("available")}>
        <Money cents={cents(balance.balance)} />
      </Figure>
      {(["pending", "blocked"] as const).map((kind) => (
        <div key={kind} className="grid content-end gap-0.5">
          <p className="text-muted">{t(kind)}</p>
          <p className="tabular-nums">
            <Money cents={cents(balance[kind])} />
          </p>
        </div>
      ))}
    </div>
  );
}

/** Where the pages of records are. */
const pages = { transaction: "transactions", refund: "refunds", dispute: "disputes" } as const;

/** What happened, and where it leads. Of an adjustment the operator's reason, which is read whole. */
function Title({ line: { type, reason, record } }: { line: StatementLine }) {
  const t = useTranslations("timeline");
  const isOpen = useMayOpen();
  const key = `ledgerLines.${type}` as "ledgerLines.split_paid";
  const name = t.has(key) ? t(key) : t("other");
  return (
    <>
      {record && isOpen[record.subject] ? (
        <AccountLink href={`/${pages[record.subject]}/${record.id}`} className={covering}>
          {name}
        </AccountLink>
      ) : (
        <span className="block truncate font-medium">{name}</span>
      )}
      {reason && <span className="wrap-anywhere block whitespace-normal text-caption text-muted">{reason}</span>}
    </>
  );
}

/** The records whose pages this person may open. */
function useMayOpen() {
  return { transaction: useMay("transactions:read"), refund: useMaySeeRefunds(), dispute: useMay("disputes:read") };
}
