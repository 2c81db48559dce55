import type { z } from "zod";
import type { AccountContext } from "@/lib/accounts/context";
import { mailEnd } from "@/lib/billing/mails";
import { type SubscriptionChange, updateSubscription } from "@/lib/billing/subscription-change";
import { cancelLater, cancelNow } from "@/lib/billing/transitions";
import type { Intent } from "@/lib/idempotency";
import { performAction } from "@/lib/subscriptions/perform-action";
import { presentChanged } from "@/lib/subscriptions/read";
import type { CancelBody } from "@/lib/subscriptions/schema";

type Cancellation = z.output<typeof CancelBody> & { id: string };

/**
 * Cancels a subscription at once, or when what is paid of it is over. A charge that is open is owed no longer. The
 * subscriber is written to, except where a visitor enrolled and never paid. Throws `subscription_not_found` and
 * `invalid_transition`.
 */
export const cancelSubscription = (account: AccountContext, input: Cancellation, intent: Intent) =>
  performAction(account, input.id, intent, {
    action: "cancel",
    act: (change) => cancelChange(change, input),
    present: presentChanged,
  });

/** Works out a cancellation of a subscription that may be cancelled. */
export function cancelChange(change: SubscriptionChange, { at_period_end, reason }: Omit<Cancellation, "id">): void {
  const { cycle, subscription } = change;
  updateSubscription(change, { reason });
  if (at_period_end && subscription.status === "active") cancelLater(change);
  else cancelNow(change);
  if (subscription.startedAt || !subscription.byVisitor) mailEnd(change, cycle);
}
