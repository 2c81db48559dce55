"use client";
import { ArrowRight } from "lucide-react";
import { useTranslations } from "use-intl";
import { useCardName } from "@/components/cards/card-name";
import { cents, money } from "@/components/format";
import type { SaleRow } from "@/components/transactions/queries";
import { SaleStatusWord } from "@/components/transactions/status";
import { CopyButton } from "@/components/ui/copy";
import { RowLink } from "@/components/ui/row-link";
import { Time } from "@/components/ui/time";

const head = "sticky top-0 z-10 bg-ground py-2 text-left font-medium text-caption text-muted";

/** Sales, newest first. A row opens its detail; under 640 px it is a card of two lines. */
export function SalesTable({ rows }: { rows: SaleRow[] }) {
  const t = useTranslations("sales");
  return (
    <table className="w-full border-b max-sm:block">
      <caption className="sr-only">{t("title")}</caption>
      <thead className="max-sm:sr-only">
        <tr>
          <th scope="col" className={head}>
            {t("sale")}
          </th>
          <th scope="col" className={head}>
            {t("status")}
          </th>
          <th scope="col" className={`${head} max-md:hidden`}>
            {t("method")}
          </th>
          <th scope="col" className={head}>
            {t("when")}
          </th>
          <th scope="col" className={`${head} w-20`}>
            <span className="sr-only">{t("actions")}</span>
          </th>
          <th scope="col" className={`${head} text-right`}>
            {t("amount")}
          </th>
        </tr>
      </thead>
      <tbody className="max-sm:block">
        {rows.map((row) => (
          <Row key={row.reference_id} row={row} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ row }: { row: SaleRow }) {
  const t = useTranslations("sales");
  const cardName = useCardName();
  const { reference_id: id, customer, description, card } = row;
  const title = customer?.name || description || customer?.email || t("unnamed");
  const second = customer?.name ? description : null;
  return (
    <tr className="group relative h-11 border-t transition-colors hover:bg-line/35 max-sm:grid max-sm:h-auto max-sm:grid-cols-[minmax(0,1fr)_auto] max-sm:gap-x-4 max-sm:gap-y-0.5 max-sm:py-2.5">
      <td className="max-w-0 py-1 sm:w-[40%] sm:pr-4 max-sm:max-w-none max-sm:py-0">
        <RowLink href={`/transactions/${id}`} className="block truncate font-medium after:absolute after:inset-0">
          {title}
          {second && <span className="font-normal text-muted"> · {second}</span>}
        </RowLink>
      </td>
      <td className="pr-4 max-sm:order-3 max-sm:pr-0 max-sm:text-caption">
        <span className="inline-flex flex-wrap items-center gap-x-2">
          <SaleStatusWord status={row.status} />
          {card && <span className="whitespace-nowrap text-muted md:hidden">{cardName(card)}</span>}
        </span>
      </td>
      <td className="whitespace-nowrap pr-4 text-muted max-md:hidden">
        {card ? cardName(card) : row.method === "pix" ? "Pix" : t("card")}
      </td>
      <td className="pr-4 text-muted max-sm:order-4 max-sm:pr-0 max-sm:text-right max-sm:text-caption">
        <Time at={row.created_at} />
      </td>
      <td className="text-right max-sm:hidden">
        <span className="inline-flex items-center gap-1 opacity-0 transition-opacity group-focus-within:opacity-100 group-hover:opacity-100">
          <CopyButton text={id} iconOnly label={t("copyId")} className="relative z-[1]" />
          <ArrowRight aria-hidden="true" className="size-4 text-muted" />
        </span>
      </td>
      <td className="text-right font-medium max-sm:order-2">{money(cents(row.amount))}</td>
    </tr>
  );
}
