"use client";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useApi, useMay, useSession } from "@/components/account";
import { cents, documentNumber, useNumbers } from "@/components/format";
import { ReadRecord, Record } from "@/components/record/record";
import { refundQuery } from "@/components/refunds/queries";
import { Simulate } from "@/components/refunds/simulate";
import { RefundStatusWord } from "@/components/refunds/status";
import { RecordTimeline } from "@/components/timeline/timeline";
import { Breadcrumb } from "@/components/ui/breadcrumb";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { Copyable } from "@/components/ui/copy";
import { AccountLink } from "@/components/ui/link";
import { Money } from "@/components/ui/money";
import { Facts, Section } from "@/components/ui/page";
import { SumTable } from "@/components/ui/sum-table";
import { Time } from "@/components/ui/time";
import { methodOfV2, methods } from "@/lib/methods/methods";
import type { RefundDetail } from "@/lib/refunds/schema";
import { refundTransitions } from "@/lib/refunds/states";
import { openRefunds, releasedRefunds } from "@/lib/reversals/states";

/** How often a refund that has not ended is read again; the simulated provider ends it at once. */
const POLL_MS = { live: 15_000, sandbox: 3_000 };

const isOpen = ({ status }: RefundDetail) => openRefunds.some((open) => open === status);

/** One refund: what became of it, what it takes, and the sale that it is of. */
export function RefundPage({ id: code }: { id: string }) {
  const t = useTranslations("refunds");
  const { mode } = useSession().account;
  const result = useQuery({
    ...refundQuery(useApi().account, code),
    refetchInterval: ({ state }) => (state.data && isOpen(state.data.data) ? POLL_MS[mode] : false),
  });
  return (
    <ReadRecord result={result} title={t("one")}>
      {({ data }) => <Known refund={data} />}
    </ReadRecord>
  );
}

function Known({ refund }: { refund: RefundDetail }) {
  const t = useTranslations("refunds");
  const mayWrite = useMay("refunds:write");
  const isSandbox = useSession().account.mode === "sandbox";
  const maySimulate = useMay("sandbox:write") && isSandbox && isOpen(refund);
  const { code, status, amount, requested_at, events } = refund;
  const isOperators = events[0]?.actor_type === "admin"; // who then ends it, too
  const mayCancel = !isOperators && refundTransitions.cancel.from.some((from) => from === status);
  return (
    <Record
      trail={<Breadcrumb href="/refunds" list={t("title")} here={code.slice(-8)} />}
      title={<Money cents={cents(amount)} className="text-figure tracking-[-0.02em]" />}
      status={
        <>
          <RefundStatusWord status={status} />
          <span className="text-muted">
            <Time at={requested_at} absolute />
          </span>
        </>
      }
      actions={
        <div className="flex flex-wrap gap-2">
          {mayWrite && mayCancel && <Cancel refund={refund} />}
          {maySimulate && (
            <Simulate code={code} mayFail={methods[methodOfV2(refund.transaction.method)].refundedBy === "rail"} />
          )}
        </div>
      }
      notice={status === "rejected" && <Rejection refund={refund} />}
      aside={<RefundFacts refund={refund} />}
      timeline={<RecordTimeline subject="refund" id={code} record={refund} />}
      raw={refund}
    >
      <Section title={t("cost")}>
        <Cost refund={refund} />
      </Section>
    </Record>
  );
}

function Cancel({ refund: { code, total } }: { refund: RefundDetail }) {
  const { money } = useNumbers();
  const t = useTranslations("refunds.cancel");
  const api = useApi();
  return (
    <ConfirmButton
      title={t("title")}
      help={t("help", { amount: money(cents(total)) })}
      action={t("action")}
      act={() => api.post(`/api/partner/v1/refunds/${code}/cancel`)}
      done={t("done")}
      refresh={[api.account]}
    >
      {t("action")}
    </ConfirmButton>
  );
}

