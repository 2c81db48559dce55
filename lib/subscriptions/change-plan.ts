import type { z } from "zod";
import { type AccountContext, assertActive, assertCeiling } from "@/lib/accounts/context";
import { addDays, daysBetween } from "@/lib/billing/calendar";
import {
  addCycle,
  billDay,
  endOfCode,
  issueCode,
  nextDueDay,
  requestCardCharge,
  startOfDay,
  switchPlan,
  todayOf,
} from "@/lib/billing/charge";
import { chargeRow } from "@/lib/billing/event-record";
import { findOffer } from "@/lib/billing/lock";
import { mailUnpaid } from "@/lib/billing/mails";
import { type ChangeType, priceOfDays, prorated, typeOf } from "@/lib/billing/proration";
import { isByCard, type LoadedSubscription, methodOf, nextChargeAt, type Offer } from "@/lib/billing/subscription";
import {
  beginChange,
  recordEvent,
  type SubscriptionChange,
  updateSubscription,
} from "@/lib/billing/subscription-change";
import type { Cycle } from "@/lib/billing/tables";
import { type Query, queryOf, readFor } from "@/lib/db";
import { AppError } from "@/lib/errors";
import type { Intent } from "@/lib/idempotency";
import { billingMethods } from "@/lib/methods/methods";
import { decimal, feeOf, MAX_AMOUNT, reais, sharesOf } from "@/lib/money";
import { actions } from "@/lib/subscriptions/actions";
import { performAction } from "@/lib/subscriptions/perform-action";
import { presentCharge, presentOffer, standingOf } from "@/lib/subscriptions/present";
import { findSubscription } from "@/lib/subscriptions/read";
import type { ChangePlanBody, Charge, PlanChange, PlanChangePreview } from "@/lib/subscriptions/schema";
import { presentCodedCharge } from "@/lib/subscriptions/wait-for-code";
import { isoOrNull } from "@/lib/time/clock";

type Change = z.output<typeof ChangePlanBody> & { id: string };
type NewOffer = Offer & { planVersion: number };
type Effect = { type: ChangeType; daysLeft: number; proration: number };

const refuse = ({ cycle }: Pick<LoadedSubscription, "cycle">) =>
  new AppError(cycle ? "open_charge_exists" : "invalid_transition");

/**
 * Moves a subscription to another plan of the same product and billing method, or to the newest terms of its own. An
 * upgrade charges the difference of the days that are left and counts once that is paid; anything else counts from the
 * next charge on. Throws `plan_not_found`, `plan_not_on_sale`, `plan_mismatch`, `open_charge_exists`,
 * `proration_above_maximum`, `subscription_not_found`, `invalid_transition` and `account_suspended`.
 */
export const changePlan = (account: AccountContext, input: Change, intent: Intent): Promise<PlanChange> => {
  let effect: Effect | undefined;
  return performAction(account, input.id, intent, {
    action: "change_plan",
    refuse,
    async act(change, tx) {
      assertActive(change.account);
      const offer = await offerFor(queryOf(tx), change, input.new_plan_token);
      assertCeiling(account, Number(offer.terms.amount));
      updateSubscription(change, { reason: input.reason });
      effect = takeOffer(change, offer);
    },
    present: ({ cycle, account: seller }) =>
      answer(cycle && presentCharge(chargeRow(cycle, seller.timeZone, null), null)),
    presentCode: async (coded) => answer(await presentCodedCharge(coded), coded.cycle),
  });

  function answer(charge: Charge | null, paidFor?: Cycle): PlanChange {
    // Of a request that was lost, the charge tells what it did: only an upgrade has one.
    const { type, proration } = effect ?? { type: "upgrade", proration: Number(paidFor?.amount ?? 0) };
    const toPlan = { type, to_plan_token: input.new_plan_token, proration_amount: decimal(proration) };
    return { plan_change: { ...toPlan, proration_charge: charge } };
  }
};

/** Moves a subscription to an offer: at once for nothing, once a difference is paid, or from the next charge on. */
export function takeOffer(change: SubscriptionChange, offer: NewOffer): Effect {
  const effect = effectOf(change, offer);
  updateSubscription(change, { newPlanId: null, newPlanVersion: null });
  if (effect.type !== "upgrade") takeLater(change, offer);
  else if (effect.proration === 0) switchPlan(change, offer, offer.planVersion, nextDueDay(change));
  else chargeUpgrade(change, offer, effect.proration);
  return effect;
}

