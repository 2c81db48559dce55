"use client";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useApi, useMay, useSession } from "@/components/account";
import { cents, useDates, useNumbers } from "@/components/format";
import { listQuery } from "@/components/list/source";
import { Table } from "@/components/list/table";
import { useRefundColumns } from "@/components/refunds/columns";
import type { RefundableSale } from "@/components/refunds/effect";
import { useMaySeeRefunds } from "@/components/refunds/may-see";
import { refundsOfSale } from "@/components/refunds/queries";
import { AccountLink } from "@/components/ui/link";
import { Section } from "@/components/ui/page";
import type { TransactionDetail } from "@/lib/transactions/schema";

/** Whether this person may ask for a refund of a sale now. */
export function useRefundable(sale: TransactionDetail): sale is RefundableSale {
  const { features } = useSession();
  const mayWrite = useMay("refunds:write");
  return mayWrite && features.includes("refunds") && sale.refundable?.hindrance === null;
}

/** The refunds of a sale, and what of it can still be refunded, or why nothing can. */
export function RefundsOfSale({ sale }: { sale: TransactionDetail }) {
  const t = useTranslations("refunds");
  const nav = useTranslations("nav.howToGet");
  const { features } = useSession();
  const isOn = features.includes("refunds");
  const maySee = useMaySeeRefunds();
  const id = sale.transaction.reference_id;
  const { data } = useQuery({ ...listQuery(refundsOfSale(id), useApi().account, {}), enabled: maySee });
  const columns = useRefundColumns({ ofSale: true });
  const rows = data?.data ?? [];
  if (!sale.refundable && rows.length === 0) return null;
  const hasMore = (data?.meta.total ?? 0) > rows.length;
  return (
    <Section
      title={t("title")}
      aside={
        hasMore && (
          <AccountLink href={`/refunds?reference_id=${id}`} className="underline underline-offset-4">
            {t("all")}
          </AccountLink>
        )
      }
    >
      {rows.length > 0 && <Table caption={t("title")} rows={rows} keyOf={({ code }) => code} columns={columns} />}
      {sale.refundable && (
        <div className={rows.length > 0 ? "mt-3 text-muted" : "text-muted"}>
          <Returned sale={sale} refundable={sale.refundable} />
          <p>{isOn ? <Left refundable={sale.refundable} /> : nav("refunds")}</p>
        </div>
      )}
    </Section>
  );
}

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
