"use client";
import { clsx } from "clsx";
import { useTranslations } from "use-intl";
import type { TransactionDetail } from "@/components/transactions/queries";

/** Why a card sale is not paid, and what seller or buyer can do. A paid sale has no notice. */
export function CardNotice({
  transaction: { status, refused_reason },
}: {
  transaction: TransactionDetail["transaction"];
}) {
  const t = useTranslations("refusals");
  if (status !== "refused" && status !== "failed" && status !== "pending") return null;
  const key = status === "refused" ? reasonOf(refused_reason) : status;
  return (
    <section
      aria-label={t("label")}
      className={clsx(
        "mb-8 grid gap-1 border-l-2 bg-surface px-4 py-3",
        status === "pending" ? "border-info" : "border-bad",
      )}
    >
      <p className="font-medium">{t(`${key}.why`)}</p>
      <p className="text-muted">{t(`${key}.advice`)}</p>
    </section>
  );

  function reasonOf(reason: string | null) {
    const key = `${reason}.why` as "unknown.why";
    return reason && t.has(key) ? (reason as "unknown") : "unknown";
  }
}