/** The plan that is asked for, as it is sold now. */
async function offerFor(
  query: Query,
  loaded: LoadedSubscription | SubscriptionChange,
  planId: string,
): Promise<NewOffer> {
  const { subscription, offer } = loaded;
  const found = await findOffer(query, subscription.accountId, planId);
  if (!found) throw new AppError("plan_not_found");
  const isOwn = planId === subscription.planId && found.planVersion === subscription.planVersion;
  const method = methodOf({ offer });
  // A mandate has one period for good (API Pix 2.9.0, rec).
  const isMandates =
    billingMethods[method].by !== "mandate" || found.terms.periodicityDays === offer.terms.periodicityDays;
  const isAlike = found.plan.productId === offer.plan.productId && methodOf({ offer: found }) === method && isMandates;
  if (isOwn || !isAlike) throw new AppError("plan_mismatch");
  if (!found.isOnSale && planId !== subscription.planId) throw new AppError("plan_not_on_sale");
  return found;
}

function effectOf(change: SubscriptionChange, to: Offer): Effect {
  const daysLeft = Math.max(0, daysBetween(todayOf(change), nextDueDay(change)));
  const from = change.offer.terms;
  const proration = prorated(from, to.terms, daysLeft);
  if (proration > MAX_AMOUNT) throw new AppError("proration_above_maximum");
  return { type: typeOf(from, to.terms), daysLeft, proration };
}

function takeLater(change: SubscriptionChange, offer: NewOffer) {
  updateSubscription(change, { newPlanId: offer.plan.id, newPlanVersion: offer.planVersion });
  change.newOffer = offer;
}

/** Charges the difference, payable until the next charge is made, and for as long as the plan's grace at most. */
function chargeUpgrade(change: SubscriptionChange, offer: NewOffer, amount: number) {
  const today = todayOf(change);
  const grace = endOfCode(change, addDays(today, offer.terms.gracePeriodDays));
  const billed = startOfDay(change, billDay(change));
  const cycle = addCycle(change, {
    ...{ kind: "upgrade", number: change.subscription.nextCycle - 1, amount: BigInt(amount), reminders: 0 },
    ...{ planId: offer.plan.id, planVersion: offer.planVersion },
    ...{ dueAt: startOfDay(change, today), expiresAt: billed < grace ? billed : grace },
  });
  const byCard = isByCard(change);
  const isAsked = byCard ? requestCardCharge(change, cycle, offer) : issueCode(change, cycle, offer);
  if (!isAsked) throw new AppError("rail_unavailable");
  recordEvent(change, "cycle.created", cycle);
  if (!byCard) mailUnpaid(change, cycle, { plan: offer.plan });
}

/** What a change of plan would do, and nothing happens. Throws as `changePlan` does. */
export const previewPlanChange = (account: AccountContext, id: string, planId: string): Promise<PlanChangePreview> =>
  readFor(account.id, async (tx) => {
    const query = queryOf(tx);
    const loaded = await findSubscription(query, account.id, id);
    if (!actions.change_plan(standingOf(loaded))) throw refuse(loaded);
    const change = beginChange(loaded);
    const to = await offerFor(query, loaded, planId);
    return { data: present(change, to, effectOf(change, to)) };
  });

function present(
  change: SubscriptionChange,
  to: Offer,
  { type, daysLeft, proration }: Effect,
): PlanChangePreview["data"] {
  const from = change.offer;
  const nextAt = nextChargeAt(change);
  const isNow = type === "upgrade";
  return {
    type,
    from: presentOffer(from),
    to: presentOffer(to),
    effective: isNow ? "when_paid" : "next_charge",
    effective_at: isNow ? null : isoOrNull(nextAt),
    days_left: daysLeft,
    lines: isNow
      ? [
          {
            kind: "debit",
            plan: to.plan.name,
            days: daysLeft,
            amount: decimal(priceOfDays(from.terms, daysLeft) + proration),
          },
          { kind: "credit", plan: from.plan.name, days: daysLeft, amount: decimal(priceOfDays(from.terms, daysLeft)) },
        ]
      : [],
    proration_amount: decimal(proration),
    next_amount: decimal(to.terms.amount),
    next_charge_at: isoOrNull(nextAt),
    shares: sharesBy(change, to, proration),
  };
}

/** Each recipient's share of the difference and of the next charge, after the fee. */
function sharesBy({ account, offer }: SubscriptionChange, to: Offer, proration: number) {
  const fees = account.fees[billingMethods[methodOf({ offer })].method];
  const { splits } = to.plan;
  const points = splits.map(({ basisPoints }) => basisPoints);
  const of = (amount: number) => sharesOf(amount - feeOf(amount, fees), points);
  const [now, next] = [of(proration), of(Number(to.terms.amount))];
  return splits.map(({ name, basisPoints }, place) => ({
    ...{ name, percentage: reais(basisPoints) },
    ...{ now: decimal(now[place] ?? 0), next: decimal(next[place] ?? 0) },
  }));
}
