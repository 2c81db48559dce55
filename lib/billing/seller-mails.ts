import { sideOf } from "@/lib/actor";
import { dayOf } from "@/lib/billing/calendar";
import type { SubscriptionChange } from "@/lib/billing/subscription-change";
import type { Query } from "@/lib/db";
import { env } from "@/lib/env";
import type { MailContent } from "@/lib/mail/templates";
import type { Mail } from "@/lib/mail/write";
import { mailTo, readNotified } from "@/lib/notifications/addressees";
import { lastInstant } from "@/lib/time/calendar";

type Happened = { change: SubscriptionChange; event: SubscriptionChange["events"][number] };

/**
 * What the sellers are written about these changes: that a payer has cancelled, and once for each local day that
 * subscriptions were suspended because they were not paid. A seller is not written what they did themselves.
 */
export async function mailsToSellers(query: Query, changes: readonly SubscriptionChange[]): Promise<Mail[]> {
  const happened = changes.flatMap((change) => change.events.map((event) => ({ change, event })));
  const cancelled = happened.filter(isCancelledByPayer);
  const suspended = happened.filter(isSuspendedUnpaid);
  if (cancelled.length + suspended.length === 0) return [];
  const accountIds = [...new Set([...cancelled, ...suspended].map(({ change }) => change.account.id))].sort();
  const addressees = await readNotified(query, "payments", accountIds);
  // In the order of the accounts: another transaction that writes of the same day waits for this one, and never in a ring.
  return addressees.flatMap((addressee) => {
    const isOf = ({ change }: Happened) => change.account.id === addressee.accountId;
    const mails = [...cancelled.filter(isOf).map(cancellation), ...suspensionsOf(suspended.filter(isOf))];
    return mails.map((mail) => mailTo(addressee, mail));
  });
}

/** A first charge that its payer gives up was no subscription yet. */
const isCancelledByPayer = ({ change, event: { type, subscription } }: Happened) =>
  sideOf(change.actor) === "payer" &&
  (type === "subscription.ending" || type === "subscription.cancelled") &&
  subscription.startedAt !== null;

const isSuspendedUnpaid = ({ event: { type, subscription } }: Happened) =>
  type === "subscription.suspended" && subscription.pausedAt === null;

type ToSeller = { intent: string; content: MailContent };

function cancellation({ change: { account }, event: { subscription, offer } }: Happened): ToSeller {
  const { id, name, endsAt } = subscription;
  const { plan, terms } = offer;
  const lastDay = endsAt && dayOf(lastInstant(endsAt), account.timeZone);
  return {
    intent: `cancelled_by_payer:${id}:${lastDay ?? "end"}`,
    content: {
      ...{ template: "cancelled_by_payer", name, plan: plan.name, product: plan.product, lastDay },
      ...{ amount: Number(terms.amount), url: `${env.APP_URL}/${account.id}/subscriptions/${id}` },
    },
  };
}

/** One mail for all of these; its intent lets only the first of a day be written. */
function suspensionsOf(suspended: readonly Happened[]): ToSeller[] {
  const [first] = suspended;
  if (!first) return [];
  const { account, now } = first.change;
  const { subscription, offer } = first.event;
  const day = dayOf(now, account.timeZone);
  const url = `${env.APP_URL}/${account.id}/subscriptions/overdue?status=suspended`;
  const named = { name: subscription.name, plan: offer.plan.name };
  const content = { template: "suspensions_of_day", count: suspended.length, ...named, day, url } as const;
  return [{ intent: `suspensions_of_day:${account.id}:${day}`, content }];
}
