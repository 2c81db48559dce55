import { sideOf } from "@/lib/actor";
import { dayOf } from "@/lib/billing/calendar";
import { payerUrl } from "@/lib/billing/payer-link";
import { isByCard, methodOf, nextChargeAt, type Offer } from "@/lib/billing/subscription";
import type { SubscriptionChange } from "@/lib/billing/subscription-change";
import type { Cycle } from "@/lib/billing/tables";
import type { KeptCard } from "@/lib/charges/stored-card";
import { env } from "@/lib/env";
import type { ContentOf, MailContent } from "@/lib/mail/templates";
import { lastInstant } from "@/lib/time/calendar";

type Unpaid = Partial<Pick<Offer, "plan"> & Pick<ContentOf<"charge_due">, "notice" | "isLast">>;

/**
 * Writes to the subscriber that a charge is due, or that its due day is over: why it is written now, until when its code
 * can be paid, and when the subscription is suspended otherwise.
 */
export function mailUnpaid(
  change: SubscriptionChange,
  cycle: Cycle,
  { plan = change.offer.plan, ...unpaid }: Unpaid = {},
): void {
  const { account, now } = change;
  const isOver = dayOf(now, account.timeZone) > dayOf(cycle.dueAt, account.timeZone);
  const suspendedOn = isSuspendedBy(change, cycle) ? dayOf(cycle.expiresAt, account.timeZone) : null;
  mailCharge(change, isOver ? "charge_overdue" : "charge_due", cycle, { plan, suspendedOn, ...unpaid });
}

/** Whether it is this charge's end, unpaid, that suspends: not of what is suspended, has never begun, or is to be another plan. */
const isSuspendedBy = ({ subscription: { status } }: SubscriptionChange, { kind }: Cycle) =>
  kind === "cycle" && (status === "active" || status === "overdue");

/** Writes to the subscriber that a charge of the card, or a debit, was refused, and when it is tried again. */
export const mailRefused = (
  change: SubscriptionChange,
  cycle: Cycle,
  tried: Pick<ContentOf<"card_failed">, "triedOn" | "isLast">,
): void => mailCharge(change, "card_failed", cycle, tried);

/** Writes to the subscriber that the subscription is suspended, and how what is owed is paid. */
export const mailSuspended = (change: SubscriptionChange, cycle: Cycle): void =>
  mailCharge(change, "subscription_suspended", cycle);

/** Writes to the subscriber that a charge was paid; `plan` is what it was of. */
export const mailPaid = (change: SubscriptionChange, cycle: Cycle, { plan }: Pick<Offer, "plan">): void =>
  mailCharge(change, "charge_paid", cycle, { plan });

/**
 * Writes to the subscriber that the subscription was asked to end, or that it has ended. `dropped` is what it owed until
 * then.
 */
export function mailEnd(change: SubscriptionChange, dropped: Cycle | null = null): void {
  const { account, subscription, offer } = change;
  const by = sideOf(change.actor);
  const end = {
    ...{ seller: account.name, plan: offer.plan.name, product: offer.plan.product, name: subscription.name },
    ...{ dropped: dropped && Number(dropped.amount), url: payerUrl(subscription) },
  };
  const { id, endsAt } = subscription;
  const lastDay = endsAt && dayOf(lastInstant(endsAt), account.timeZone);
  const ending = { template: "subscription_ending", ...end, by: by ?? "seller" } as const;
  write(
    change,
    `${id}:${lastDay ?? "end"}`,
    lastDay ? { ...ending, lastDay } : { template: "subscription_cancelled", ...end, by },
  );
}

/** Writes to the subscriber that the card is about to expire, once for each card and each number of warnings. */
export function mailCard(change: SubscriptionChange, { id, last4 }: KeptCard, expiresOn: string): void {
  const { account, subscription, offer } = change;
  const content: ContentOf<"card_expiring"> = {
    template: "card_expiring",
    ...{ seller: account.name, plan: offer.plan.name, name: subscription.name, last4, expiresOn },
    url: payerUrl(subscription),
  };
  write(change, `${subscription.id}:${id}:${subscription.cardWarnings}`, content);
}

/** The mails to a subscriber about a charge. */
export type AboutCharge = "charge_due" | "charge_overdue" | "charge_paid" | "card_failed" | "subscription_suspended";

/** What is asked for by Pix is paid by whoever has its mail, which subscribers pass on: it must not hold their own page. */
const isPassedOn = (template: AboutCharge, change: SubscriptionChange) =>
  template === "charge_due" ||
  template === "charge_overdue" ||
  (template === "subscription_suspended" && !isByCard(change));

type About = Partial<
  Pick<Offer, "plan"> & Pick<ContentOf<"charge_due">, "notice" | "isLast" | "suspendedOn" | "triedOn">
>;

/** Writes to the subscriber about a charge of a plan, once for each template, sale and attempt that it is about. */
function mailCharge(
  change: SubscriptionChange,
  template: AboutCharge,
  cycle: Cycle,
  { plan = change.offer.plan, ...about }: About = {},
): void {
  const { account, subscription, now } = change;
  const { endsAt, status } = subscription;
  const dueDay = dayOf(cycle.dueAt, account.timeZone);
  const next = nextChargeAt(change);
  write(change, `${cycle.id}:${cycle.transactionId}:${cycle.reminders}:${cycle.retries}`, {
    template,
    seller: account.name,
    plan: plan.name,
    name: subscription.name,
    amount: Number(cycle.amount),
    dueDay,
    isDueToday: dueDay === dayOf(now, account.timeZone),
    product: plan.product,
    nextDay: template === "charge_paid" && next ? dayOf(next, account.timeZone) : null,
    payerUrl: isPassedOn(template, change) ? null : payerUrl(subscription),
    url: `${env.APP_URL}/checkout/${plan.id}?payment=${cycle.codeSaleId ?? cycle.transactionId ?? cycle.id}`,
    method: methodOf(change),
    codeDay: cycle.codeSaleId && dayOf(lastInstant(cycle.expiresAt), account.timeZone),
    lastDay: endsAt && dayOf(lastInstant(endsAt), account.timeZone),
    isCancelled: status === "cancelled",
    ...{ notice: "made", isLast: false, suspendedOn: null, triedOn: null, ...about },
  });
}

/** Writes to the subscriber; the intent begins with the template, and then names the charge or the subscription. */
function write({ account, subscription, mails, now }: SubscriptionChange, about: string, content: MailContent): void {
  mails.push({
    intent: `${content.template}:${about}`,
    to: { email: subscription.email, locale: "pt-BR" },
    ...{ mode: account.mode, accountId: account.id, content, occurredAt: now },
  });
}
