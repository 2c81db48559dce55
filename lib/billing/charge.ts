import { merchantOf, waitsToBill } from "@/lib/accounts/context";
import { addDays, dayOf, dueDayOf, endOf, startOf } from "@/lib/billing/calendar";
import { mailUnpaid } from "@/lib/billing/mails";
import { calendarOf, isByCode, isDebited, type Offer } from "@/lib/billing/subscription";
import {
  askOutside,
  moveCycle,
  recordEvent,
  type SubscriptionChange,
  updateCycle,
  updateSubscription,
} from "@/lib/billing/subscription-change";
import type { Cycle } from "@/lib/billing/tables";
import { digitsOf, newAlphanumeric, newId } from "@/lib/ids";
import { feeOf } from "@/lib/money";
import { soldOf } from "@/lib/plans/snapshot";
import { acquirerFor } from "@/lib/rails/cards/acquirers";
import type { PixRail } from "@/lib/rails/pix/port";
import { railFor } from "@/lib/rails/pix/rails";
import type { NewSale } from "@/lib/transactions/insert";
import { type Tracking, trackingOf } from "@/lib/transactions/tracking";
import type { Mandate } from "@/prisma/client/client";
import type { TransactionMethod } from "@/prisma/client/enums";

// How what a subscription owes is made and asked for. All functions change the change that they are given.

/** Days from an attempt to the one after it; the last one repeats. */
const RETRY_GAPS = [2, 5, 7, 7] as const;
export const daysUntilRetry = (retries: number): number => RETRY_GAPS[Math.min(retries, RETRY_GAPS.length - 1)] ?? 7;

/** Pix Automático: between a failed debit and the next attempt, of which there are so many in the seven days after due. */
const DEBIT_GAP_DAYS = 2;
/** The hour at which the next attempt is ordered. */
const DEBIT_HOUR = 20;
const DEBIT_RETRIES = 3;
const DEBIT_DAYS = 7;
/** A debit is instructed so many days ahead, by the Central Bank's rules of Pix Automático. */
const INSTRUCTED = { atLeast: 2, atMost: 10 };

/** How often what is owed is tried again. */
export const retriesOf = (change: SubscriptionChange): number => {
  const { maxRetryAttempts } = change.offer.terms;
  return isDebited(change) ? Math.min(DEBIT_RETRIES, maxRetryAttempts) : maxRetryAttempts;
};

/** The day of all retries that terms allow, counted from the due day. */
const retryDays = (retries: number) =>
  Array.from({ length: retries }, (_, place) => daysUntilRetry(place)).reduce((days, gap) => days + gap, 0);

export const todayOf = ({ now, account }: SubscriptionChange) => dayOf(now, account.timeZone);
export const startOfDay = ({ account }: SubscriptionChange, day: string) => startOf(day, account.timeZone);
const endOfDay = ({ account }: SubscriptionChange, day: string) => endOf(day, account.timeZone);

/** The day on which a cycle is due. Its `dueAt` is that day's first instant. */
export const dueDayOfCycle = ({ account }: SubscriptionChange, { dueAt }: Cycle) => dayOf(dueAt, account.timeZone);

/** From when on a cycle that is not paid is overdue: it is in time until its due day ends. */
export const overdueFrom = (change: SubscriptionChange, cycle: Cycle) => endOfDay(change, dueDayOfCycle(change, cycle));

/** Nothing new is charged for an account that is suspended or not approved, nor for a sandbox that is full. */
const maySell = ({ account }: SubscriptionChange) => !waitsToBill(account);

/** How many days after its due day the next cycle can still be paid; by card or debit it is tried in these days too. */
function graceDays(change: SubscriptionChange): number {
  const { gracePeriodDays, maxRetryAttempts } = change.offer.terms;
  if (isByCode(change)) return gracePeriodDays;
  return (isDebited(change) ? DEBIT_DAYS : retryDays(maxRetryAttempts)) + gracePeriodDays;
}

/**
 * Until when a code is valid that is made now: until the last day of the grace after the due day ends, or where that day
 * is past, as many days from today on.
 */
