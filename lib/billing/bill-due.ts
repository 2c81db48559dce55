import { setImmediate } from "node:timers/promises";
import { lockSelected, lockSubscriptions } from "@/lib/billing/lock";
import type { LoadedSubscription } from "@/lib/billing/subscription";
import { beginChange, type SubscriptionChange } from "@/lib/billing/subscription-change";
import { runDueTimers } from "@/lib/billing/timers";
import { writeChanges } from "@/lib/billing/write";
import { isAway, type Query, transactionOverAll } from "@/lib/db";
import { log } from "@/lib/log";
import { mayCrash } from "@/lib/process/crash-points";

/** How many subscriptions one batch has, and how many are worked out before the process serves others. */
const BATCH = 100;
const IN_A_ROW = 10;
/** How many lines of batches are under way, so that one is worked out while the database writes another's. */
const LINES = 2;
/** How many batches a line has before the engine is asked whether it still runs. */
const IN_A_LINE = 10;
/** How long a subscription that could not be billed is left alone. */
const LEFT_ALONE_MS = 60_000;

/**
 * Makes the billing engine's loop, which runs the timers of some batches of the subscriptions that are due, the longest due
 * first, each in one transaction: charges, reminders, overdue, retries, suspensions, ends. Returns whether more may be due.
 * Where a set fails, each of its subscriptions is billed alone, and one that fails alone is logged and left alone for a
 * minute. Any number of processes may bill at once: what another transaction has locked is left for later. With `only`, it
 * bills one account.
 */
export function billDue(): (only?: string) => Promise<boolean> {
  const leftAlone = new Map<string, number>();

  return async (only) => {
    for (const [id, until] of leftAlone) if (until < performance.now()) leftAlone.delete(id);
    const lines = await Promise.allSettled(Array.from({ length: LINES }, () => billLine(only)));
    return lines.map(settled).some((isFull) => isFull);
  };

  /** Bills some batches, one after the other. Returns whether the last was full. */
  async function billLine(only?: string): Promise<boolean> {
    let isFull = true;
    for (let count = 0; isFull && count < IN_A_LINE; count++) isFull = await billBatch(only);
    return isFull;
  }

  /** Bills one batch. Returns whether it was full. */
  async function billBatch(only?: string): Promise<boolean> {
    let loaded: LoadedSubscription[] = [];
    const set = async (query: Query) => {
      const except = [...leftAlone.keys()];
      loaded = only
        ? await lockSelected(query, "", DUE_OF_ONE, [except, only])
        : await lockSelected(query, "", DUE, [except]);
      await runTimersOf(query, loaded);
    };
    await transactionOverAll(set).catch(async (error) => {
      if (isAway(error) || loaded.length === 0) throw error;
      for (const { subscription } of loaded) await billAlone(subscription);
    });
    return loaded.length === BATCH;
  }

  async function billAlone({ accountId, id }: LoadedSubscription["subscription"]) {
    const alone = async (query: Query) => runTimersOf(query, await lockSubscriptions(query, [{ accountId, id }]));
    await transactionOverAll(alone).catch((error) => {
      if (isAway(error)) throw error;
      leftAlone.set(id, performance.now() + LEFT_ALONE_MS);
      log.error({ accountId, subscriptionId: id, error }, "a subscription that is due could not be billed");
    });
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

/**
 * SQL: what is due in real time, and so on every clock, because no clock runs behind; then what is due on the clocks that
 * run ahead, account by account.
 */
const DUE = `
  select * from (
    select s.* from subscriptions s where s.act_at <= now() and s.id <> all($1::uuid[])
    order by s.act_at, s.id limit ${BATCH} for update skip locked
  ) due
  union all
  select ahead.* from accounts a cross join lateral (
    select s.* from subscriptions s
    where s.account_id = a.id and s.act_at > now() and s.act_at <= now() + a.clock_offset_ms * interval '1 millisecond'
      and s.id <> all($1::uuid[])
    order by s.act_at limit ${BATCH} for update skip locked
  ) ahead
  where a.clock_offset_ms > 0
  limit ${BATCH}`;

const DUE_OF_ONE = `
  select s.* from accounts a cross join lateral (
    select s.* from subscriptions s
    where s.account_id = a.id and s.act_at <= now() + a.clock_offset_ms * interval '1 millisecond'
      and s.id <> all($1::uuid[])
    order by s.act_at limit ${BATCH} for update skip locked
  ) s
  where a.id = $2::uuid`;
