"use client";
import { useQuery } from "@tanstack/react-query";
import { ArrowLeft } from "lucide-react";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { cents } from "@/components/format";
import { Table } from "@/components/list/table";
import { type SellersSale, sellersSaleQuery } from "@/components/operator/sale-queries";
import { ReadRecord, Record } from "@/components/record/record";
import type { RefundableSale } from "@/components/refunds/effect";
import { Left } from "@/components/refunds/of-sale";
import { RefundStatusWord } from "@/components/refunds/status";
import { ReviewedTimeline } from "@/components/timeline/timeline";
import { Breakdown } from "@/components/transactions/breakdown";
import { covering } from "@/components/transactions/columns";
import { SaleData } from "@/components/transactions/facts";
import { SaleStatusWord } from "@/components/transactions/status";
import { Button } from "@/components/ui/button";
import { lazyWindow } from "@/components/ui/lazy-window";
import { Money } from "@/components/ui/money";
import { Section } from "@/components/ui/page";
import { PageLink } from "@/components/ui/page-link";
import { Time } from "@/components/ui/time";

const AskForSeller = lazyWindow(() =>
  import("@/components/operator/sale-refund").then((module) => module.AskForSeller),
);

/** One sale of a seller: its money, its story, and the refund that the staff may ask for. */
export function SellersSalePage({ account, id }: { account: string; id: string }) {
  const t = useTranslations("sellersSales");
  const result = useQuery(sellersSaleQuery(account, id));
  return (
    <>
      <PageLink
        href={`/operator/transactions?account=${account}`}
        className="mb-5 inline-flex items-center gap-2 text-muted hover:text-ink"
      >
        <ArrowLeft aria-hidden="true" className="size-4" />
        {t("title")}
      </PageLink>
      <ReadRecord result={result} title={t("one")}>
        {({ data }) => <Known {...data} />}
      </ReadRecord>
    </>
  );
}

const isRefundable = (sale: SellersSale["sale"]): sale is RefundableSale => sale.refundable?.hindrance === null;

function Known({ account, sale, refunds }: SellersSale) {
  const t = useTranslations("sale");
  const words = useTranslations("refunds");
  const [asking, setAsking] = useState(false);
  const { transaction } = sale;
  return (
    <Record
      title={<Money cents={cents(transaction.amount)} className="text-figure tracking-[-0.02em]" />}
      status={
        <>
          <SaleStatusWord status={transaction.status} />
          <span className="wrap-anywhere min-w-0">{account.name}</span>
          <span className="text-muted">
            <Time at={transaction.paid_at ?? transaction.created_at} absolute />
          </span>
        </>
      }
      actions={isRefundable(sale) && <Button onClick={() => setAsking(true)}>{words("open")}</Button>}
      timeline={
        <ReviewedTimeline seller={account.id} subject="transaction" id={transaction.reference_id} record={sale} />
      }
      aside={<SaleData detail={sale} />}
    >
      <Section title={t("breakdown")}>
        <Breakdown detail={sale} />
      </Section>
      {(sale.refundable || refunds.length > 0) && (
        <Section title={words("title")}>
          <Refunds account={account} refunds={refunds} />
          {sale.refundable && (
            <p className={refunds.length > 0 ? "mt-3 text-muted" : "text-muted"}>
              <Left refundable={sale.refundable} />
            </p>
          )}
        </Section>
      )}
      {asking && isRefundable(sale) && (
        <AskForSeller account={account.id} sale={sale} onClose={() => setAsking(false)} />
      )}
    </Record>
  );
}

function Refunds({ account, refunds }: Pick<SellersSale, "account" | "refunds">) {
  const t = useTranslations("refunds");
  if (refunds.length === 0) return null;
  return (
    <Table
      caption={t("title")}
      rows={refunds}
      keyOf={({ code }) => code}
      columns={[
        {
          head: t("columns.reason"),
          place: "title",
          cell: ({ code, reason }) => (
            <PageLink href={`/operator/refunds/${account.id}/${code}`} className={covering}>
              {t(`reasons.${reason}`)}
            </PageLink>
          ),
        },
        { head: t("columns.status"), place: "bottomLeft", cell: ({ status }) => <RefundStatusWord status={status} /> },
        {
          head: t("columns.requested"),
          place: "bottomRight",
          className: "text-muted",
          cell: (row) => <Time at={row.requested_at} />,
        },
        { head: t("columns.amount"), place: "amount", cell: (row) => <Money cents={cents(row.amount)} /> },
      ]}
    />
  );
}
