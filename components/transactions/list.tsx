"use client";
import { useTranslations } from "use-intl";
import { useApi, useMay, useMaySell } from "@/components/account";
import { List } from "@/components/list/list";
import { Period } from "@/components/list/period";
import { StatusTabs } from "@/components/list/tabs";
import { Toolbar } from "@/components/list/toolbar";
import { useList } from "@/components/list/use-list";
import { type SaleRow, sales } from "@/components/transactions/queries";
import { SalesTable } from "@/components/transactions/table";
import { Select } from "@/components/ui/field";

const statuses = ["completed", "pending", "expired", "refunded"] as const;
const rareStatuses = ["refused", "failed", "disputed", "chargedback"] as const;

export function Sales({ curl }: { curl: string }) {
  const t = useTranslations("sales");
  const status = useTranslations("status");
  const { result, list } = useList(sales, useApi().account);
  const mayDeposit = useMay("transactions:write");
  const maySell = useMaySell();
  const { method } = list.filters;
  const rows = result.data?.data ?? [];
  const of = (["plan", "subscription", "payment_link", "customer"] as const).find((name) => list.filters[name]);
  const name = of && of !== "plan" && sharedName(rows, of === "payment_link" ? describe : nameOf);
  return (
    <List
      result={result}
      list={list}
      title={t("title")}
      add={mayDeposit && { label: t("newDeposit"), href: "/charges/new", disabled: !maySell }}
      empty={t("empty")}
      curl={curl}
      {...(of && { purpose: name ? t(`ofNamed.${of}`, { name }) : t(`of.${of}`) })}
      nothing={t("nothingFound")}
      place={({ data, meta }) =>
        t(meta.total_is_exact ? "shown" : "shownOfMore", { shown: data.length, total: meta.total })
      }
      tools={
        <>
          <StatusTabs
            list={list}
            label={status("label")}
            statuses={statuses}
            rare={rareStatuses}
            counts={result.data?.meta.counts}
            areLeast={result.data?.meta.total_is_exact === false}
            name={(tab) => status(`tabs.${tab}`)}
          />
          <Toolbar list={list} label={t("search")} hint={t("searchHint")}>
            <Select
              aria-label={t("method")}
              value={method === "card" ? "credit_card" : (method ?? "")}
              onChange={({ target }) => list.go({ method: target.value })}
              className="!w-auto"
            >
              <option value="">{t("anyMethod")}</option>
              <option value="pix">Pix</option>
              <option value="credit_card">{t("card")}</option>
            </Select>
            <Period list={list} />
          </Toolbar>
        </>
      }
    >
      {(rows) => <SalesTable rows={rows} />}
    </List>
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
