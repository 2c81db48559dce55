"use client";
import { useTranslations } from "use-intl";
import { useCardName } from "@/components/cards/card-name";
import { cents, documentNumber, phoneNumber, useDates, useNumbers } from "@/components/format";
import { useClock } from "@/components/subscriptions/actions-effect";
import type { Subscription } from "@/components/subscriptions/detail-queries";
import { Copyable } from "@/components/ui/copy";
import { AccountLink } from "@/components/ui/link";
import { Facts, Section } from "@/components/ui/page";
import { Time } from "@/components/ui/time";

/** The right third of the page: the subscription's facts, its mandate and its person. */
export function SubscriptionFacts({ subscription }: { subscription: Subscription }) {
  const { money } = useNumbers();
  const t = useTranslations("subscriptions.detail");
  const cardName = useCardName();
  const { dayOf } = useClock();
  const { day: dayOfYear } = useDates();
  const { plan, next_plan, mandate, card, token, retry_count, status, paused_at } = subscription;
  const owes = status === "overdue" || (status === "suspended" && !paused_at);
  const time = (name: string, at: string | null) =>
    at ? ([name, <Time key={name} at={at} absolute />] as const) : null;
  const day = (name: string, at: string | null) =>
    at
      ? ([
          name,
          <time key={name} dateTime={at}>
            {dayOf(at)}
          </time>,
        ] as const)
      : null;
  return (
    <>
      <Section title={t("facts")}>
        <Facts
          rows={[
            plan.product && [
              t("product"),
              <AccountLink key="product" href={`/products/${plan.product.reference_id}`} className="underline">
                {plan.product.name}
              </AccountLink>,
            ],
            [t("plan"), plan.name],
            [t("method"), card ? cardName(card) : t(`methods.${plan.billing_method}`)],
            card?.expires_on
              ? [t("cardExpiresOn"), `${dayOfYear(card.expires_on)} ${card.expires_on.slice(0, 4)}`]
              : null,
            next_plan && [
              t("nextPlan"),
              t("planNamed", { name: next_plan.name, amount: money(cents(next_plan.amount)) }),
            ],
            time(t("startedAt"), subscription.started_at),
            day(t("nextChargeAt"), subscription.next_charge_at),
            owes ? day(t("overdueSince"), subscription.overdue_since) : null,
            owes ? day(t("suspendedAt"), subscription.suspended_at) : null,
            time(t("pausedAt"), subscription.paused_at),
            time(t("resumesAt"), subscription.resumes_at),
            subscription.ends_at !== null && [t("endsAt"), <Time key="ends" at={subscription.ends_at} end />],
            time(t("cancelledAt"), subscription.cancelled_at),
            retry_count > 0 && [t("retries"), t("retried", { count: retry_count })],
            [t("token"), <Copyable key="token" text={token} label={t("copyToken")} />],
            time(t("createdAt"), subscription.created_at),
          ]}
        />
      </Section>
      {mandate && (
        <Section title={t("mandate")}>
          <Facts
            rows={[
              [t("mandateStatus"), t(`mandateStatuses.${mandate.status}`)],
              mandate.cancelled_by !== null && [t("mandateCancelledBy"), sideNamed(mandate.cancelled_by)],
              mandate.id !== null && [t("mandateId"), <Copyable key="id" text={mandate.id} label={t("copyMandate")} />],
              time(t("mandateSince"), mandate.created_at),
              time(t("mandateAuthorizedAt"), mandate.authorized_at),
              time(t("mandateEndedAt"), mandate.cancelled_at),
              mandate.cancel_reason !== null && [t("mandateReason"), mandate.cancel_reason],
            ]}
          />
        </Section>
      )}
      <Section title={t("subscriber")}>
        <Facts
          rows={[
            [t("name"), subscription.subscriber_name],
            [t("document"), documentNumber(subscription.subscriber_document)],
            [t("email"), subscription.subscriber_email],
            subscription.subscriber_phone ? [t("phone"), phoneNumber(subscription.subscriber_phone)] : null,
          ]}
        />
      </Section>
    </>
  );

  function sideNamed(side: string) {
    const key = `sides.${side}` as "sides.payer";
    return t.has(key) ? t(key) : side;
  }
}
