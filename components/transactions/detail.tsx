"use client";
import { useQuery } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import { useTranslations } from "use-intl";
import { cents, money } from "@/components/format";
import { useApi } from "@/components/frame/account";
import { AccountLink } from "@/components/frame/link";
import { SaleActions } from "@/components/transactions/actions";
import { Breakdown } from "@/components/transactions/breakdown";
import { SaleFacts } from "@/components/transactions/facts";
import { CardNotice } from "@/components/transactions/notice";
import { detailQuery } from "@/components/transactions/queries";
import { SaleStatusWord } from "@/components/transactions/status";
import { Timeline } from "@/components/transactions/timeline";
import { Section } from "@/components/ui/page";
import { RowBones } from "@/components/ui/skeleton";
import { Failure } from "@/components/ui/state";
import { Status } from "@/components/ui/status";
import { Time } from "@/components/ui/time";

const POLL_MS = 4_000;

export function SaleDetail({ id }: { id: string }) {
  const t = useTranslations("sale");
  const { account } = useApi();
  const { data, error, refetch } = useQuery({
    ...detailQuery(account, id),
    refetchInterval: ({ state }) => (state.data?.data.transaction.status === "pending" ? POLL_MS : false),
  });
  if (!data) {
    return (
      <>
        <h1 className="mb-4 font-semibold text-title">{t("title")}</h1>
        {error ? <Failure error={error} onRetry={() => refetch()} /> : <RowBones rows={5} />}
      </>
    );
  }
  const detail = data.data;
  const { transaction, late } = detail;
  return (
    <>
      <nav aria-label={t("path")} className="mb-4 flex items-center gap-1 text-caption text-muted">
        <AccountLink href="/transactions" className="underline-offset-4 hover:text-ink hover:underline">
          {t("sales")}
        </AccountLink>
        <ChevronRight aria-hidden="true" className="size-3.5" />
        <span aria-current="page">{transaction.reference_id.slice(-8)}</span>
      </nav>
      {error && <Failure error={error} onRetry={() => refetch()} slim />}
      <header className="mb-8 flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
        <div className="grid gap-1">
          <h1 className="font-semibold text-figure tabular-nums tracking-[-0.02em]">
            {money(cents(transaction.amount))}
          </h1>
          <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-muted">
            <span className="text-ink">
              <SaleStatusWord status={transaction.status} />
            </span>
            {late && <Status tone="warn">{t("late")}</Status>}
            <Time at={transaction.paid_at ?? transaction.created_at} absolute />
          </p>
        </div>
        <SaleActions detail={detail} />
      </header>
      {transaction.payment_method === "credit_card" && <CardNotice transaction={transaction} />}
      <div className="grid items-start gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,2fr)_minmax(260px,1fr)]">
        <div className="grid gap-8">
          <Section title={t("breakdown")}>
            <Breakdown detail={detail} />
          </Section>
          <Section title={t("timeline")}>
            <Timeline items={detail.timeline} />
          </Section>
        </div>
        <SaleFacts detail={detail} />
      </div>
    </>
  );
}