/** Why the operator refused it. */
function Rejection({ refund: { rejection_category: category, rejection_reason: reason } }: { refund: RefundDetail }) {
  const t = useTranslations("refunds");
  if (category === null) return null;
  return (
    <section aria-label={t("rejected")} className="mb-8 grid gap-1 border-bad border-l-2 bg-surface px-4 py-3">
      <p className="font-medium">{t("rejectedFor", { category: t(`categories.${category}`) })}</p>
      <p className="wrap-anywhere whitespace-pre-line text-muted">{reason}</p>
    </section>
  );
}

/** What it takes of the seller, and what each recipient gives back. */
function Cost({ refund }: { refund: RefundDetail }) {
  const t = useTranslations("refunds");
  const { status, amount, fee, total, shares } = refund;
  const sum = isOpen(refund) ? "totalHeld" : status === "completed" ? "totalPaid" : "totalReturned";
  const isReleased = releasedRefunds.some((released) => released === status);
  return (
    <>
      <SumTable
        caption={t("cost")}
        lines={[
          [t("effect.back"), <Money key="amount" cents={cents(amount)} />],
          [t("effect.fee"), <Money key="fee" cents={cents(fee)} />],
        ]}
        sum={[t(sum), <Money key="total" cents={cents(total)} />]}
      />
      {shares.length > 0 && !isReleased && (
        <div className="mt-4">
          <p className="font-medium">{t("shares")}</p>
          <Facts
            rows={shares.map(({ name, amount: part }) => [name, <Money key={name} cents={cents(part)} />] as const)}
          />
        </div>
      )}
    </>
  );
}

function RefundFacts({ refund }: { refund: RefundDetail }) {
  const t = useTranslations("refunds");
  const { transaction: sale, cancel_subscription: end } = refund;
  return (
    <>
      <Section title={t("facts.title")}>
        <Facts
          rows={[
            [t("facts.code"), <Copyable key="code" text={refund.code} label={t("copyCode")} />],
            [t("columns.reason"), t(`reasons.${refund.reason}`)],
            refund.reason_details !== null && [
              t("details"),
              <span key="details" className="whitespace-pre-line">
                {refund.reason_details}
              </span>,
            ],
            end !== null && [t("subscription.label"), t(`subscription.${end}`)],
            [t("facts.requested"), <Time key="requested" at={refund.requested_at} absolute />],
            refund.approved_at !== null && [
              t("facts.approved"),
              <Time key="approved" at={refund.approved_at} absolute />,
            ],
            refund.rejected_at !== null && [
              t("facts.rejected"),
              <Time key="rejected" at={refund.rejected_at} absolute />,
            ],
            refund.cancelled_at !== null && [
              t("facts.cancelled"),
              <Time key="cancelled" at={refund.cancelled_at} absolute />,
            ],
            refund.completed_at !== null && [
              t("facts.completed"),
              <Time key="completed" at={refund.completed_at} absolute />,
            ],
          ]}
        />
      </Section>
      <Section title={t("sale.title")}>
        <Facts
          rows={[
            [
              t("sale.one"),
              <AccountLink
                key="sale"
                href={`/transactions/${sale.reference_id}`}
                className="underline underline-offset-4"
              >
                {t("sale.open")}
              </AccountLink>,
            ],
            [t("sale.amount"), <Money key="amount" cents={cents(sale.amount)} />],
            sale.paid_at !== null && [t("sale.paid"), <Time key="paid" at={sale.paid_at} absolute />],
            sale.product.name !== null && [t("sale.product"), sale.product.name],
            sale.client.name !== null && [t("sale.client"), sale.client.name],
            sale.client.document !== null && [t("sale.document"), documentNumber(sale.client.document)],
            sale.client.email !== null && [t("sale.email"), sale.client.email],
            sale.end_to_end_id !== null && [t("sale.endToEnd"), <Copyable key="e2e" text={sale.end_to_end_id} />],
          ]}
        />
      </Section>
    </>
  );
}
