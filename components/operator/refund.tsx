"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { cents, documentNumber, phoneNumber, useNumbers } from "@/components/format";
import { Back } from "@/components/operator/back";
import { useStaffMay } from "@/components/operator/person";
import { approveRefund, REVIEWS, type Review, reviewQuery } from "@/components/operator/refund-queries";
import { SellerLink } from "@/components/operator/seller-link";
import { ReadRecord, Record } from "@/components/record/record";
import { RefundStatusWord } from "@/components/refunds/status";
import { ReviewedTimeline } from "@/components/timeline/timeline";
import { Button } from "@/components/ui/button";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { Copyable } from "@/components/ui/copy";
import { lazyWindow } from "@/components/ui/lazy-window";
import { Money } from "@/components/ui/money";
import { Facts, Section } from "@/components/ui/page";
import { Time } from "@/components/ui/time";
import { methodOfV2 } from "@/lib/methods/methods";
import { refundTransitions } from "@/lib/refunds/states";

const Reject = lazyWindow(() => import("@/components/operator/refund-reject").then((module) => module.Reject));

/** One refund for who decides about it: what is asked for, by whom, and the whole story of its sale. */
export function ReviewPage({ account, code }: { account: string; code: string }) {
  const t = useTranslations("reviews");
  const result = useQuery(reviewQuery(account, code));
  return (
    <>
      <Back href="/operator/refunds">{t("title")}</Back>
      <ReadRecord result={result} title={t("one")}>
        {({ data }) => <Known review={data} />}
      </ReadRecord>
    </>
  );
}

function Known({ review }: { review: Review }) {
  const t = useTranslations("reviews");
  const { refund, account } = review;
  return (
    <Record
      title={<Money cents={cents(refund.amount)} className="text-figure tracking-[-0.02em]" />}
      status={
        <>
          <RefundStatusWord status={refund.status} />
          <span className="wrap-anywhere min-w-0">{account.name}</span>
          <span className="text-muted">
            {t("asked")} <Time at={refund.requested_at} />
          </span>
        </>
      }
      actions={<Decision review={review} />}
      timeline={
        <ReviewedTimeline
          seller={account.id}
          subject="transaction"
          id={refund.transaction.reference_id}
          record={review}
        />
      }
      aside={<SaleFacts review={review} />}
    >
      <Asked review={review} />
    </Record>
  );
}

/** What may be decided about it now. */
function Decision({ review }: { review: Review }) {
  const t = useTranslations("reviews");
  const [rejecting, setRejecting] = useState(false);
  const { money } = useNumbers();
  const mayDecide = useStaffMay("refunds:write");
  const mayApprove = mayDecide && refundTransitions.approve.from.some((from) => from === review.refund.status);
  const mayReject = mayDecide && refundTransitions.reject.from.some((from) => from === review.refund.status);
  return (
    <div className="flex flex-wrap gap-2">
      {mayApprove && (
        <ConfirmButton
          title={t("approve.title")}
          help={t("approve.help", { amount: money(cents(review.refund.amount)) })}
          action={t("approve.action")}
          actionLook="primary"
          act={() => approveRefund(review)}
          done={t("approve.done")}
          refresh={REVIEWS}
        >
          {t("approve.action")}
        </ConfirmButton>
      )}
      {mayReject && (
        <Button look="danger" onClick={() => setRejecting(true)}>
          {t("reject.open")}
        </Button>
      )}
      {rejecting && <Reject review={review} onClose={() => setRejecting(false)} />}
    </div>
  );
}

function Asked({ review: { refund } }: { review: Review }) {
  const t = useTranslations("reviews");
  const words = useTranslations("refunds");
  const { fee, total, reason, reason_details, rejection_category: category, rejection_reason } = refund;
  return (
    <Section title={t("request")}>
      <Facts
        rows={[
          [words("columns.reason"), words(`reasons.${reason}`)],
          reason_details !== null && [
            words("details"),
            <span key="details" className="whitespace-pre-line">
              {reason_details}
            </span>,
          ],
          [words("effect.fee"), <Money key="fee" cents={cents(fee)} />],
          [t("total"), <Money key="total" cents={cents(total)} />],
          category !== null && [t("category"), words(`categories.${category}`)],
          rejection_reason !== null && [
            t("said"),
            <span key="said" className="whitespace-pre-line">
              {rejection_reason}
            </span>,
          ],
          [words("facts.code"), <Copyable key="code" text={refund.code} label={words("copyCode")} />],
        ]}
      />
    </Section>
  );
}

function SaleFacts({ review: { refund, account } }: { review: Review }) {
  const operator = useTranslations("operator");
  const t = useTranslations("reviews");
  const words = useTranslations("refunds.sale");
  const names = useTranslations("methods");
  const { transaction: sale } = refund;
  const { client } = sale;
  return (
    <>
      <Section title={t("whose")}>
        <Facts
          rows={[
            [
              t("columns.seller"),
              <SellerLink key="account" id={account.id}>
                {account.name}
              </SellerLink>,
            ],
            [operator("mode"), operator(`modes.${account.mode}`)],
          ]}
        />
      </Section>
      <Section title={words("title")}>
        <Facts
          rows={[
            [words("amount"), <Money key="amount" cents={cents(sale.amount)} />],
            [words("fee"), <Money key="fee" cents={cents(sale.fees)} />],
            [words("method"), names(`${methodOfV2(sale.method)}.name`)],
            sale.paid_at !== null && [words("paid"), <Time key="paid" at={sale.paid_at} absolute />],
            sale.product.name !== null && [words("product"), sale.product.name],
            client.name !== null && [words("client"), client.name],
            client.document !== null && [words("document"), documentNumber(client.document)],
            client.email !== null && [words("email"), client.email],
            client.phone !== null && [words("phone"), phoneNumber(client.phone)],
            sale.end_to_end_id !== null && [words("endToEnd"), <Copyable key="e2e" text={sale.end_to_end_id} />],
            [words("id"), <Copyable key="id" text={sale.reference_id} />],
          ]}
        />
      </Section>
    </>
  );
}
