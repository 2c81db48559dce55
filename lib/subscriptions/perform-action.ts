import type { AccountContext } from "@/lib/accounts/context";
import { lockSubscriptions } from "@/lib/billing/lock";
import type { LoadedSubscription } from "@/lib/billing/subscription";
import { beginChange, type SubscriptionChange } from "@/lib/billing/subscription-change";
import { runDueTimers } from "@/lib/billing/timers";
import { writeChanges } from "@/lib/billing/write";
import type { Tx } from "@/lib/db";
import { forAccount, queryOf } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { type Intent, once } from "@/lib/idempotency";
import { type Action, actions } from "@/lib/subscriptions/actions";
import { standingOf } from "@/lib/subscriptions/present";
import { type Coded, changeForCode } from "@/lib/subscriptions/wait-for-code";

/** A change that a person asks for. */
type Ask<Result> = {
  action: Action;
  /** The code of an answer where the subscription's state does not allow it. */
  refuse?(loaded: LoadedSubscription): AppError;
  act(change: SubscriptionChange, tx: Tx): Promise<void> | void;
} & (Presented<Result> | (Partial<Presented<Result>> & PresentedByCode<Result>));

type Presented<Result> = { present(change: SubscriptionChange, tx: Tx): Promise<Result> | Result };

/** Where the action leads to a Pix code, its caller waits for the code. */
type PresentedByCode<Result> = { presentCode(coded: Coded): Promise<Result> };

/**
 * Changes one subscription in one transaction: of two changes at once the second sees the first. What falls due by the
 * change is done with it. Throws `subscription_not_found`, also for another account's, and `invalid_transition` or what
 * `refuse` makes where the state does not allow the action.
 */
export function performAction<Result>(
  account: AccountContext,
  id: string,
  intent: Intent,
  { action, refuse, act, ...presented }: Ask<Result>,
): Promise<Result> {
  if ("presentCode" in presented) return changeForCode(account, { change, ...presented }, intent);
  return forAccount(account.id, (tx) => once(tx, intent.idem, async () => presented.present(await change(tx), tx)));

  async function change(tx: Tx, awaitedSaleId?: string): Promise<SubscriptionChange> {
    const query = queryOf(tx);
    const [loaded] = await lockSubscriptions(query, [{ accountId: account.id, id }]);
    if (!loaded) throw new AppError("subscription_not_found");
    if (!actions[action](standingOf(loaded))) throw refuse?.(loaded) ?? new AppError("invalid_transition");
    const change = { ...beginChange(loaded, intent.requestId), awaitedSaleId };
    await act(change, tx);
    runDueTimers(change);
    await writeChanges(query, [change]);
    return change;
  }
}
