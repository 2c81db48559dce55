"use client";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { Deadline } from "@/components/disputes/deadline";
import { DisputeStatusWord } from "@/components/disputes/status";
import { cents } from "@/components/format";
import { type Column, covering } from "@/components/list/table";
import { AccountLink } from "@/components/ui/link";
import { Money } from "@/components/ui/money";
import type { Dispute } from "@/lib/disputes/schema";

const linkOfAccount = ({ code }: Dispute, name: ReactNode) => (
  <AccountLink href={`/disputes/${code}`} className={covering}>
    {name}
  </AccountLink>
);

/** The columns of a list of disputes, with what is at stake. */
export function useDisputeColumns(): Column<Dispute>[] {
  const t = useTranslations("disputes");
  return [
    {
      head: t("columns.client"),
      place: "title",
      cell: (row) => {
        const { client, product } = row.transaction;
        return linkOfAccount(row, client.name || client.email || product.name || t("unnamed"));
      },
    },
    { head: t("columns.status"), place: "bottomLeft", cell: ({ status }) => <DisputeStatusWord status={status} /> },
    { head: t("columns.reason"), place: "wide", className: "text-muted", cell: ({ reason }) => t(`reasons.${reason}`) },
    {
      head: t("columns.deadline"),
      place: "bottomRight",
      className: "text-muted",
      cell: (row) => <Deadline dispute={row} />,
    },
    { head: t("columns.amount"), place: "amount", cell: ({ amount }) => <Money cents={cents(amount)} /> },
  ];
}
