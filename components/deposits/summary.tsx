"use client";
import { useEffect, useState } from "react";
import { useTranslations } from "use-intl";
import { money } from "@/components/format";
import { useSession } from "@/components/frame/account";

type Arithmetic = Pick<typeof import("@/lib/money"), "feeOf">;

/** "Você recebe R$ 96,01", computed by the same function that will compute the fee. */
export function Summary({ amount }: { amount: number }) {
  const t = useTranslations("deposits");
  const { fee } = useSession();
  const [arithmetic, setArithmetic] = useState<Arithmetic | null>(null);
  const wanted = amount > 0;
  useEffect(() => {
    if (wanted) void import("@/lib/money").then(({ feeOf }) => setArithmetic({ feeOf }));
  }, [wanted]);
  if (!wanted || !arithmetic) return <p className="text-muted text-prose">{t("summaryEmpty")}</p>;
  const feeCents = arithmetic.feeOf(amount, fee);
  return (
    <p aria-live="polite" className="text-prose">
      {t.rich("summary", {
        amount: money(amount - feeCents),
        strong: (chunks) => <strong className="whitespace-nowrap font-semibold">{chunks}</strong>,
      })}{" "}
      <span className="text-muted">{feeCents > 0 ? t("summaryFee", { fee: money(feeCents) }) : t("summaryNoFee")}</span>
    </p>
  );
}
