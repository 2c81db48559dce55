"use client";
import { useTranslations } from "use-intl";
import { cents, useDates, useNumbers } from "@/components/format";
import type { SaleStatus, TransactionDetail } from "@/components/transactions/queries";
import { Money } from "@/components/ui/money";
import { SumTable } from "@/components/ui/sum-table";

type Props = {
  detail: TransactionDetail;
  /** The word for what is left: its seller reads of itself, the staff of the seller. */
  net?: "net" | "netOfSeller";
};

/** How the money of a sale is divided, with a rule above the sum, and when it can be withdrawn. */
export function Breakdown({ detail, net: word = "net" }: Props) {
  const { percent } = useNumbers();
  const t = useTranslations("sale");
  const { gross, fee, shares, net } = detail.breakdown;
  const { status } = detail.transaction;
  const nothing = withoutNet[status];
  if (nothing) return <p className="text-muted">{t(nothing)}</p>;
  return (
    <>
      <SumTable
        caption={t("breakdown")}
        lines={[
          [t("gross"), <Money key="gross" cents={cents(gross)} />],
          [t("fee"), <Money key="fee" cents={-cents(fee)} />],
          ...shares.map(
            ({ name, percentage, amount }) =>
              [
                t("share", { name, percentage: percent(percentage) }),
                <Money key={name} cents={-cents(amount)} />,
              ] as const,
          ),
        ]}
        sum={[t(status === "pending" ? "netIfPaid" : word), <Money key="net" cents={cents(net)} />]}
      />
      {status === "completed" && <Settlement detail={detail} />}
    </>
  );
}

/** What is said of a sale that leaves its seller nothing, instead of a net amount that never comes. */
const withoutNet: Partial<Record<SaleStatus, "nothingMoved" | "notPaid" | "returned">> = {
  refused: "nothingMoved",
  failed: "nothingMoved",
  expired: "notPaid",
  refunded: "returned",
  chargedback: "returned",
};

/** When the money of a card sale becomes available. A Pix sale's is available at once. */
function Settlement({ detail: { settles_at, settled_at } }: { detail: TransactionDetail }) {
  const t = useTranslations("sale");
  const { full } = useDates();
  if (!settles_at) return null;
  const text = settled_at ? t("settled", { time: full(settled_at) }) : t("settles", { time: full(settles_at) });
  return <p className="mt-2 text-caption text-muted">{text}</p>;
}