function validUntil(change: SubscriptionChange, dueDay: string, days: number): Date {
  const today = todayOf(change);
  const last = addDays(dueDay, days);
  return endOfCode(change, last >= today ? last : addDays(today, days));
}

/** A code that is made late in the evening can still be paid. */
const VALID_AT_LEAST_MS = 6 * 3_600_000;

/** Until when a code is valid that is made now: until its last day ends, or where little is left of that, the day after it. */
export function endOfCode(change: SubscriptionChange, lastDay: string): Date {
  const end = endOfDay(change, lastDay);
  const isNear = end.getTime() - change.now.getTime() < VALID_AT_LEAST_MS;
  return isNear ? endOfDay(change, addDays(lastDay, 1)) : end;
}

/** Makes the next cycle, of the plan that it is asked to be of. It is owed from now on. */
export function makeCycle(change: SubscriptionChange, dueDay: string): Cycle {
  const { nextCycle: number } = change.subscription;
  applyNewPlan(change, dueDay);
  const cycle = addCycle(change, {
    ...{ kind: "cycle", number, planId: change.offer.plan.id, planVersion: change.subscription.planVersion },
    ...{ amount: change.offer.terms.amount, dueAt: startOfDay(change, dueDay) },
    ...{ expiresAt: validUntil(change, dueDay, graceDays(change)), reminders: remindersBefore(change, dueDay) },
  });
  updateSubscription(change, { nextCycle: number + 1 });
  return cycle;
}

type Owed = Pick<Cycle, "kind" | "number" | "planId" | "planVersion" | "amount" | "dueAt" | "expiresAt" | "reminders">;

/** Makes what is owed from now on, which nothing asks for yet. */
export function addCycle(change: SubscriptionChange, owed: Owed): Cycle {
  const { subscription, account, now } = change;
  const cycle: Cycle = {
    ...{ id: newId(now), accountId: account.id, subscriptionId: subscription.id, status: "pending" },
    ...{ paidAt: null, transactionId: null, codeSaleId: null, chargingSaleId: null, failedDebitSaleId: null },
    ...{ retries: 0, retryAt: null },
    ...{ createdAt: now, updatedAt: now },
    ...owed,
  };
  change.cycles.set(cycle.id, cycle);
  change.cycle = cycle;
  updateSubscription(change, { cycleId: cycle.id });
  return cycle;
}

/** A change of plan that waited for the next cycle takes effect: from its due day on the new plan's period counts. */
function applyNewPlan(change: SubscriptionChange, dueDay: string) {
  const { newOffer, subscription } = change;
  if (!newOffer || subscription.newPlanVersion === null) return;
  switchPlan(change, newOffer, subscription.newPlanVersion, dueDay);
}

/** Moves a subscription to another plan, whose periods are counted from the day on which the next cycle is due. */
export function switchPlan(change: SubscriptionChange, offer: Offer, planVersion: number, dueDay: string): void {
  const { plan } = offer;
  updateSubscription(change, {
    planId: plan.id,
    planVersion,
    productId: plan.productId,
    newPlanId: null,
    newPlanVersion: null,
  });
  updateSubscription(change, { anchor: dueDay, anchorCycle: change.subscription.nextCycle });
  Object.assign(change, { offer, newOffer: null });
  recordEvent(change, "subscription.plan_changed", change.cycle);
}

/** The day on which the next cycle is charged. */
export function billDay(change: SubscriptionChange): string {
  const { billingAdvanceDays: days } = change.offer.terms;
  const { atLeast, atMost } = INSTRUCTED;
  return addDays(nextDueDay(change), -(isDebited(change) ? Math.min(atMost, Math.max(atLeast, days)) : days));
}

/** The day on which the next cycle is due. */
export const nextDueDay = (change: SubscriptionChange) => dueDayOf(calendarOf(change), change.subscription.nextCycle);

/** Days from the due day on which a person is reminded, at this hour. */
const REMINDERS = [-3, 0, 3] as const;
const REMINDER_HOUR = 9;

