import { type Actor, currentActor } from "@/lib/actor";
import { cycleTransitions, type SubscriptionEvent, subscriptionTransitions } from "@/lib/billing/states";
import type { LoadedSubscription, Offer } from "@/lib/billing/subscription";
import type { Cycle, Subscription } from "@/lib/billing/tables";
import { newId } from "@/lib/ids";
import type { Mail } from "@/lib/mail/write";
import type { NewCall } from "@/lib/outside/calls";
import { statusAfter } from "@/lib/states";
import type { NewSale } from "@/lib/transactions/insert";
import type { Mandate } from "@/prisma/client/client";

/**
 * What is to be written of one subscription, while it is worked out: the records as they will be, and what comes with
 * them. The functions that change it decide and touch no database; `lib/billing/write.ts` writes it.
 */
export type SubscriptionChange = {
  account: LoadedSubscription["account"];
  now: Date;
  subscription: Subscription;
  /** What is owed, as it will be. */
  cycle: Cycle | null;
  mandate: Mandate | null;
  card: LoadedSubscription["card"];
  offer: Offer;
  newOffer: Offer | null;
  /** Every cycle that is new or changed, by its id. */
  cycles: Map<string, Cycle>;
  sales: NewSale[];
  /** Deposits that are void from now on: paid afterwards, they still count. */
  voided: string[];
  /** Deposits of debits that will not be paid. */
  failed: string[];
  /** In the order in which they happened; each has the records as they were then. */
  events: {
    type: SubscriptionEvent;
    subscription: Subscription;
    cycle: Cycle | null;
    mandate: Mandate | null;
    offer: Offer;
  }[];
  mails: Mail[];
  /** What the outside is to be asked, once this is written. */
  calls: NewCall[];
  /** Until when nothing is done by itself, because it could not be done now. */
  delayedUntil?: Date;
  /** The Pix codes of its sales, as far as they are known. */
  codes: Map<string, string>;
  /** The id that the sale gets whose code somebody waits for. */
  awaitedSaleId?: string | undefined;
  requestId?: string | undefined;
  actor: Actor;
  /** Whether an anonymous visitor asked for it. */
  byVisitor?: boolean;
};

export const beginChange = (loaded: LoadedSubscription, requestId?: string): SubscriptionChange => ({
  ...{ account: loaded.account, now: loaded.now, offer: loaded.offer, newOffer: loaded.newOffer, requestId },
  actor: currentActor(),
  card: loaded.card,
  mandate: loaded.mandate && { ...loaded.mandate },
  ...{ subscription: { ...loaded.subscription }, cycle: loaded.cycle && { ...loaded.cycle } },
  ...{ cycles: new Map(), codes: new Map(), sales: [], voided: [], failed: [], events: [], mails: [], calls: [] },
});

/**
 * Records that something happened, with the subscription as it is now and the cycle that it is about. That a cycle was made
 * is announced with its code, where a rail is asked for one (`lib/billing/code-call.ts`).
 */
export function recordEvent(change: SubscriptionChange, type: SubscriptionEvent, cycle: Cycle | null = null): void {
  const call = change.calls.find(({ kind, id }) => kind === "cycle_code" && id === cycle?.codeSaleId);
  if (call && type === "cycle.created") {
    call.input = { announcedBy: change.actor } satisfies CodeInput;
    return;
  }
  const mandate = type.startsWith("mandate.") ? change.mandate : null;
  const subscription = { ...change.subscription };
  const { offer } = change;
  change.events.push({
    type,
    subscription,
    cycle: cycle && { ...cycle },
    mandate: mandate && { ...mandate },
    offer,
  });
}

type Facts<Row> = Partial<Omit<Row, "status">>;

/** Changes the subscription itself. */
export const updateSubscription = (change: SubscriptionChange, values: Facts<Subscription>) =>
  void Object.assign(change.subscription, values);

/** Moves the subscription by a transition, and sets what comes with it. Throws where it may not make it. */
export function moveSubscription(
  change: SubscriptionChange,
  transition: keyof typeof subscriptionTransitions,
  values: Facts<Subscription> = {},
): void {
  const { subscription } = change;
  Object.assign(subscription, values, {
    status: statusAfter(subscriptionTransitions, transition, subscription.status),
  });
}

/** What a call for a code keeps until it is known: who made the cycle, where that is to be announced with the code. */
export type CodeInput = { announcedBy?: Actor };

/** The names of the kinds of calls that a change of a subscription writes (`lib/mandates/subscription-calls.ts`). */
type CallName =
  | "cycle_code"
  | "cycle_charge"
  | "instruct_debit"
  | "retry_debit"
  | "cancel_debit"
  | "cancel_mandate"
  | "pass_days";

/** Has a provider asked once this is written. Our id of the call is a new one, unless it is named. */
export const askOutside = (
  change: SubscriptionChange,
  call: Omit<NewCall, "accountId" | "id"> & { kind: CallName; id?: string },
) => void change.calls.push({ accountId: change.account.id, id: newId(), ...call });

/** Changes a cycle, be it what is owed or an earlier one. */
export function updateCycle(change: SubscriptionChange, cycle: Cycle, values: Facts<Cycle>): void {
  Object.assign(cycle, values, { updatedAt: change.now });
  change.cycles.set(cycle.id, cycle);
}

/** Moves a cycle by a transition, and sets what comes with it. Throws where it may not make it. */
export function moveCycle(
  change: SubscriptionChange,
  cycle: Cycle,
  transition: keyof typeof cycleTransitions,
  values: Facts<Cycle> = {},
): void {
  cycle.status = statusAfter(cycleTransitions, transition, cycle.status);
  updateCycle(change, cycle, values);
}
