"use client";
import { useTranslations } from "use-intl";
import { cents, useDates } from "@/components/format";
import { covering, Table } from "@/components/list/table";
import type { Charge } from "@/components/subscriptions/detail-queries";
import { ChargeWord } from "@/components/subscriptions/detail-status";
import { AccountLink } from "@/components/ui/link";
import { Money } from "@/components/ui/money";
import { Time } from "@/components/ui/time";

/** The charges of a subscription, newest first; a row opens the sale that collects it. */
export function Charges({ charges }: { charges: Charge[] }) {
  const t = useTranslations("subscriptions.detail");
  const { day } = useDates();
  return (
    <Table
      caption={t("charges")}
      rows={charges}
      keyOf={({ cycle_number, kind, expires_at }) => `${cycle_number} ${kind} ${expires_at}`}
      columns={[
        { head: t("charge"), place: "title", cell: (charge) => <Title charge={charge} /> },
        { head: t("chargeStatus.label"), place: "bottomLeft", cell: ({ status }) => <ChargeWord status={status} /> },
        {
          head: t("due"),
          place: "bottomRight",
          className: "whitespace-nowrap text-muted tabular-nums",
          cell: ({ due_date }) => `${day(due_date)} ${due_date.slice(0, 4)}`,
        },
        {
          head: t("paidAt"),
          place: "wide",
          className: "text-muted",
          cell: ({ paid_at }) => paid_at && <Time at={paid_at} absolute />,
        },
        { head: t("amount"), place: "amount", cell: ({ amount }) => <Money cents={cents(amount)} /> },
      ]}
    />
  );
}

function Title({ charge: { cycle_number: number, kind, payment } }: { charge: Charge }) {
  const t = useTranslations("subscriptions.detail");
  const title = kind === "upgrade" ? t("upgradeNamed", { number }) : t("chargeNamed", { number });
  if (!payment.identifier) return <span className="block truncate font-medium">{title}</span>;
  return (
    <AccountLink href={`/transactions/${payment.identifier}`} className={covering}>
      {title}
    </AccountLink>
  );
}