/** When the next reminder of a cycle is due, if one is left. */
export function reminderAt(change: SubscriptionChange, cycle: Cycle): Date | null {
  const days = REMINDERS[cycle.reminders];
  if (days === undefined) return null;
  return startOf(addDays(dueDayOfCycle(change, cycle), days), change.account.timeZone, REMINDER_HOUR);
}

/** Whether no reminder and no fresh code of a cycle comes before its end. */
export function isLastNotice(change: SubscriptionChange, cycle: Cycle): boolean {
  const isToBeTried = change.subscription.status === "active" && change.offer.terms.maxRetryAttempts > 0;
  const firstRetryAt = isToBeTried
    ? startOfDay(change, addDays(dueDayOfCycle(change, cycle), daysUntilRetry(0)))
    : null;
  return [reminderAt(change, cycle), cycle.retryAt ?? firstRetryAt].every((at) => at === null || at >= cycle.expiresAt);
}

/** How many reminders of a cycle that is made now are of today or past, because its charge itself is the reminder. */
const remindersBefore = (change: SubscriptionChange, dueDay: string) =>
  REMINDERS.filter((days) => addDays(dueDay, days) <= todayOf(change)).length;

/**
 * Issues a Pix code for what is owed. A code of before is void from now on: paid afterwards, it still counts. A rail that
 * makes its codes itself is asked once the change is written (`lib/billing/code-call.ts`). Returns false where no rail is
 * there, or where the account may not sell, which delays it.
 */
export function issueCode(change: SubscriptionChange, cycle: Cycle, offer: Offer = change.offer): boolean {
  const rail = railFor(change.account);
  if (!rail || !maySell(change)) return false;
  voidCode(change, cycle);
  const made = saleOf(change, cycle, offer, "pix");
  const sale = { ...made, id: change.awaitedSaleId ?? made.id };
  change.awaitedSaleId = undefined;
  change.sales.push({ ...sale, ...codeOf(change, rail, sale), expiresAt: cycle.expiresAt });
  moveCycle(change, cycle, "reopen", { transactionId: sale.id, codeSaleId: sale.id });
  return true;
}

/** The code of a sale, or only its txid where the rail is to be asked for the code. */
function codeOf(change: SubscriptionChange, rail: PixRail, { id, amount, description = null }: NewSale) {
  if (rail.requestCode) {
    askOutside(change, { kind: "cycle_code", id, provider: rail.provider });
    return { txid: digitsOf(id), provider: rail.provider };
  }
  const txid = newAlphanumeric(25);
  const pixCode = rail.issueCode({ txid, amount, description, ...merchantOf(change.account) });
  change.codes.set(id, pixCode);
  return { txid, pixCode };
}

/** Voids the code by which a cycle could be paid. */
export function voidCode(change: SubscriptionChange, cycle: Cycle): void {
  if (!cycle.codeSaleId) return;
  change.voided.push(cycle.codeSaleId);
  updateCycle(change, cycle, { codeSaleId: null });
}

/**
 * Charges the card on file for what is owed, once the change is written. Returns false where no acquirer is there, or
 * where the account may not sell.
 */
export function requestCardCharge(change: SubscriptionChange, cycle: Cycle, offer: Offer = change.offer): boolean {
  const acquirer = acquirerFor(change.account.mode);
  if (!change.subscription.storedCardId || !acquirer || !maySell(change)) return false;
  const sale = saleOf(change, cycle, offer, "card");
  change.sales.push({ ...sale, installments: 1 });
  askOutside(change, { kind: "cycle_charge", id: sale.id, provider: acquirer.provider });
  updateCycle(change, cycle, { retryAt: null, transactionId: sale.id, chargingSaleId: sale.id });
  return true;
}

