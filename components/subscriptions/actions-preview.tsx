"use client";
import { useTranslations } from "use-intl";
import { cents, useNumbers } from "@/components/format";
import { Effects, useClock } from "@/components/subscriptions/actions-effect";
import type { Preview } from "@/components/subscriptions/detail-queries";
import { Money } from "@/components/ui/money";
import { SumTable } from "@/components/ui/sum-table";

/** What a change of plan does, line by line: what is charged now, what is charged next, and each recipient's share. */
export function PlanChangeEffect({ preview }: { preview: Preview }) {
  const { money } = useNumbers();
  const t = useTranslations("subscriptions.detail.change");
  const { dayOf } = useClock();
  const { lines, proration_amount, effective, effective_at, next_amount, next_charge_at, shares } = preview;
  const isCharged = cents(proration_amount) > 0;
  return (
    <div className="grid gap-5" aria-live="polite">
      <Effects
        of={[
          effective === "when_paid" ? (isCharged ? t("whenPaid") : t("atOnce")) : t("fromNext", from(effective_at)),
          next_charge_at && t("next", { amount: money(cents(next_amount)), day: dayOf(next_charge_at) }),
        ]}
      />
      {isCharged && (
        <SumTable
          caption={t("lines")}
          lines={lines.map(({ kind, plan, days, amount }) => [
            t(kind, { plan, days }),
            <Money key={kind} cents={kind === "credit" ? -cents(amount) : cents(amount)} />,
          ])}
          sum={[t("difference"), <Money key="sum" cents={cents(proration_amount)} />]}
        />
      )}
      {shares.length > 0 && <Shares shares={shares} isCharged={isCharged} />}
    </div>
  );

  function from(at: string | null) {
    return { day: at ? dayOf(at) : "" };
  }
}

function Shares({ shares, isCharged }: { shares: Preview["shares"]; isCharged: boolean }) {
  const { percent } = useNumbers();
  const t = useTranslations("subscriptions.detail.change");
  const head = "py-1.5 font-medium text-caption text-muted";
  return (
    <table className="w-full">
      <caption className="mb-1 text-left font-medium">{t("shares")}</caption>
      <thead>
        <tr>
          <th scope="col" className={`${head} text-left`}>
            {t("recipient")}
          </th>
          {isCharged && (
            <th scope="col" className={`${head} text-right`}>
              {t("ofDifference")}
            </th>
          )}
          <th scope="col" className={`${head} pl-4 text-right`}>
            {t("ofNext")}
          </th>
        </tr>
      </thead>
      <tbody>
        {shares.map(({ name, percentage, now, next }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two recipients may be alike, and none has a state
          <tr key={place} className="h-9 border-t">
            <th scope="row" className="text-left font-normal wrap-anywhere">
              {t("share", { name, percentage: percent(percentage) })}
            </th>
            {isCharged && (
              <td className="pl-4 text-right">
                <Money cents={cents(now)} />
              </td>
            )}
            <td className="pl-4 text-right">
              <Money cents={cents(next)} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
