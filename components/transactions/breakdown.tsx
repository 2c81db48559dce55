"use client";
import { useTranslations } from "use-intl";
import { cents, money } from "@/components/format";
import type { TransactionDetail } from "@/components/transactions/queries";

/** Where the money of a sale goes: it adds up, with a rule above the last line. */
export function Breakdown({ breakdown }: { breakdown: TransactionDetail["breakdown"] }) {
  const t = useTranslations("sale");
  const { gross, fee, shares, net } = breakdown;
  return (
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
          <td className="text-right">{money(cents(net))}</td>
        </tr>
      </tbody>
    </table>
  );
}

function Line({ name, cents: amount }: { name: string; cents: number }) {
  return (
    <tr className="h-9">
      <th scope="row" className="text-left font-normal">
        {name}
      </th>
      <td className="text-right">{money(amount)}</td>
    </tr>
  );
}

const percent = (value: number | string) => String(Number(value)).replace(".", ",");
