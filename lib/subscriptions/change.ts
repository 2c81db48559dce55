import type { Mail } from "@/lib/mail/write";
import type { Held, Offer } from "@/lib/subscriptions/hold";
import type { Cycle, Subscription } from "@/lib/subscriptions/rows";
import type { SubscriptionEvent } from "@/lib/subscriptions/subject";
import type { NewSale } from "@/lib/transactions/insert";

/**
 * What is to be written of one subscription, while it is worked out: the records as they will be, and what comes with
 * them. The functions that change it decide and touch no database; `lib/subscriptions/write.ts` writes it.
 */
export type Change = {
  account: Held["account"];
  now: Date;
  subscription: Subscription;
  /** What is owed, as it will be. */
  cycle: Cycle | null;
  offer: Offer;
  newOffer: Offer | null;
  /** Every cycle that is new or changed, by its id. */
  cycles: Map<string, Cycle>;
  sales: NewSale[];
  /** Deposits whose codes are void from now on. */
  voided: string[];
  /** In the order in which they happened; each has the records as they were then. */
  events: { type: SubscriptionEvent; subscription: Subscription; cycle: Cycle | null }[];
  mails: Mail[];
  /** The sales among `sales` that charge the card on file, once this is written. */
  charged: string[];
  /** Until when nothing is done by itself, because a rail or an acquirer is not there. */
  delayedUntil?: Date;
  requestId?: string | undefined;
};

export const beginChange = (held: Held, requestId?: string): Change => ({
  ...{ account: held.account, now: held.now, offer: held.offer, newOffer: held.newOffer, requestId },
  ...{ subscription: { ...held.subscription }, cycle: held.cycle && { ...held.cycle } },
  ...{ cycles: new Map(), sales: [], voided: [], events: [], mails: [], charged: [] },
});

/** Notes that something happened, with the subscription as it is now and the cycle that it is about. */
export function note(change: Change, type: SubscriptionEvent, cycle: Cycle | null = null): void {
  change.events.push({ type, subscription: { ...change.subscription }, cycle: cycle && { ...cycle } });
}

/** Changes the subscription itself. */
export const set = (change: Change, values: Partial<Subscription>) => void Object.assign(change.subscription, values);

/** Changes a cycle, be it what is owed or an earlier one. */
export function setCycle(change: Change, cycle: Cycle, values: Partial<Cycle>): void {
  Object.assign(cycle, values, { updatedAt: change.now });
  change.cycles.set(cycle.id, cycle);
}
