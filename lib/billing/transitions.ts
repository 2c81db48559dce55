import { addDays, dayOf, daysBetween, dueDayOf, firstCycleFrom } from "@/lib/billing/calendar";
import {
  daysUntilRetry,
  debitOrderedAt,
  issueCode,
  nextDueDay,
  retriesOf,
  startOfDay,
  switchPlan,
  todayOf,
  voidCode,
} from "@/lib/billing/charge";
import { mailEnd, mailPaid, mailRefused, mailSuspended, mailUnpaid } from "@/lib/billing/mails";
import { prorated } from "@/lib/billing/proration";
import { mandateTransitions, openMandates, type SubscriptionEvent } from "@/lib/billing/states";
import { calendarOf, methodOf, type Offer } from "@/lib/billing/subscription";
import {
  askOutside,
  moveCycle,
  moveSubscription,
  recordEvent,
  type SubscriptionChange,
  updateCycle,
  updateSubscription,
} from "@/lib/billing/subscription-change";
import type { Cycle } from "@/lib/billing/tables";
import { billingMethods } from "@/lib/methods/methods";
import { statusesBefore } from "@/lib/states";
import type { Sale } from "@/lib/transactions/sale";
import type { Mandate } from "@/prisma/client/client";

// What moves a subscription from a status to another one. All functions change the change that they are given.

/** What is owed is not paid in time. */
export function fallOverdue(change: SubscriptionChange): void {
  if (change.subscription.status === "overdue") return;
  moveSubscription(change, "fallOverdue", { overdueSince: change.now });
  recordEvent(change, "subscription.overdue", change.cycle);
}

/** What was owed is owed no longer; its code is void, and paid afterwards it still counts. */
export function dropCycle(change: SubscriptionChange): void {
  const { cycle } = change;
  if (!cycle) return;
  voidCode(change, cycle);
  voidDebit(change, cycle);
  moveCycle(change, cycle, "expire", { retryAt: null });
  updateSubscription(change, { cycleId: null });
  change.cycle = null;
}

/** Gives up the debit of a cycle, if it has one; paid afterwards, it still counts. */
export function voidDebit(change: SubscriptionChange, cycle: Cycle): void {
  const debit = dropDebit(change, cycle);
  if (debit) change.voided.push(debit);
}

/** Gives up the debit of a cycle, if it has one, and has it cancelled where it is under way. Returns its sale. */
function dropDebit(change: SubscriptionChange, cycle: Cycle): string | null {
  if (billingMethods[methodOf(change)].by !== "mandate") return null;
  const { chargingSaleId, failedDebitSaleId } = cycle;
  updateCycle(change, cycle, { chargingSaleId: null, failedDebitSaleId: null });
  if (chargingSaleId && change.mandate) {
    askOutside(change, { kind: "cancel_debit", provider: change.mandate.provider, input: { saleId: chargingSaleId } });
  }
  return chargingSaleId ?? failedDebitSaleId;
}

/** Nothing more is tried by itself; what is owed stays owed. */
export function suspend(change: SubscriptionChange): void {
  moveSubscription(change, "suspend", { suspendedAt: change.now });
  recordEvent(change, "subscription.suspended", change.cycle);
  if (change.cycle) mailSuspended(change, change.cycle);
}

/** Pauses: what is not paid yet is owed no longer, and the paid days that are left come back with the resuming. */
export function pauseNow(change: SubscriptionChange, resumesAt: Date | null): void {
  const paidDaysLeft = Math.max(0, daysBetween(todayOf(change), unpaidFrom(change)));
  dropCycle(change);
  moveSubscription(change, "pause", { suspendedAt: change.now, pausedAt: change.now, resumesAt, paidDaysLeft });
  updateSubscription(change, { overdueSince: null });
  recordEvent(change, "subscription.suspended");
}

/** The day from which on nothing is paid: that on which the first unpaid cycle is due, or on which what is paid ends. */
export function unpaidFrom(change: SubscriptionChange): string {
  const { cycle, account, subscription } = change;
  const until = cycle?.kind === "cycle" ? cycle.dueAt : subscription.endsAt;
  return until ? dayOf(until, account.timeZone) : nextDueDay(change);
}

