"use client";
import { ArrowRight } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { useCardName } from "@/components/cards/card-name";
import { cents } from "@/components/format";
import { type Column, covering } from "@/components/list/table";
import type { SaleRow } from "@/components/transactions/queries";
import { SaleStatusWord } from "@/components/transactions/status";
import { CopyButton } from "@/components/ui/copy";
import { AccountLink } from "@/components/ui/link";
import { Money } from "@/components/ui/money";
import { Time } from "@/components/ui/time";
import { methodOfV2 } from "@/lib/methods/methods";

/** The columns of every list of sales. `link` is how a row leads to its sale, which the staff see on a page of theirs. */
export function useSaleColumns(link = linkOfAccount): Column<SaleRow>[] {
  const t = useTranslations("sales");
  const names = useTranslations("methods");
  const cardName = useCardName();
  return [
    { head: t("sale"), place: "title", cell: (row) => link(row, <Name row={row} />) },
    {
      head: t("status"),
      place: "bottomLeft",
      cell: ({ status, card }) => (
        <span className="inline-flex flex-wrap items-center gap-x-2">
          <SaleStatusWord status={status} />
          {card && <span className="whitespace-nowrap text-muted md:hidden">{cardName(card)}</span>}
        </span>
      ),
    },
    {
      head: t("method"),
      place: "wide",
      className: "whitespace-nowrap text-muted",
      cell: ({ card, method }) => (card ? cardName(card) : names(`${methodOfV2(method)}.name`)),
    },
    {
      head: t("when"),
      place: "bottomRight",
      className: "text-muted",
      cell: (row) => <Time at={row.created_at} />,
    },
    { head: t("actions"), place: "actions", cell: (row) => <Actions id={row.reference_id} /> },
    { head: t("amount"), place: "amount", cell: (row) => <Money cents={cents(row.amount)} /> },
  ];
}

const linkOfAccount = ({ reference_id: id }: SaleRow, name: ReactNode) => (
  <AccountLink href={`/transactions/${id}`} className={covering}>
    {name}
  </AccountLink>
);

function Name({ row: { customer, description } }: { row: SaleRow }) {
  const t = useTranslations("sales");
  const title = customer?.name || description || customer?.email || t("unnamed");
  const second = customer?.name ? description : null;
  return (
    <>
      {title}
      {second && <span className="font-normal text-muted"> · {second}</span>}
    </>
  );
}

function Actions({ id }: { id: string }) {
  const t = useTranslations("sales");
  return (
    <span className="inline-flex items-center gap-1 opacity-0 transition-opacity group-focus-within:opacity-100 group-hover:opacity-100">
      <CopyButton text={id} iconOnly label={t("copyId")} className="relative z-[1]" />
      <ArrowRight aria-hidden="true" className="size-4 text-muted" />
    </span>
  );
}