function saleOf(change: SubscriptionChange, cycle: Cycle, offer: Offer, method: TransactionMethod): NewSale {
  const { account, subscription, now } = change;
  const amount = Number(cycle.amount);
  const fee = feeOf(amount, account.fees[method]);
  const { name, email, document, phone } = subscription;
  return {
    ...{ accountId: account.id, id: newId(now), method, origin: "subscription", amount, fee, net: amount - fee },
    ...soldOf(offer.plan, amount, amount - fee),
    ...{ description: offer.plan.name, subscriptionId: subscription.id, cycleId: cycle.id },
    ...{ clientName: name, clientEmail: email, clientDocument: document, clientPhone: phone },
    ...{ requestId: change.requestId, createdAt: now, ...signedUpFrom(change) },
    ...((change.byVisitor || (subscription.byVisitor && !subscription.startedAt)) && { byVisitor: true }),
  };
}

/** Where the sign-up came from, as its charges keep it. */
export function signedUpFrom({ subscription }: SubscriptionChange) {
  const {
    client_ip: clientIp = null,
    user_agent: userAgent = null,
    ...tracking
  } = (subscription.tracking ?? {}) as Tracking & { client_ip?: string; user_agent?: string };
  return { clientIp, userAgent, tracking: trackingOf(tracking) };
}

/** A first charge under this id, whose code the rail makes together with the mandate. */
export function addFirstMandateCharge(change: SubscriptionChange, cycle: Cycle, saleId: string): void {
  const sale = {
    ...saleOf(change, cycle, change.offer, "pix"),
    id: saleId,
    provider: change.mandate?.provider ?? null,
  };
  change.sales.push({ ...sale, txid: digitsOf(saleId), expiresAt: cycle.expiresAt });
  updateCycle(change, cycle, { transactionId: saleId, codeSaleId: saleId });
}

/** Has a debit instructed for what is owed, once the change is written. */
function requestDebit(change: SubscriptionChange, cycle: Cycle, { provider }: Mandate): void {
  const sale = saleOf(change, cycle, change.offer, "pix");
  change.sales.push({ ...sale, txid: digitsOf(sale.id), provider, expiresAt: cycle.expiresAt });
  askOutside(change, { kind: "instruct_debit", provider, input: { saleId: sale.id } });
  updateCycle(change, cycle, { transactionId: sale.id, chargingSaleId: sale.id, retryAt: cycle.dueAt });
}

/** When a debit that failed today is ordered once more: the evening before, because no order can be taken back. */
export const debitOrderedAt = (change: SubscriptionChange): Date =>
  startOf(addDays(todayOf(change), DEBIT_GAP_DAYS - 1), change.account.timeZone, DEBIT_HOUR);

/**
 * Has a debit that failed tried again tomorrow; without the mandate the cycle is left to its code. Returns false where the
 * account may not sell.
 */
export function requestDebitRetry(change: SubscriptionChange, cycle: Cycle): boolean {
  const { failedDebitSaleId } = cycle;
  if (!failedDebitSaleId) return true;
  if (!maySell(change)) return false;
  if (isDebited(change) && change.mandate) {
    const day = addDays(todayOf(change), 1);
    askOutside(change, {
      kind: "retry_debit",
      provider: change.mandate.provider,
      input: { saleId: failedDebitSaleId, day },
    });
    const tried = { chargingSaleId: failedDebitSaleId, failedDebitSaleId: null, retries: cycle.retries + 1 };
    updateCycle(change, cycle, { ...tried, retryAt: startOfDay(change, day) });
    recordEvent(change, "cycle.retried", cycle);
  } else {
    change.failed.push(failedDebitSaleId);
    updateCycle(change, cycle, { failedDebitSaleId: null, retryAt: null });
  }
  return true;
}

/**
 * Makes the charge of the next cycle: by Pix with its code, by card on its due day, by a mandate with its debit. Returns
 * false where no rail is there, or where the account may not sell, which delays it.
 */
export function chargeNextCycle(change: SubscriptionChange): boolean {
  if (!maySell(change)) return false;
  if (isByCode(change) && !railFor(change.account)) return false;
  const cycle = makeCycle(change, nextDueDay(change));
  if (isByCode(change)) issueCode(change, cycle);
  else if (isDebited(change) && change.mandate) requestDebit(change, cycle, change.mandate);
  recordEvent(change, "cycle.created", cycle);
  if (isByCode(change)) mailUnpaid(change, cycle, { isLast: isLastNotice(change, cycle) });
  return true;
}