/** Resumes what was paused: the next charge is due when the paid days that were left are over. */
export function resumeNow(change: SubscriptionChange): void {
  const { paidDaysLeft, nextCycle } = change.subscription;
  const anchor = addDays(todayOf(change), paidDaysLeft ?? 0);
  moveSubscription(change, "resume", { anchor, anchorCycle: nextCycle, paidDaysLeft: null });
  updateSubscription(change, { pausedAt: null, suspendedAt: null, resumesAt: null });
  recordEvent(change, "subscription.reactivated");
}

/** Ends a subscription at once. What is not paid is owed no longer. */
export function cancelNow(change: SubscriptionChange, type: SubscriptionEvent = "subscription.cancelled"): void {
  dropCycle(change);
  const { mandate } = change;
  if (mandate?.providerId && openMandates.includes(mandate.status)) {
    askOutside(change, { kind: "cancel_mandate", provider: mandate.provider, input: { mandateId: mandate.id } });
  }
  moveSubscription(change, "cancel", { cancelledAt: change.now, endsAt: null, resumesAt: null });
  updateSubscription(change, { newPlanId: null, newPlanVersion: null });
  recordEvent(change, type);
}

/** Ends a subscription when what is paid of it is over. Being asked twice to end changes nothing. */
export function cancelLater(change: SubscriptionChange): void {
  const endsAt = startOfDay(change, unpaidFrom(change));
  dropCycle(change);
  if (endsAt <= change.now) cancelNow(change);
  else if (endsAt.getTime() !== change.subscription.endsAt?.getTime()) {
    updateSubscription(change, { endsAt });
    recordEvent(change, "subscription.ending");
  }
}

/** The end that was asked for has come. */
export function endNow(change: SubscriptionChange): void {
  cancelNow(change);
  mailEnd(change);
}

/**
 * A charge was paid, be it what is owed or an earlier one that nobody expected to be paid any more. `offer` is the plan
 * that it is of.
 */
export function payCycle(
  change: SubscriptionChange,
  cycle: Cycle,
  { id: transactionId, paidAt }: PaidSale,
  offer: Offer,
): void {
  const isOwed = cycle.id === change.subscription.cycleId;
  if (cycle.codeSaleId !== transactionId) voidCode(change, cycle);
  if (cycle.chargingSaleId !== transactionId) {
    const debit = dropDebit(change, cycle);
    if (debit) change.failed.push(debit);
  }
  moveCycle(change, cycle, "pay", { paidAt, transactionId, codeSaleId: null, retryAt: null });
  updateCycle(change, cycle, { chargingSaleId: null, failedDebitSaleId: null });
  recordEvent(change, "cycle.paid", cycle);
  if (isOwed) {
    updateSubscription(change, { cycleId: null });
    change.cycle = null;
  }
  if (cycle.kind === "upgrade") switchPlan(change, offer, cycle.planVersion, nextDueDay(change));
  else if (isOwed) continueAfterPayment(change, cycle, cycle);
  else countLatePayment(change, cycle, offer);
  mailPaid(change, cycle, offer); // last, because the receipt says when the next one is due
}

type PaidSale = Pick<Sale, "id" | "paidAt">;

/**
 * Whether a payment still buys what a charge was for, once it is owed no longer. A cycle is bought where it is of the
 * subscription's present plan, version and amount, and nothing but such a cycle is owed instead; an upgrade, while all that
 * its price was worked out from is as it was. `offer` is the plan that the charge is of.
 */
export function stillCounts(change: SubscriptionChange, cycle: Cycle, { terms }: Offer): boolean {
  const { subscription, cycle: owed, offer, account } = change;
  if (owed?.id === cycle.id) return true;
  if (cycle.kind === "cycle") return isOfPresent(change, cycle) && (!owed || owed.kind === "cycle");
  const { status, nextCycle, anchorCycle, newPlanId, endsAt } = subscription;
  const isSamePeriod = cycle.number === nextCycle - 1 && anchorCycle < nextCycle;
  if (status !== "active" || owed || newPlanId || endsAt || !isSamePeriod) return false;
  // A late payment may have put off the end of the period, whose later days the upgrade's price does not contain.
  const daysLeft = daysBetween(dayOf(cycle.dueAt, account.timeZone), nextDueDay(change));
  return BigInt(prorated(offer.terms, terms, daysLeft)) === cycle.amount;
}

