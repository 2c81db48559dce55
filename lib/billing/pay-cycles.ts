import { lockSubscriptions, termsOf } from "@/lib/billing/lock";
import type { Offer } from "@/lib/billing/subscription";
import { beginChange, moveCycle, type SubscriptionChange } from "@/lib/billing/subscription-change";
import { type Cycle, cycles } from "@/lib/billing/tables";
import { runDueTimers } from "@/lib/billing/timers";
import { payCycle, stillCounts } from "@/lib/billing/transitions";
import { writeChanges } from "@/lib/billing/write";
import type { Row } from "@/lib/database/json-rows";
import { expectFew, type Query, runPrepared, scopeOf } from "@/lib/db";
import { type SoldPlan, soldPlan } from "@/lib/plans/snapshot";
import { mayCrash } from "@/lib/process/crash-points";
import type { Sale } from "@/lib/transactions/sale";
import type { CycleStatus } from "@/prisma/client/enums";

type Paying = Pick<Sale, "accountId" | "id" | "subscriptionId" | "cycleId">;
type Moved = readonly { sale: Sale }[];

/**
 * Pays cycles by their sales, in one transaction. `complete` moves the sales that it is given, with their postings, and
 * returns those that moved. Not among them is the sale of a cycle that another sale has paid, or whose payment buys
 * nothing any more, which fails the cycle for good: that money waits for the operator. Of several sales of one subscription
 * each is judged after those before it in the list have changed it. Returns the sales that moved.
 */
export async function payCycles<P extends Paying>(
  query: Query,
  paying: readonly P[],
  complete: (some: readonly P[]) => Promise<Moved>,
): Promise<Moved> {
  const loaded = await lockSubscriptions(
    query,
    paying.map(({ accountId, subscriptionId }) => ({ accountId, id: subscriptionId ?? "" })),
  );
  const changes = new Map(loaded.map((one) => [one.subscription.id, beginChange(one)]));
  const found = await findCycles(query, paying);
  const moved: { sale: Sale }[] = [];
  for (const round of roundsOf(paying)) moved.push(...(await payRound(round, changes, found, complete)));
  const paid = [...changes.values()].filter(isChanged);
  for (const change of paid) runDueTimers(change);
  await writeChanges(query, paid);
  mayCrash("cycle.paying");
  return moved;
}

/** The first sales of all subscriptions, then the second ones, and so on. */
function roundsOf<P extends Paying>(paying: readonly P[]): P[][] {
  const rounds: P[][] = [];
  const counts = new Map<string, number>();
  for (const sale of paying) {
    const of = sale.subscriptionId ?? "";
    const place = counts.get(of) ?? 0;
    counts.set(of, place + 1);
    rounds[place] = [...(rounds[place] ?? []), sale];
  }
  return rounds;
}

/** Pays by sales of which no two are of one subscription. */
async function payRound<P extends Paying>(
  paying: readonly P[],
  changes: ReadonlyMap<string, SubscriptionChange>,
  found: ReadonlyMap<string, Found>,
  complete: (some: readonly P[]) => Promise<Moved>,
): Promise<Moved> {
  const counting = paying.filter((sale) => {
    const change = changes.get(sale.subscriptionId ?? "");
    const of = found.get(sale.cycleId ?? "");
    return change && of && mayPay(change, cycleIn(change, of.cycle), of.offer);
  });
  const moved = await complete(counting);
  for (const { sale } of moved) {
    const change = changes.get(sale.subscriptionId ?? "");
    const of = found.get(sale.cycleId ?? "");
    if (!change || !of) throw new Error(`${sale.id} is of no cycle`);
    payCycle(change, cycleIn(change, of.cycle), sale, of.offer);
  }
  return moved;
}

/** A cycle as it is by now in a change of its subscription. */
export function cycleIn({ cycle: owed, cycles: changed }: SubscriptionChange, cycle: Cycle): Cycle {
  return changed.get(cycle.id) ?? (owed?.id === cycle.id ? owed : cycle);
}

/** Whether a cycle can be paid now; one whose payment buys nothing any more fails for good. `offer` is the plan that it is of. */
export function mayPay(change: SubscriptionChange, cycle: Cycle, offer: Offer): boolean {
  if (cycle.status in closed) return false;
  if (stillCounts(change, cycle, offer)) return true;
  moveCycle(change, cycle, "fail");
  return false;
}

/** Of these statuses a cycle can be paid no more, and why. */
const closed = {
  paid: "cycle_already_paid",
  refunded: "cycle_already_paid",
  failed: "cycle_not_owed",
} as const satisfies Partial<Record<CycleStatus, string>>;

export type Closed = (typeof closed)[keyof typeof closed];

/** Why the cycle of a sale can be paid no more, be it by this sale or another one; undefined where it can. */
export async function whyClosed({ accountId, cycleId }: Paying): Promise<Closed | undefined> {
  const [cycle] = await runPrepared<{ reason: Closed | null }>("cycle_closed", WHY_CLOSED, [accountId, cycleId]);
  return cycle?.reason ?? undefined;
}

/** SQL: why a cycle of this status can be paid no more; null where it can. */
export const closedReason = (status: string) =>
  `case ${status} ${Object.entries(closed)
    .map(([name, reason]) => `when '${name}' then '${reason}'`)
    .join(" ")} end`;

const WHY_CLOSED = `select ${closedReason("c.status")} as reason
  from ${scopeOf("$1")}
  cross join lateral (select * from cycles where account_id = scope.account and id = $2::uuid offset 0) c`;

const isChanged = ({ cycles }: SubscriptionChange) => cycles.size > 0;

type Found = { cycle: Cycle; offer: Offer };

/** The cycles of sales, whose subscriptions are locked, with the plans that they are of. */
export async function findCycles(query: Query, paying: readonly Paying[]): Promise<Map<string, Found>> {
  const rows = await query<{ cycle: Row; terms: Parameters<typeof termsOf>[0]; plan: SoldPlan }>("cycles_find", FIND, [
    paying.map(({ accountId }) => accountId),
    paying.map(({ cycleId }) => cycleId),
  ]);
  return new Map(
    rows.map(({ cycle: row, terms, plan }) => {
      const cycle = cycles.of(row);
      return [cycle.id, { cycle, offer: { plan, terms: termsOf(terms) } }];
    }),
  );
}

/** The cycle that a sale is for: what is owed, which a change is worked out on, or an earlier one. */
export async function findCycleOf(query: Query, sale: Paying, owed: Cycle | null): Promise<Cycle | undefined> {
  if (owed?.id === sale.cycleId) return owed;
  return (await findCycles(query, [sale])).get(sale.cycleId ?? "")?.cycle;
}

const FIND = `select to_jsonb(c) as cycle, to_jsonb(v) as terms, to_jsonb(p) as plan
  from (select distinct * from unnest($1::uuid[], $2::uuid[]) as k(account_id, id) where ${expectFew("k.id", "uuid")}) k
  cross join lateral (select * from cycles where account_id = k.account_id and id = k.id offset 0) c
  cross join lateral (
    select * from plan_versions where account_id = c.account_id and plan_id = c.plan_id and version = c.plan_version offset 0
  ) v
  cross join lateral (${soldPlan("c.account_id", "c.plan_id")}) p`;
