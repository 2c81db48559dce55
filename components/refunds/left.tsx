"use client";
import { useTranslations } from "use-intl";
import { cents, useDates, useNumbers } from "@/components/format";
import type { RefundableSale } from "@/components/refunds/effect";
import type { TransactionDetail } from "@/lib/transactions/schema";

/** What of the sale is with its payer again. */
export function Returned({
  sale,
  refundable: { refunded },
}: { sale: TransactionDetail } & Pick<RefundableSale, "refundable">) {
  const t = useTranslations("refunds");
  const { money } = useNumbers();
  if (cents(refunded) === 0) return null;
  return <p>{t("back", { refunded: money(cents(refunded)), amount: money(cents(sale.transaction.amount)) })}</p>;
}

/** What of a sale can still be refunded, or why nothing can. */
export function Left({ refundable: { left, hindrance, until } }: Pick<RefundableSale, "refundable">) {
  const t = useTranslations("refunds.left");
  const { money } = useNumbers();
  const { date } = useDates();
  return t(hindrance ?? "some", { left: money(cents(left)), day: date(until) });
}
