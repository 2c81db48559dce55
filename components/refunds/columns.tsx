"use client";
import { ArrowRight } from "lucide-react";
import { useTranslations } from "use-intl";
import { cents } from "@/components/format";
import { type Column, covering } from "@/components/list/table";
import { RefundStatusWord } from "@/components/refunds/status";
import { CopyButton } from "@/components/ui/copy";
import { AccountLink } from "@/components/ui/link";
import { Money } from "@/components/ui/money";
import { Time } from "@/components/ui/time";
import type { Refund } from "@/lib/refunds/schema";

const linkOfAccount = ({ code }: Refund, name: string) => (
  <AccountLink href={`/refunds/${code}`} className={covering}>
    {name}
  </AccountLink>
);

/**
 * The columns of a list of refunds. A sale's own page names them by their reason, because all are of its client. `link`
 * is how a row leads to its refund, which the staff see on a page of theirs.
 */
export function useRefundColumns({ ofSale = false, link = linkOfAccount } = {}): Column<Refund>[] {
  const t = useTranslations("refunds");
  const reason = ({ reason }: Refund) => t(`reasons.${reason}`);
  const client = ({ transaction: { client, product } }: Refund) =>
    client.name || client.email || product.name || t("unnamed");
  const columns: (Column<Refund> | false)[] = [
    {
      head: t(ofSale ? "columns.reason" : "columns.client"),
      place: "title",
      cell: (row) => link(row, ofSale ? reason(row) : client(row)),
    },
    { head: t("columns.status"), place: "bottomLeft", cell: ({ status }) => <RefundStatusWord status={status} /> },
    !ofSale && { head: t("columns.reason"), place: "wide", className: "text-muted", cell: reason },
    {
      head: t("columns.requested"),
      place: "bottomRight",
      className: "text-muted",
      cell: (row) => <Time at={row.requested_at} />,
    },
    !ofSale && { head: t("columns.actions"), place: "actions", cell: ({ code }) => <Actions code={code} /> },
    { head: t("columns.amount"), place: "amount", cell: (row) => <Money cents={cents(row.amount)} /> },
  ];
  return columns.filter((column) => column !== false);
}

function Actions({ code }: { code: string }) {
  const t = useTranslations("refunds");
  return (
    <span className="inline-flex items-center gap-1 opacity-0 transition-opacity group-focus-within:opacity-100 group-hover:opacity-100">
      <CopyButton text={code} iconOnly label={t("copyCode")} className="relative z-[1]" />
      <ArrowRight aria-hidden="true" className="size-4 text-muted" />
    </span>
  );
}
