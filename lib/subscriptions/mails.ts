import type { KeptCard } from "@/lib/charges/stored-card";
import { env } from "@/lib/env";
import type { ContentOf } from "@/lib/mail/templates";
import { dayOf } from "@/lib/subscriptions/calendar";
import type { Change } from "@/lib/subscriptions/change";
import type { Offer } from "@/lib/subscriptions/hold";
import { payerUrl } from "@/lib/subscriptions/payer-link";
import { nextChargeAt } from "@/lib/subscriptions/present";
import type { Cycle } from "@/lib/subscriptions/rows";

/** Writes to the subscriber that a charge is due, or that its due day is over. */
export function mailUnpaid(change: Change, cycle: Cycle, offer: Pick<Offer, "plan"> = change.offer): void {
  const { account, now } = change;
  const isOver = dayOf(now, account.timeZone) > dayOf(cycle.dueAt, account.timeZone);
  mailCharge(change, isOver ? "charge_overdue" : "charge_due", cycle, offer);
}

/** Writes to the subscriber that the card is about to expire, once for each card and each number of warnings. */
export function mailCard(change: Change, { id, last4 }: KeptCard, expiresOn: string): void {
  const { account, subscription, offer, now } = change;
  const content: ContentOf<"card_expiring"> = {
    template: "card_expiring",
    ...{ seller: account.name, plan: offer.plan.name, name: subscription.name, last4, expiresOn },
    url: payerUrl(subscription),
  };
  change.mails.push({
    intent: `card_expiring:${subscription.id}:${id}:${subscription.cardWarnings}`,
    to: { email: subscription.email, locale: "pt-BR" },
    ...{ mode: account.mode, accountId: account.id, content, occurredAt: now },
  });
}

/** The mails to a subscriber about a charge. */
export type AboutCharge = "charge_due" | "charge_overdue" | "charge_paid" | "card_failed";

/** A charge by Pix is paid by whoever has its mail, which subscribers pass on: it must not hold their own page. */
const isPassedOn = (template: AboutCharge) => template === "charge_due" || template === "charge_overdue";

/** Writes to the subscriber about a charge of a plan, once for each template and sale that it is about. */
export function mailCharge(
  change: Change,
  template: AboutCharge,
  cycle: Cycle,
  { plan }: Pick<Offer, "plan"> = change.offer,
): void {
  const { account, subscription, now } = change;
  const dueDay = dayOf(cycle.dueAt, account.timeZone);
  const next = nextChargeAt(change);
  const content: ContentOf<AboutCharge> = {
    template,
    seller: account.name,
    plan: plan.name,
    name: subscription.name,
    amount: Number(cycle.amount),
    dueDay,
    isDueToday: dueDay === dayOf(now, account.timeZone),
    product: plan.product,
    nextDay: template === "charge_paid" && next ? dayOf(next, account.timeZone) : null,
    payerUrl: isPassedOn(template) ? null : payerUrl(subscription),
    url: `${env.APP_URL}/checkout/${plan.id}?payment=${cycle.codeId ?? cycle.transactionId ?? cycle.id}`,
  };
  change.mails.push({
    intent: `${template}:${cycle.id}:${cycle.transactionId}:${cycle.reminders}`,
    to: { email: subscription.email, locale: "pt-BR" },
    ...{ mode: account.mode, accountId: account.id, content, occurredAt: now },
  });
}
