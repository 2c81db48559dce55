"use client";
import { useTranslations } from "use-intl";
import { cents, percent, useDates } from "@/components/format";
import type { TransactionDetail } from "@/components/transactions/queries";
import { Money } from "@/components/ui/money";

/** How the money of a sale is divided, with a rule above the sum, and when it can be withdrawn. */
export function Breakdown({ detail }: { detail: TransactionDetail }) {
  const t = useTranslations("sale");
  const { gross, fee, shares, net } = detail.breakdown;
  const { status } = detail.transaction;
  if (status === "refused" || status === "failed") return <p className="text-muted">{t("nothingMoved")}</p>;
  return (
    <>
      <table className="w-full">
        <caption className="sr-only">{t("breakdown")}</caption>
        <tbody>
          <Line name={t("gross")} cents={cents(gross)} />
          <Line name={t("fee")} cents={-cents(fee)} />
          {shares.map(({ name, percentage, amount }) => (
            <Line
              key={`${name} ${percentage} ${amount}`}
              name={t("share", { name, percentage: percent(percentage) })}
              cents={-cents(amount)}
            />
          ))}
          <tr className="rule-sum h-11 font-semibold">
            <th scope="row" className="text-left font-semibold">
              {t("net")}
            </th>
            <td className="text-right">
              <Money cents={cents(net)} />
            </td>
          </tr>
        </tbody>
      </table>
      {status === "completed" && <Settlement detail={detail} />}
    </>
  );
}

/** When the money of a card sale becomes available. A Pix sale's is available at once. */
function Settlement({ detail: { settles_at, settled_at } }: { detail: TransactionDetail }) {
  const t = useTranslations("sale");
  const { full } = useDates();
  if (!settles_at) return null;
  const text = settled_at ? t("settled", { time: full(settled_at) }) : t("settles", { time: full(settles_at) });
  return <p className="mt-2 text-caption text-muted">{text}</p>;
}

function Line({ name, cents: amount }: { name: string; cents: number }) {
  return (
    <tr className="h-9">
      <th scope="row" className="text-left font-normal">
        {name}
      </th>
      <td className="text-right">
        <Money cents={amount} />
      </td>
    </tr>
  );
}