const isOfPresent = ({ subscription, offer }: SubscriptionChange, { planId, planVersion, amount }: Cycle) =>
  planId === subscription.planId && planVersion === subscription.planVersion && amount === offer.terms.amount;

/**
 * A cycle that a pause or a cancellation had voided is paid: it takes the place of what is owed by now, or all that is
 * paid lasts a period longer.
 */
function countLatePayment(change: SubscriptionChange, cycle: Cycle, { terms: { periodicityDays } }: Offer) {
  const { status, pausedAt, paidDaysLeft, endsAt, anchor } = change.subscription;
  const later = (day: string) =>
    dueDayOf({ ...calendarOf(change), periodicityDays, anchor: day, anchorCycle: cycle.number }, cycle.number + 1);
  if (status === "cancelled") return;
  if (pausedAt) return updateSubscription(change, { paidDaysLeft: (paidDaysLeft ?? 0) + periodicityDays });
  const { cycle: owed } = change;
  if (owed) {
    dropCycle(change);
    return continueAfterPayment(change, cycle, owed);
  }
  if (endsAt) updateSubscription(change, { endsAt: startOfDay(change, later(dayOf(endsAt, change.account.timeZone))) });
  else if (anchor) updateSubscription(change, { anchor: later(anchor) });
  recordEvent(change, "subscription.renewed", cycle);
}

/**
 * What was owed is paid, by its own payment or by that of `cycle`: the subscription is active, from the day of this payment
 * on if it is the first.
 */
function continueAfterPayment(change: SubscriptionChange, cycle: Cycle, owed: Cycle) {
  const { status, suspendedAt } = change.subscription;
  moveSubscription(change, "pay", { overdueSince: null, suspendedAt: null });
  if (status === "pending_first_payment") {
    const anchor = dayOf(cycle.paidAt ?? change.now, change.account.timeZone);
    updateSubscription(change, { startedAt: change.now, anchor, anchorCycle: cycle.number });
    recordEvent(change, "subscription.activated", cycle);
    return;
  }
  if (status === "suspended") endSuspension(change, suspendedAt, owed);
  if (status !== "active") recordEvent(change, "subscription.reactivated", cycle);
  recordEvent(change, "subscription.renewed", cycle);
}

/**
 * Nothing is charged for cycles in which the subscription was suspended. The next charge is due on the next due day of the
 * calendar, or earlier where what was owed is of fewer days: those of its period that were not had before the suspension.
 */
function endSuspension(change: SubscriptionChange, suspendedAt: Date | null, { dueAt, number }: Cycle) {
  const { timeZone } = change.account;
  const today = todayOf(change);
  const due = dayOf(dueAt, timeZone);
  const isPast = suspendedAt !== null && suspendedAt > dueAt;
  const had = isPast ? daysBetween(due, dayOf(suspendedAt, timeZone)) : 0;
  const period = daysBetween(due, dueDayOf({ ...calendarOf(change), anchor: due, anchorCycle: number }, number + 1));
  const last = addDays(today, Math.max(0, period - had));
  updateSubscription(change, { nextCycle: firstCycleFrom(calendarOf(change), today, change.subscription.nextCycle) });
  if (last < nextDueDay(change))
    updateSubscription(change, { anchor: last, anchorCycle: change.subscription.nextCycle });
}

/**
 * The card was refused. A hard refusal, and the last attempt, suspend; before that it is tried again, and the subscriber
 * gets a code to pay by Pix instead.
 */
