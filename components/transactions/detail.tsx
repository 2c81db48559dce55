"use client";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useApi } from "@/components/account";
import { cents } from "@/components/format";
import { ReadRecord, Record } from "@/components/record/record";
import { RefundsOfSale } from "@/components/refunds/of-sale";
import { RecordTimeline } from "@/components/timeline/timeline";
import { SaleActions } from "@/components/transactions/actions";
import { Breakdown } from "@/components/transactions/breakdown";
import { SaleFacts } from "@/components/transactions/facts";
import { CardNotice } from "@/components/transactions/notice";
import { detailQuery, type TransactionDetail } from "@/components/transactions/queries";
import { SaleStatusWord } from "@/components/transactions/status";
import { Breadcrumb } from "@/components/ui/breadcrumb";
import { Money } from "@/components/ui/money";
import { Section } from "@/components/ui/page";
import { Status } from "@/components/ui/status";
import { Time } from "@/components/ui/time";
import { methodOfV2 } from "@/lib/methods/methods";

const POLL_MS = 4_000;

export function SaleDetail({ id }: { id: string }) {
  const t = useTranslations("sale");
  const { account } = useApi();
  const result = useQuery({
    ...detailQuery(account, id),
    refetchInterval: ({ state }) => (state.data?.data.transaction.status === "pending" ? POLL_MS : false),
  });
  return (
    <ReadRecord result={result} title={t("title")}>
      {({ data }) => <Known detail={data} />}
    </ReadRecord>
  );
}

function Known({ detail }: { detail: TransactionDetail }) {
  const t = useTranslations("sale");
  const { transaction, late: isLate, is_paid_by_other: isByOther } = detail;
  return (
    <Record
      trail={<Breadcrumb href="/transactions" list={t("sales")} here={transaction.reference_id.slice(-8)} />}
      title={<Money cents={cents(transaction.amount)} className="text-figure tracking-[-0.02em]" />}
      status={
        <>
          <SaleStatusWord status={transaction.status} />
          {isLate && <Status tone="warn">{t("late")}</Status>}
          {isByOther && <Status tone="warn">{t("byOther")}</Status>}
          <span className="text-muted">
            <Time at={transaction.paid_at ?? transaction.created_at} absolute />
          </span>
        </>
      }
      actions={<SaleActions detail={detail} />}
      notice={methodOfV2(transaction.payment_method) === "card" && <CardNotice transaction={transaction} />}
      aside={<SaleFacts detail={detail} />}
      timeline={<RecordTimeline subject="transaction" id={transaction.reference_id} record={detail} />}
      raw={detail}
    >
      <Section title={t("breakdown")}>
        <Breakdown detail={detail} />
      </Section>
      <RefundsOfSale sale={detail} />
    </Record>
  );
}
