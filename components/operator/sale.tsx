"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { cents } from "@/components/format";
import { covering, Table } from "@/components/list/table";
import { Back } from "@/components/operator/back";
import { useStaffMay } from "@/components/operator/person";
import { type SellersSale, sellersSaleQuery } from "@/components/operator/sale-queries";
import { ReadRecord, Record } from "@/components/record/record";
import { useRefundColumns } from "@/components/refunds/columns";
import type { RefundableSale } from "@/components/refunds/effect";
import { Left, Returned } from "@/components/refunds/left";
import { ReviewedTimeline } from "@/components/timeline/timeline";
import { Breakdown } from "@/components/transactions/breakdown";
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
      <Back href={`/operator/accounts/${account}/transactions`}>{t("title")}</Back>
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
  const mayAsk = useStaffMay("refunds:write");
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
      actions={mayAsk && isRefundable(sale) && <Button onClick={() => setAsking(true)}>{words("open")}</Button>}
      timeline={
        <ReviewedTimeline seller={account.id} subject="transaction" id={transaction.reference_id} record={sale} />
      }
      aside={<SaleData detail={sale} />}
    >
      <Section title={t("breakdown")}>
        <Breakdown detail={sale} net="netOfSeller" />
      </Section>
      {(sale.refundable || refunds.length > 0) && (
        <Section title={words("title")}>
          <Refunds account={account} refunds={refunds} />
          {sale.refundable && (
            <div className={refunds.length > 0 ? "mt-3 text-muted" : "text-muted"}>
              <Returned sale={sale} refundable={sale.refundable} />
              <p>
                <Left refundable={sale.refundable} />
              </p>
            </div>
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
  const columns = useRefundColumns({
    ofSale: true,
    link: ({ code }, name) => (
      <PageLink href={`/operator/refunds/${account.id}/${code}`} className={covering}>
        {name}
      </PageLink>
    ),
  });
  if (refunds.length === 0) return null;
  return <Table caption={t("title")} rows={refunds} keyOf={({ code }) => code} columns={columns} />;
}
