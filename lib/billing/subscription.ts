import type { AccountContext } from "@/lib/accounts/context";
import { type Calendar, dueDayOf, startOf } from "@/lib/billing/calendar";
import type { Cycle, Subscription } from "@/lib/billing/tables";
import type { KeptCard } from "@/lib/charges/stored-card";
import { billingMethods, isBilledByCard } from "@/lib/methods/methods";
import type { SoldPlan } from "@/lib/plans/snapshot";
import type { Terms } from "@/lib/plans/terms";
import type { Mandate } from "@/prisma/client/client";
import type { BillingMethod } from "@/prisma/client/enums";

/** A plan that a subscription is of, with the terms of the version that it keeps. */
export type Offer = { plan: SoldPlan; terms: Terms };

/** A subscription with all that a change of it must know. One that is to be changed is locked (`lib/billing/lock.ts`). */
export type LoadedSubscription = {
  subscription: Subscription;
  /** What it owes, if it owes something. */
  cycle: Cycle | null;
  offer: Offer;
  /** Its mandate of Pix Automático, if it has one. */
  mandate: Mandate | null;
  /** The card that it is charged on, if it has one. */
  card: KeptCard | null;
  /** What its next cycle is of, where that is another plan. */
  newOffer: Offer | null;
  account: AccountContext;
  /** The present on the account's clock, by the database. */
  now: Date;
};

/** The subscription's billing method, which no change of plan changes. */
export const methodOf = ({ offer }: Pick<LoadedSubscription, "offer">): BillingMethod => offer.terms.billingMethod;

/** How the cycles of a subscription that was activated lie in time. */
export function calendarOf({ subscription, offer }: Pick<LoadedSubscription, "subscription" | "offer">): Calendar {
  const { anchor, anchorCycle } = subscription;
  if (anchor === null) throw new Error(`${subscription.id} was never active`);
  const { periodicityDays, billingMethod } = offer.terms;
  return { anchor, anchorCycle, periodicityDays, inMonths: billingMethods[billingMethod].inMonths };
}

/** Whether cycles are debited by a mandate; without one that is approved they are paid by code. */
export const isDebited = ({ offer, mandate }: Pick<LoadedSubscription, "offer" | "mandate">): boolean =>
  billingMethods[methodOf({ offer })].by === "mandate" && mandate?.status === "approved";

/** Whether cycles are charged on the card on file. */
export const isByCard = ({ offer }: Pick<LoadedSubscription, "offer">): boolean => isBilledByCard(methodOf({ offer }));

/** Whether cycles are paid by a code that the subscriber gets. */
export const isByCode = (loaded: Pick<LoadedSubscription, "offer" | "mandate">): boolean =>
  !isByCard(loaded) && !isDebited(loaded);

/**
 * When the day begins on which the next charge is due; null where none will be, or while nothing is known of it: what is
 * overdue was due, and what comes after it depends on its payment.
 */
export function nextChargeAt({
  subscription,
  cycle,
  offer,
  account,
}: Pick<LoadedSubscription, "subscription" | "cycle" | "offer"> & {
  account: Pick<AccountContext, "timeZone">;
}): Date | null {
  const { status, endsAt, anchor, nextCycle } = subscription;
  if (status !== "active" && status !== "pending_first_payment") return null;
  if (cycle?.kind === "cycle") return cycle.dueAt;
  if (endsAt || !anchor) return null;
  return startOf(dueDayOf(calendarOf({ subscription, offer }), nextCycle), account.timeZone);
}
