import { lockSubscriptionOf } from "@/lib/billing/lock";
import { findCycleOf } from "@/lib/billing/pay-cycles";
import { beginChange, moveCycle } from "@/lib/billing/subscription-change";
import { writeChanges } from "@/lib/billing/write";
import type { Row } from "@/lib/database/json-rows";
import type { Query } from "@/lib/db";
import type { Happened } from "@/lib/events/consume";
import { mayCrash } from "@/lib/process/crash-points";
import { type RefundRecord, refundOf } from "@/lib/refunds/record";
import { actions } from "@/lib/subscriptions/actions";
import { cancelChange } from "@/lib/subscriptions/cancel";
import { standingOf } from "@/lib/subscriptions/present";
import { readSale } from "@/lib/transactions/sale";

/**
 * A consumer of events: once the money of a refund is with its payer, the charge of a subscription that it paid for is
 * refunded, and the subscription ends where the seller asked for that. What has ended already stays as it is.
 */
export async function endRefunded(query: Query, events: readonly Happened[]): Promise<undefined> {
  for (const { type, data, record } of events) {
    const isCompleted = type === "refund.updated" && (data as { status: string }).status === "completed";
    if (isCompleted) await apply(query, refundOf(record as Row));
  }
}

async function apply(query: Query, { refund }: RefundRecord): Promise<void> {
  const { accountId, transactionId, cancelSubscription: end } = refund;
  const sale = await readSale(query, { accountId, id: transactionId });
  if (!sale.subscriptionId) return;
  const loaded = await lockSubscriptionOf(query, sale);
  const change = beginChange(loaded);
  const cycle = sale.status === "refunded" ? await findCycleOf(query, sale, change.cycle) : undefined;
  const isPaid = cycle?.status === "paid" && cycle.transactionId === sale.id;
  if (cycle && isPaid) moveCycle(change, cycle, "refund");
  const mayEnd = end !== null && actions.cancel(standingOf(loaded));
  if (mayEnd) cancelChange(change, { at_period_end: end === "period_end", reason: null });
  if (isPaid || mayEnd) await writeChanges(query, [change]);
  mayCrash("refund.ending");
}
