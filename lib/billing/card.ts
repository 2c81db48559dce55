import { addDays, startOf } from "@/lib/billing/calendar";
import { mailCard } from "@/lib/billing/mails";
import { type SubscriptionChange, updateSubscription } from "@/lib/billing/subscription-change";
import type { KeptCard } from "@/lib/charges/stored-card";

// The holder of a kept card is written to before it expires. All functions change the change that they are given.

/** Days before a card's last day on which its holder is written to, once each, at this hour. */
const WARNINGS = [30, 7] as const;
const WARNING_HOUR = 9;

/** Charges this card from now on. What is past of its warnings is never sent: its holder has just had it in hand. */
export function attachCard(change: SubscriptionChange, card: KeptCard): void {
  change.card = card;
  updateSubscription(change, { storedCardId: card.id, cardWarnings: warningsPast(change) });
}

/**
 * Knows from now on when a card ends that was kept before we could read it. Its holder did not have it in hand just now, so
 * of the warnings that are past the last one is still sent, at once.
 */
export function attachExpiry(change: SubscriptionChange, card: KeptCard): void {
  attachCard(change, card);
  if (card.expiresOn) updateSubscription(change, { cardWarnings: Math.max(0, warningsPast(change) - 1) });
}

/** Charges no card any more. */
export function detachCard(change: SubscriptionChange): void {
  change.card = null;
  updateSubscription(change, { storedCardId: null, cardWarnings: null });
}

/** When the next warning is due, if one is left. */
export function warningAt({ account, card, subscription }: SubscriptionChange): Date | null {
  const days = WARNINGS[subscription.cardWarnings ?? WARNINGS.length];
  return days === undefined || !card?.expiresOn ? null : instantOf(card.expiresOn, days, account.timeZone);
}

/** Writes to the holder. Of several warnings that are due by now only one is sent, and none of a card that has expired. */
export function warnHolder(change: SubscriptionChange): void {
  const { card, account, now } = change;
  updateSubscription(change, { cardWarnings: warningsPast(change) });
  if (card?.expiresOn && now < startOf(addDays(card.expiresOn, 1), account.timeZone))
    mailCard(change, card, card.expiresOn);
}

const warningsPast = ({ account, card, now }: SubscriptionChange) => {
  const { expiresOn } = card ?? {};
  if (!expiresOn) return WARNINGS.length;
  return WARNINGS.filter((days) => instantOf(expiresOn, days, account.timeZone) <= now).length;
};

const instantOf = (expiresOn: string, days: number, zone: string) =>
  startOf(addDays(expiresOn, -days), zone, WARNING_HOUR);