export function failAttempt(change: SubscriptionChange, cycle: Cycle, isHard: boolean): void {
  if (cycle.status === "paid") return; // by another sale meanwhile
  const isOwed = cycle.id === change.subscription.cycleId;
  updateCycle(change, cycle, { chargingSaleId: null });
  recordEvent(change, "cycle.failed", cycle);
  if (!isOwed) return;
  const { status } = change.subscription;
  // Another card was given while this one was charged: it is tried at once, and counts as no attempt.
  if (cycle.retryAt) updateCycle(change, cycle, { retries: Math.max(0, cycle.retries - 1) });
  else if (cycle.kind === "upgrade") failCycle(change, cycle);
  else if (status === "pending_first_payment") {
    failCycle(change, cycle);
    cancelNow(change);
  } else {
    if (status !== "suspended") scheduleRetry(change, cycle, isHard);
    if (status === "suspended" || cycle.retryAt) mailAttempt(change, cycle); // else it was suspended, and mailed so
  }
}

/** Says when what was refused is tried again, and whether for the last time. */
function mailAttempt(change: SubscriptionChange, cycle: Cycle) {
  const { timeZone } = change.account;
  const isLast = cycle.retryAt !== null && cycle.retries + 1 >= retriesOf(change);
  mailRefused(change, cycle, { triedOn: cycle.retryAt && dayOf(cycle.retryAt, timeZone), isLast });
}

/** The next attempt: later, or none any more; until then it can be paid by a Pix code. */
function scheduleRetry(change: SubscriptionChange, cycle: Cycle, isHard: boolean) {
  fallOverdue(change);
  const isOver = isHard || cycle.retries >= retriesOf(change);
  const retryAt = isOver ? null : startOfDay(change, addDays(todayOf(change), daysUntilRetry(cycle.retries)));
  updateCycle(change, cycle, { retryAt });
  if (!cycle.codeSaleId) issueCode(change, cycle);
  if (isOver) suspend(change);
}

function failCycle(change: SubscriptionChange, cycle: Cycle) {
  moveCycle(change, cycle, "fail");
  updateSubscription(change, { cycleId: null });
  change.cycle = null;
}

/**
 * A debit was not paid on its day. It is ordered once more, and the subscriber gets a code to pay it instead; the last
 * attempt, and a refusal for good, suspend.
 */
export function failDebit(change: SubscriptionChange, cycle: Cycle, saleId: string, isFinal: boolean): void {
  recordEvent(change, "cycle.failed", cycle);
  fallOverdue(change);
  if (!cycle.codeSaleId) issueCode(change, cycle);
  if (isFinal || cycle.retries >= retriesOf(change)) {
    endDebit(change, cycle, saleId);
    suspend(change);
  } else {
    const retryAt = debitOrderedAt(change);
    updateCycle(change, cycle, { chargingSaleId: null, failedDebitSaleId: saleId, retryAt });
    const triedOn = addDays(dayOf(retryAt, change.account.timeZone), 1);
    mailRefused(change, cycle, { triedOn, isLast: cycle.retries + 1 >= retriesOf(change) });
  }
}

/** A debit cannot be made, before it was tried: the cycle is paid by code. */
export function replaceDebit(change: SubscriptionChange, cycle: Cycle, saleId: string): void {
  endDebit(change, cycle, saleId);
  if (issueCode(change, cycle)) mailUnpaid(change, cycle);
}

function endDebit(change: SubscriptionChange, cycle: Cycle, saleId: string) {
  change.failed.push(saleId);
  updateCycle(change, cycle, { chargingSaleId: null, retryAt: null });
}

type MandateReport = Pick<Mandate, "status" | "cancelledBy"> & { reason: string | null };

/** The rail's mandate changed. `reason` is the rail's code of why it ended. */
export function moveMandate(change: SubscriptionChange, { status, cancelledBy, reason }: MandateReport): void {
  const { mandate, now } = change;
  if (!mandate || !statusesBefore(mandateTransitions, status).includes(mandate.status)) return; // read before what is written
  Object.assign(mandate, { status, cancelledBy, updatedAt: now });
  if (status === "approved") mandate.authorizedAt = now;
  else Object.assign(mandate, { cancelledAt: now, cancelReason: reason });
  recordEvent(change, status === "approved" ? "mandate.activated" : "mandate.cancelled");
}
