import type { AccountContext } from "@/lib/accounts/context";
import type { Tx } from "@/lib/db";
import { forAccount, queryOf } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { type Intent, once } from "@/lib/idempotency";
import { beginChange, type Change } from "@/lib/subscriptions/change";
import { type Held, holdSubscriptions } from "@/lib/subscriptions/hold";
import { standingOf } from "@/lib/subscriptions/present";
import { type Action, actions } from "@/lib/subscriptions/states";
import { takeSteps } from "@/lib/subscriptions/steps";
import { writeChanges } from "@/lib/subscriptions/write";

/** A change that a person asks for. */
type Ask<Result> = {
  action: Action;
  /** The code of an answer where the subscription's state does not allow it. */
  refuse?(held: Held): AppError;
  act(change: Change, tx: Tx): Promise<void> | void;
  present(change: Change, tx: Tx): Promise<Result> | Result;
};

/**
 * Changes one subscription in one transaction: of two changes at once the second sees the first. What falls due by the
 * change is done with it. Throws `subscription_not_found`, also for another account's, and `invalid_transition` or what
 * `refuse` makes where the state does not allow the action.
 */
export const changeOne = <Result>(
  account: AccountContext,
  id: string,
  { idem, requestId }: Intent,
  { action, refuse, act, present }: Ask<Result>,
): Promise<Result> =>
  forAccount(account.id, (tx) =>
    once(tx, idem, async () => {
      const query = queryOf(tx);
      const [held] = await holdSubscriptions(query, [{ accountId: account.id, id }]);
      if (!held) throw new AppError("subscription_not_found");
      if (!actions[action](standingOf(held))) throw refuse?.(held) ?? new AppError("invalid_transition");
      const change = beginChange(held, requestId);
      await act(change, tx);
      takeSteps(change);
      await writeChanges(query, [change]);
      return present(change, tx);
    }),
  );
