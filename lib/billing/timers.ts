import { addDays } from "@/lib/billing/calendar";
import { warnHolder, warningAt } from "@/lib/billing/card";
import {
  billDay,
  chargeNextCycle,
  daysUntilRetry,
  dueDayOfCycle,
  isLastNotice,
  issueCode,
  overdueFrom,
  reminderAt,
  requestCardCharge,
  requestDebitRetry,
  startOfDay,
  todayOf,
  voidCode,
} from "@/lib/billing/charge";
import { mailUnpaid } from "@/lib/billing/mails";
import { isByCard, isByCode } from "@/lib/billing/subscription";
import {
  askOutside,
  moveCycle,
  recordEvent,
  type SubscriptionChange,
  updateCycle,
} from "@/lib/billing/subscription-change";
import type { Cycle } from "@/lib/billing/tables";
import { cancelNow, dropCycle, endNow, fallOverdue, resumeNow, suspend, voidDebit } from "@/lib/billing/transitions";
import { railFor } from "@/lib/rails/pix/rails";

/** What falls due of a subscription by time alone. */
type Timer = { name: keyof typeof timers; at: Date };

/** How long a charge waits that no rail or acquirer is there for, or whose account may not sell at present. */
const AWAY_MS = 60 * 60_000;
/** More timers than ever fall due at once; the rest is done when the subscription is found again. */
const AT_ONCE = 20;

/** The timer that falls due next, if any does. */
export function nextTimer(change: SubscriptionChange): Timer | null {
  const [first] = timersOf(change).sort((one, other) => one.at.getTime() - other.at.getTime());
  return first ?? null;
}

/** Runs the timers that are due, one after the other. */
export function runDueTimers(change: SubscriptionChange): void {
  for (let count = 0; count < AT_ONCE; count += 1) {
    const timer = nextTimer(change);
    if (!timer || timer.at > change.now) return;
    if (timers[timer.name](change) === false) delay(change);
  }
}

/** Tries again later what could not be done. */
function delay(change: SubscriptionChange) {
  change.delayedUntil = new Date(change.now.getTime() + AWAY_MS);
}

/** Every timer that lies ahead. Of two at the same instant the first in this order runs. */
function timersOf(change: SubscriptionChange): Timer[] {
  const { subscription, cycle, delayedUntil } = change;
  const { status, endsAt, resumesAt, pausedAt } = subscription;
  const at = (name: Timer["name"], instant: Date | null): Timer[] => {
    if (!instant) return [];
    return [{ name, at: delayedUntil && delayedUntil > instant ? delayedUntil : instant }];
  };
  // What follows depends on the answer. A card's is known at last; a payer's bank may never give one.
  if (cycle?.chargingSaleId) {
    if (isByCard(change)) return [];
    if (!cycle.retryAt) return status === "overdue" ? at("suspend", cycle.expiresAt) : [];
    return at(status === "active" && cycle.retryAt > cycle.dueAt ? "missDebit" : "expectDebit", cycle.retryAt);
  }
  // Of a card that is to be charged again: not where the subscription ends, or nothing more is tried.
  const warning = at("warnHolder", warningAt(change));
  switch (status) {
    case "pending_first_payment":
      return cycle && !isByCard(change) ? at("expire", cycle.expiresAt) : [];
    case "active":
      if (cycle?.kind === "upgrade") return at("dropUpgrade", cycle.expiresAt);
      if (endsAt) return at("end", endsAt);
      if (!cycle) return [...at("bill", startOfDay(change, billDay(change))), ...warning];
      return [...at("fallDue", fallsDueAt(change, cycle)), ...at("remind", reminder(change, cycle)), ...warning];
    case "overdue":
      if (!cycle) return [];
      if (isByCard(change)) return [...at("retryCard", cycle.retryAt), ...warning];
      return [
        ...at("suspend", cycle.expiresAt),
        ...at(cycle.failedDebitSaleId ? "retryDebit" : "renewCode", cycle.retryAt),
        ...at("remind", reminder(change, cycle)),
      ];
    case "suspended":
      if (!cycle) return [...at("end", endsAt), ...(pausedAt ? [...at("resume", resumesAt), ...warning] : [])];
      return [...at("retryCard", cycle.retryAt), ...(cycle.status === "pending" ? at("lapse", cycle.expiresAt) : [])];
    default:
      return [];
  }
}

