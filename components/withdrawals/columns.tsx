"use client";
import { useTranslations } from "use-intl";
import { cents } from "@/components/format";
import { type Column, covering } from "@/components/list/table";
import { AccountLink } from "@/components/ui/link";
import { Money } from "@/components/ui/money";
import { Time } from "@/components/ui/time";
import { keyText, payeeText } from "@/components/withdrawals/key";
import { WithdrawalStatusWord } from "@/components/withdrawals/status";
import type { Withdrawal } from "@/lib/withdrawals/schema";

/** The columns of a list of withdrawals. */
export function useWithdrawalColumns(): Column<Withdrawal>[] {
  const t = useTranslations("withdrawals");
  return [
    {
      head: t("columns.payee"),
      place: "title",
      cell: (row) => (
        <AccountLink href={`/withdrawals/${row.reference_id}`} className={covering}>
          {payeeText(row)}
        </AccountLink>
      ),
    },
    {
      head: t("columns.key"),
      place: "wide",
      className: "max-w-60 truncate text-muted",
      cell: ({ pix_key_type: type, pix_key: key }) => keyText({ type, key }),
    },
    { head: t("columns.status"), place: "bottomLeft", cell: (row) => <WithdrawalStatusWord status={row.status} /> },
    {
      head: t("columns.requested"),
      place: "bottomRight",
      className: "text-muted",
      cell: (row) => <Time at={row.created_at} />,
    },
    { head: t("columns.amount"), place: "amount", cell: (row) => <Money cents={cents(row.amount)} /> },
  ];
}
