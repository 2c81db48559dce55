"use client";
import { useTranslations } from "use-intl";
import { useApi, useMay, useMaySell } from "@/components/account";
import { ExportButtons } from "@/components/list/export";
import { List, type ListProps } from "@/components/list/list";
import { useList } from "@/components/list/use-list";
import { ByTracking } from "@/components/transactions/by-tracking";
import { useSaleColumns } from "@/components/transactions/columns";
import type { SaleRow } from "@/components/transactions/queries";
import { methodNamed, methodNames, methods } from "@/lib/methods/methods";
import type { TransactionPage, TransactionQuery } from "@/lib/transactions/schema";

const statuses = ["completed", "pending", "expired", "refunded"] as const;
const rareStatuses = ["refused", "failed", "disputed", "chargedback"] as const;

export function Sales({ source, curl }: ListProps<TransactionPage, keyof TransactionQuery>) {
  const t = useTranslations("sales");
  const status = useTranslations("status");
  const names = useTranslations("methods");
  const { account } = useApi();
  const { result, list } = useList(source, account);
  const mayDeposit = useMay("transactions:write");
  const maySell = useMaySell();
  const { method } = list.filters;
  const chosen = method ? methodNamed(method) : undefined;
  const rows = result.data?.data ?? [];
  const of = (["plan", "subscription", "payment_link", "customer"] as const).find((name) => list.filters[name]);
  const isNamed = of === "subscription" || of === "payment_link" || of === "customer";
  const name = isNamed && sharedName(rows, of === "payment_link" ? describe : nameOf);
  return (
    <List
      result={result}
      list={list}
      title={t("title")}
      add={mayDeposit && { label: t("newDeposit"), href: "/charges/new", disabled: !maySell }}
      empty={t("empty")}
      curl={curl}
      {...(of && { purpose: name && isNamed ? t(`ofNamed.${of}`, { name }) : t(`of.${of}`) })}
      nothing={t("nothingFound")}
      shown={t}
      tabs={{
        label: status("label"),
        statuses,
        rare: rareStatuses,
        areLeast: result.data?.meta.total_is_exact === false,
        name: (tab) => status(`tabs.${tab}`),
      }}
      search={{ label: t("search"), hint: t("searchHint") }}
      choices={[
        {
          ...{ filter: "method", label: t("method"), any: t("anyMethod") },
          options: methodNames.map((name) => [methods[name].v2, names(`${name}.name`)] as const),
          ...(chosen && { chosen: methods[chosen].v2 }),
        },
      ]}
      hasPeriod
      beside={
        list.filters.type !== "cash_out" && (
          <>
            <ByTracking list={list} />
            <ExportButtons
              path="/api/partner/v2/transactions/export"
              account={account}
              asked={{ ...list.filters, page: undefined, cursor: undefined }}
              file={t("file")}
            />
          </>
        )
      }
      keyOf={({ reference_id }) => reference_id}
      columns={useSaleColumns()}
    />
  );
}

const nameOf = ({ customer }: SaleRow) => customer.name;
/** A sale of a link has the link's description; one of a plan may have any. */
const describe = ({ description }: SaleRow) => description;

/** What all of these sales are called; undefined where they are not called the same. */
function sharedName(rows: readonly SaleRow[], named: (row: SaleRow) => string | null): string | undefined {
  const names = new Set(rows.map(named));
  return names.size === 1 ? ([...names][0] ?? undefined) : undefined;
}
