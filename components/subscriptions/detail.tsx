"use client";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useApi, useMay, useSession } from "@/components/account";
import { cents, dayOf, useDates, usePeriod } from "@/components/format";
import { ReadRecord, Record } from "@/components/record/record";
import { SubscriptionActions } from "@/components/subscriptions/actions";
import { useClock } from "@/components/subscriptions/actions-effect";
import { Charges } from "@/components/subscriptions/detail-charges";
import { OpenCode } from "@/components/subscriptions/detail-code";
import { SubscriptionFacts } from "@/components/subscriptions/detail-facts";
import { openCharge, type Subscription, subscriptionQuery } from "@/components/subscriptions/detail-queries";
import { Simulate } from "@/components/subscriptions/detail-simulate";
import { SubscriptionStatusWord } from "@/components/subscriptions/status";
import { RecordTimeline } from "@/components/timeline/timeline";
import { Breadcrumb } from "@/components/ui/breadcrumb";
import { AccountLink } from "@/components/ui/link";
import { Money } from "@/components/ui/money";
import { Section } from "@/components/ui/page";

const POLL_MS = 4_000;

/** One subscription: what it charges and what can be done with it. While a charge is open the page updates by itself. */
export function SubscriptionDetail({ id }: { id: string }) {
  const t = useTranslations("subscriptions.detail");
  const result = useQuery({
    ...subscriptionQuery(useApi().account, id),
    refetchInterval: ({ state }) => (state.data && openCharge(state.data.data) ? POLL_MS : false),
  });
  return (
    <ReadRecord result={result} title={t("title")}>
      {({ data }) => <Known subscription={data} />}
    </ReadRecord>
  );
}

function Known({ subscription }: { subscription: Subscription }) {
  const t = useTranslations("subscriptions.detail");
  const period = usePeriod();
  const { mode } = useSession().account;
  const maySimulate = useMay("sandbox:write") && mode === "sandbox";
  const { plan, subscriber_name: name } = subscription;
  const code = openCharge(subscription);
  return (
    <Record
      trail={<Breadcrumb href="/subscriptions" list={t("subscriptions")} here={name} />}
      title={
        <>
          <Money cents={cents(plan.amount)} className="text-figure tracking-[-0.02em]" />{" "}
          <span className="whitespace-nowrap font-normal text-base text-muted">{period(plan)}</span>
        </>
      }
      status={
        <>
          <SubscriptionStatusWord {...subscription} />
          <span className="min-w-0 wrap-anywhere font-medium">{name}</span>
          <span className="text-muted">
            <Outlook subscription={subscription} />
          </span>
        </>
      }
      actions={<SubscriptionActions subscription={subscription} />}
      aside={
        <>
          {maySimulate && <Simulate subscription={subscription} />}
          <SubscriptionFacts subscription={subscription} />
        </>
      }
      timeline={<RecordTimeline subject="subscription" id={subscription.token} record={subscription} />}
      raw={subscription}
    >
      {code?.payment.pix_code && <OpenCode charge={code} code={code.payment.pix_code} />}
      <Section
        title={t("charges")}
        aside={
          <AccountLink
            href={`/transactions?subscription=${subscription.token}`}
            className="underline underline-offset-4"
          >
            {t("sales")}
          </AccountLink>
        }
      >
        <Charges charges={subscription.charges} />
      </Section>
    </Record>
  );
}

/** What comes next, in one line. */
function Outlook({ subscription }: { subscription: Subscription }) {
  const t = useTranslations("subscriptions.detail.outlook");
  const { full } = useDates();
  const { today, dayOf: named } = useClock();
  const { status, paused_at, resumes_at, ends_at, cancelled_at, overdue_since, suspended_at } = subscription;
  const { next_charge_at: next } = subscription;
  if (cancelled_at) return t("cancelled", { time: full(cancelled_at) });
  if (paused_at) return resumes_at ? t("resumes", { day: named(resumes_at) }) : t("paused", { time: full(paused_at) });
  if (ends_at) return t("ends");
  if (status === "suspended" && suspended_at) return t("suspended", { day: named(suspended_at) });
  if (status === "overdue" && overdue_since) return t("overdue", { day: named(overdue_since) });
  if (status === "pending_first_payment") return t("first");
  if (!next) return null;
  return dayOf(new Date(next)) === today ? t("today") : t("next", { day: named(next) });
}
