"use client";
import { useTranslations } from "use-intl";
import { useApi, useMay } from "@/components/account";
import { List, type ListProps } from "@/components/list/list";
import type { AccountPath } from "@/components/paths";
import { useMaySeeRefunds } from "@/components/refunds/may-see";
import { type LinkOf, lineLink, type StatementFilters, useStatementList } from "@/components/statement/days";
import { StatementTabs } from "@/components/statement/tabs";
import { AccountLink } from "@/components/ui/link";
import type { StatementPage } from "@/lib/statement/schema";

/** The account's balances, and every line that made them so, newest first. */
export function Statement({ source, curl }: ListProps<StatementPage, StatementFilters>) {
  const t = useTranslations("statement");
  const shown = useStatementList(source, useApi().account, useLinkOf());
  return (
    <List
      {...shown}
      title={t("title")}
      purpose={t("purpose")}
      pages={<StatementTabs />}
      empty={t("empty")}
      curl={curl}
    />
  );
}

/** The link to a line's record, where this person may open its page. */
function useLinkOf(): LinkOf {
  const may = {
    transaction: useMay("transactions:read"),
    refund: useMaySeeRefunds(),
    earning: useMay("splits:read"),
    withdrawal: useMay("withdrawals:read"),
    dispute: useMay("disputes:read"),
  };
  return (record, name) =>
    record && may[record.subject] ? (
      <AccountLink href={record.path as AccountPath} className={lineLink}>
        {name}
      </AccountLink>
    ) : null;
}
