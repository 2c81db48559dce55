"use client";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useApi, useMay, useSession } from "@/components/account";
import { listQuery } from "@/components/list/source";
import { Table } from "@/components/list/table";
import { useRefundColumns } from "@/components/refunds/columns";
import type { RefundableSale } from "@/components/refunds/effect";
import { Left, Returned } from "@/components/refunds/left";
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
