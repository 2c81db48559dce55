import { lockSubscriptions } from "@/lib/billing/lock";
import { cycleIn, findCycles } from "@/lib/billing/pay-cycles";
import { beginChange, moveCycle, type SubscriptionChange } from "@/lib/billing/subscription-change";
import { writeChanges } from "@/lib/billing/write";
import type { Row } from "@/lib/database/json-rows";
import type { Query } from "@/lib/db";
import { disputeOf } from "@/lib/disputes/record";
import type { Happened } from "@/lib/events/consume";
import { mayCrash } from "@/lib/process/crash-points";
import { refundOf } from "@/lib/refunds/record";
import { isLost, isReturned } from "@/lib/reversals/returned";
import { actions } from "@/lib/subscriptions/actions";
import { cancelChange } from "@/lib/subscriptions/cancel";
import { standingOf } from "@/lib/subscriptions/present";
import { readSales } from "@/lib/transactions/sale";
import type { Refund } from "@/prisma/client/client";

/**
 * A consumer of events: once the money of a refund is with its payer, or a dispute took all of it, the charge of a subscription that
 * it paid for is refunded, and the subscription ends where the seller asked for that. What has ended already stays as it is.
 */
export async function endRefunded(query: Query, events: readonly Happened[]): Promise<undefined> {
  const refunds: Pick<Refund, "accountId" | "transactionId" | "cancelSubscription">[] = [
    ...events.filter(isReturned).map(({ record }) => refundOf(record as Row).refund),
    ...events.filter(isLost).map(({ record }) => ({ ...disputeOf(record as Row).dispute, cancelSubscription: null })),
  ];
  const sales = await readSales(
    query,
    refunds.map(({ accountId, transactionId: id }) => ({ accountId, id })),
  );
  const ended = refunds.flatMap(({ transactionId, cancelSubscription: end }) => {
    const sale = sales.get(transactionId);
    return sale?.subscriptionId ? [{ sale, end, key: { accountId: sale.accountId, id: sale.subscriptionId } }] : [];
  });
  if (ended.length === 0) return;
  const loaded = await lockSubscriptions(
    query,
    ended.map(({ key }) => key),
  );
  const changes = new Map(loaded.map((one) => [one.subscription.id, beginChange(one)]));
  const found = await findCycles(
    query,
    ended.map(({ sale }) => sale),
  );
  const changed = new Set<SubscriptionChange>();
  for (const { sale, end, key } of ended) {
    const change = changes.get(key.id);
    if (!change) throw new Error(`No subscription ${key.id}`);
    const of = found.get(sale.cycleId ?? "");
    const cycle = of && cycleIn(change, of.cycle);
    if (
      (sale.status === "refunded" || sale.status === "chargedback") &&
      cycle?.status === "paid" &&
      cycle.transactionId === sale.id
    ) {
      moveCycle(change, cycle, "refund");
      changed.add(change);
    }
    if (end !== null && actions.cancel(standingOf(change))) {
      cancelChange(change, { at_period_end: end === "period_end", reason: null });
      changed.add(change);
    }
  }
  await writeChanges(query, [...changed]);
  mayCrash("refund.ending");
}