/** A card is charged when its day begins; a payer by Pix has that day. */
const fallsDueAt = (change: SubscriptionChange, cycle: Cycle) =>
  isByCard(change) ? cycle.dueAt : overdueFrom(change, cycle);

const reminder = (change: SubscriptionChange, cycle: Cycle) => (isByCode(change) ? reminderAt(change, cycle) : null);

/** What each timer does. False where it could not be done now. */
const timers = {
  bill: chargeNextCycle,
  end: (change: SubscriptionChange) => endNow(change),
  resume: (change: SubscriptionChange) => resumeNow(change),
  warnHolder,

  /** The first charge was never paid. */
  expire(change: SubscriptionChange) {
    cancelNow(change, "subscription.expired");
  },

  /** The code of an upgrade was not paid in time: the plan stays. */
  dropUpgrade(change: SubscriptionChange) {
    dropCycle(change);
  },

  /** The day of a debit has come. A live rail goes by its own clock; a simulated one is given the time. */
  expectDebit(change: SubscriptionChange) {
    const { cycle, subscription } = change;
    if (!cycle) return;
    const isFirst = subscription.status === "active";
    updateCycle(change, cycle, { retryAt: isFirst ? startOfDay(change, addDays(todayOf(change), 1)) : null });
    passDays(change);
  },

  /** The day of a debit is over without an answer: the cycle is not paid, and the debit may still be. */
  missDebit(change: SubscriptionChange) {
    const { cycle } = change;
    if (!cycle) return;
    fallOverdue(change);
    updateCycle(change, cycle, { retryAt: null });
    passDays(change);
  },

  /** By card a cycle is due now and charged; by Pix it was not paid on its day, and a fresh code follows two days after that. */
  fallDue(change: SubscriptionChange) {
    const { cycle } = change;
    if (!cycle) return;
    if (isByCard(change)) return requestCardCharge(change, cycle);
    fallOverdue(change);
    if (change.offer.terms.maxRetryAttempts === 0) return;
    const today = todayOf(change);
    const planned = addDays(dueDayOfCycle(change, cycle), daysUntilRetry(0));
    const retryDay = planned > today ? planned : addDays(today, daysUntilRetry(0));
    updateCycle(change, cycle, { retryAt: startOfDay(change, retryDay) });
  },

  remind(change: SubscriptionChange) {
    const { cycle } = change;
    if (!cycle) return;
    updateCycle(change, cycle, { reminders: cycle.reminders + 1 });
    mailUnpaid(change, cycle, { notice: "reminder", isLast: isLastNotice(change, cycle) });
  },

  /** A fresh code of an overdue cycle. */
  renewCode(change: SubscriptionChange) {
    const { cycle } = change;
    if (!cycle || !issueCode(change, cycle)) return false;
    const retries = cycle.retries + 1;
    const isLast = retries >= change.offer.terms.maxRetryAttempts;
    const retryAt = isLast ? null : startOfDay(change, addDays(todayOf(change), daysUntilRetry(retries)));
    updateCycle(change, cycle, { retries, retryAt });
    recordEvent(change, "cycle.retried", cycle);
    mailUnpaid(change, cycle, { notice: "fresh_code", isLast: isLastNotice(change, cycle) });
  },

  retryDebit(change: SubscriptionChange) {
    return !change.cycle || requestDebitRetry(change, change.cycle);
  },

  retryCard(change: SubscriptionChange) {
    const { cycle } = change;
    if (!cycle || !requestCardCharge(change, cycle)) return false;
    updateCycle(change, cycle, { retries: cycle.retries + 1 });
    recordEvent(change, "cycle.retried", cycle);
  },

  /** A code that could still be paid while it was suspended is no longer valid. */
  lapse(change: SubscriptionChange) {
    const { cycle } = change;
    if (!cycle) return;
    voidCode(change, cycle);
    moveCycle(change, cycle, "expire");
  },

  /** The grace is over. */
  suspend(change: SubscriptionChange) {
    const { cycle } = change;
    if (!cycle) return;
    voidCode(change, cycle);
    voidDebit(change, cycle);
    moveCycle(change, cycle, "expire", { retryAt: null });
    suspend(change);
  },
} satisfies Record<string, (change: SubscriptionChange) => unknown>;

/** Tells a simulated rail how late it is. */
function passDays(change: SubscriptionChange) {
  const { mandate, account } = change;
  if (!mandate || !railFor(account)?.automatic?.simulate) return;
  askOutside(change, { kind: "pass_days", provider: mandate.provider, input: { mandateId: mandate.id } });
}
