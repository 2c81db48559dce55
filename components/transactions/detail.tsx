"use client";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useApi } from "@/components/account";
import { cents } from "@/components/format";
import { SaleActions } from "@/components/transactions/actions";
import { Breakdown } from "@/components/transactions/breakdown";
import { SaleFacts } from "@/components/transactions/facts";
import { CardNotice } from "@/components/transactions/notice";
import { detailQuery, type TransactionDetail } from "@/components/transactions/queries";
import { SaleStatusWord } from "@/components/transactions/status";
import { SaleTimeline } from "@/components/transactions/timeline";
import { Breadcrumb } from "@/components/ui/breadcrumb";
import { Loaded } from "@/components/ui/loaded";
import { Money } from "@/components/ui/money";
import { Columns, DetailHead, PageHead, Section } from "@/components/ui/page";
import { RowsSkeleton } from "@/components/ui/skeleton";
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
    <Loaded result={result} head={<PageHead title={t("title")} />} skeleton={<RowsSkeleton rows={5} />}>
      {({ data }) => <Known detail={data} />}
    </Loaded>
  );
}

function Known({ detail }: { detail: TransactionDetail }) {
  const t = useTranslations("sale");
  const { transaction, late: isLate } = detail;
  return (
    <>
      <Breadcrumb href="/transactions" list={t("sales")} here={transaction.reference_id.slice(-8)} />
      <DetailHead
        title={<Money cents={cents(transaction.amount)} className="text-figure tracking-[-0.02em]" />}
        status={
          <>
            <SaleStatusWord status={transaction.status} />
            {isLate && <Status tone="warn">{t("late")}</Status>}
            <span className="text-muted">
              <Time at={transaction.paid_at ?? transaction.created_at} absolute />
            </span>
          </>
        }
        actions={<SaleActions detail={detail} />}
      />
      {methodOfV2(transaction.payment_method) === "card" && <CardNotice transaction={transaction} />}
      <Columns>
        <div className="grid gap-8">
          <Section title={t("breakdown")}>
            <Breakdown detail={detail} />
          </Section>
          <Section title={t("timeline")}>
            <SaleTimeline items={detail.timeline} />
          </Section>
        </div>
        <SaleFacts detail={detail} />
      </Columns>
    </>
  );
}
