import { setImmediate } from "node:timers/promises";
import { type Key, loadLocked } from "@/lib/billing/lock";
import type { LoadedSubscription } from "@/lib/billing/subscription";
import { beginChange, type SubscriptionChange } from "@/lib/billing/subscription-change";
import { runDueTimers } from "@/lib/billing/timers";
import { writeChanges } from "@/lib/billing/write";
import type { Query } from "@/lib/db";
import { dueInSets } from "@/lib/due/sets";
import { mayCrash } from "@/lib/process/crash-points";

/** How many subscriptions one set has, and how many are worked out before the process serves others. */
const SET = 100;
const IN_A_ROW = 10;
/** How many lanes of sets are under way, so that one is worked out while the database writes another's. */
const LANES = 2;
/** How many sets a lane has before the engine is asked whether it still runs. */
const IN_A_LANE = 10;

/**
 * Makes the billing engine's loop, which runs the timers of some sets of the subscriptions that are due, the longest due
 * first, each set in one transaction (`dueInSets`): charges, reminders, overdue, retries, suspensions, ends. Returns
 * whether more may be due. With `accountId`, it bills one account.
 */
export function billDue(): (accountId?: string) => Promise<boolean> {
  const billSet = dueInSets<Key>({
    name: "billing.bill-due",
    rows: {
      table: "subscriptions",
      key: { account_id: "uuid", id: "uuid" },
      ...{ at: "t.act_at", clock: { index: "instants" } },
    },
    limit: SET,
    act: async (query, due) => runTimersOf(query, await loadLocked(query, due)),
  });

  return async (accountId) => {
    const lanes = await Promise.allSettled(Array.from({ length: LANES }, () => billLane(accountId)));
    return lanes.map(settled).some((isFull) => isFull);
  };

  /** Bills some sets, one after the other. Returns whether the last was full. */
  async function billLane(accountId?: string): Promise<boolean> {
    let isFull = true;
    for (let count = 0; isFull && count < IN_A_LANE; count++) isFull = await billSet(accountId);
    return isFull;
  }
}

function settled<T>(result: PromiseSettledResult<T>): T {
  if (result.status === "rejected") throw result.reason;
  return result.value;
}

async function runTimersOf(query: Query, loaded: readonly LoadedSubscription[]) {
  const changes: SubscriptionChange[] = [];
  for (const one of loaded) {
    const change = beginChange(one);
    runDueTimers(change);
    changes.push(change);
    if (changes.length % IN_A_ROW === 0) await setImmediate();
  }
  await writeChanges(query, changes);
  mayCrash("cycle.stepping");
}
