"use client";
import { useTranslations } from "use-intl";
import { useSession } from "@/components/account";
import { useNumbers } from "@/components/format";
import { feeOf } from "@/lib/money";

/** "Você recebe R$ 96,01", computed by the same function that will compute the fee. */
export function Summary({ amount }: { amount: number }) {
  const { money } = useNumbers();
  const t = useTranslations("deposits");
  const { fee } = useSession();
  if (amount === 0) return <p className="text-muted text-prose">{t("summaryEmpty")}</p>;
  const charged = feeOf(amount, fee);
  return (
    <p aria-live="polite" className="text-prose">
      {t.rich("summary", {
        amount: money(amount - charged),
        strong: (chunks) => <strong className="whitespace-nowrap font-semibold">{chunks}</strong>,
      })}{" "}
      <span className="text-muted">{charged > 0 ? t("summaryFee", { fee: money(charged) }) : t("summaryNoFee")}</span>
    </p>
  );
}
