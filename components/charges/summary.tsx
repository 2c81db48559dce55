"use client";
import { useEffect, useState } from "react";
import { useTranslations } from "use-intl";
import { money } from "@/components/format";
import { useSession } from "@/components/frame/account";

type Arithmetic = Pick<typeof import("@/lib/money"), "feeOf">;

/** "Você recebe R$ 96,01", worked out by the very function that will charge the fee. */
export function Summary({ amount }: { amount: number }) {
  const t = useTranslations("charges");
  const { fee } = useSession();
  const [arithmetic, setArithmetic] = useState<Arithmetic | null>(null);
  const wanted = amount > 0;
  useEffect(() => {
    if (wanted) void import("@/lib/money").then(({ feeOf }) => setArithmetic({ feeOf }));
  }, [wanted]);
  if (!wanted || !arithmetic) return <p className="text-muted text-prose">{t("summaryEmpty")}</p>;
  const taken = arithmetic.feeOf(amount, fee);
  return (
    <p aria-live="polite" className="text-prose">
      {t.rich("summary", {
        amount: money(amount - taken),
        strong: (chunks) => <strong className="whitespace-nowrap font-semibold">{chunks}</strong>,
      })}{" "}
      <span className="text-muted">{taken > 0 ? t("summaryFee", { fee: money(taken) }) : t("summaryNoFee")}</span>
    </p>
  );
}
