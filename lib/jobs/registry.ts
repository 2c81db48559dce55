import { countWritten } from "@/lib/accounts/count-events";
import { freeStorage } from "@/lib/accounts/storage";
import { dueApprovals, lapseApprovals } from "@/lib/approvals/lapse";
import { linkEvents } from "@/lib/audit-log/link-events";
import { linkPast } from "@/lib/audit-log/link-past";
import { publishHeads } from "@/lib/audit-log/publish";
import { billDue } from "@/lib/billing/bill-due";
import { cycleCharge } from "@/lib/billing/card-call";
import { readExpiries } from "@/lib/billing/read-expiries";
import { makeSubscriptionsDue } from "@/lib/billing/write";
import { expireCardTokens } from "@/lib/card-tokens/expire";
import { cardCharge } from "@/lib/charges/call";
import { settleDueCharges } from "@/lib/charges/settle";
import { finishUnknownCharges } from "@/lib/charges/unknown";
import { depositCall } from "@/lib/deposits/call";
import { paymentWatch } from "@/lib/deposits/complete";
import { expireDueDeposits } from "@/lib/deposits/expire";
import { lookAtRails } from "@/lib/deposits/poll";
import { COMPARE, compareDue } from "@/lib/differences/run";
import { blockMissing } from "@/lib/disputes/block";
import { defenceCall } from "@/lib/disputes/call";
import { followDisputes } from "@/lib/disputes/follow";
import { lookForDisputes } from "@/lib/disputes/look";
import { remindSellers } from "@/lib/disputes/remind";
import { chargebackWatch, medWatch } from "@/lib/disputes/report";
import { collectEarnings } from "@/lib/earnings/collect";
import { type Consumer, eventsConsumer } from "@/lib/events/consume";
import type { ConsumerName } from "@/lib/events/outbox";
import { purgeSome } from "@/lib/jobs/retention";
import { dueJobs, startTimetable, type Timetable } from "@/lib/jobs/timetable";
import type { Registry } from "@/lib/jobs/worker";
import { foldTails } from "@/lib/ledger/fold";
import { dueMails } from "@/lib/mail/claim";
import { startMails } from "@/lib/mail/run";
import { debitWatch, mandateWatch } from "@/lib/mandates/report";
import { subscriptionCalls } from "@/lib/mandates/subscription-calls";
import { dueCalls } from "@/lib/outside/claim";
import { startCalls } from "@/lib/outside/run";
import { dueWatches, watchLoop } from "@/lib/outside/watch";
import { watchCalls } from "@/lib/outside/watch-calls";
import { mailOversold } from "@/lib/payment-links/mail-oversold";
import { mailReceipts } from "@/lib/payment-links/mail-receipts";
import { dueErasures, erasePeople } from "@/lib/privacy/erase";
import { warnOfCertificates } from "@/lib/providers/certificates";
import { renewCallbacks } from "@/lib/providers/renew-callbacks";
import { runReconcile } from "@/lib/reconcile/run";
import { RECONCILE } from "@/lib/reconcile/runs";
import { refundCall, refundCalls } from "@/lib/refunds/call";
import { mailRefunds } from "@/lib/refunds/mail-refunds";
import { countEvents } from "@/lib/rollups/count";
import { advanceClocks } from "@/lib/sandbox/run";
import { dueCardNotices, sendCardNotices } from "@/lib/simulators/cards/notify";
import { dueNotices, sendNotices } from "@/lib/simulators/pix/notify";
import { endRefunded } from "@/lib/subscriptions/end-refunded";
import { DAY_MS } from "@/lib/time/calendar";
import { dueOrders } from "@/lib/tracking/claim";
import { startOrders } from "@/lib/tracking/run";
import { trackSales } from "@/lib/tracking/track-sales";
import { isExpiring, isSettling } from "@/lib/transactions/states";
import { returnCalls, unmatchedReturn } from "@/lib/unmatched/call";
import { dueReturns, returnDue } from "@/lib/unmatched/return-due";
import { writeLinkMails } from "@/lib/users/link-mails";
import { dueDeliveries } from "@/lib/webhooks/claim";
import { dispatchEvents } from "@/lib/webhooks/dispatch";
import { dueReplays, planReplays } from "@/lib/webhooks/plan-replays";
import { probeWebhooks } from "@/lib/webhooks/probe";
import { planBacklogs } from "@/lib/webhooks/reenable";
import { startDeliveries } from "@/lib/webhooks/run";
import { withdrawalCall } from "@/lib/withdrawals/call";
import { dueWithdrawals, lapseWithdrawals } from "@/lib/withdrawals/lapse";
import { mailWithdrawals } from "@/lib/withdrawals/mail-withdrawals";
import { payoutWatch } from "@/lib/withdrawals/payout-watch";
import { lookAtPayouts } from "@/lib/withdrawals/poll";

/** The kinds of calls to the outside. */
const calls = [
  cardCharge,
  depositCall,
  ...refundCalls,
  ...returnCalls,
  withdrawalCall,
  defenceCall,
  ...subscriptionCalls,
];

/** The kinds of what a provider may change by itself. A callback or the clock wakes each (lib/outside/watch.ts). */
const watches = [
  paymentWatch,
  mandateWatch,
  debitWatch,
  watchCalls(refundCall, unmatchedReturn),
  payoutWatch,
  medWatch,
  chargebackWatch,
];

/** The instant that is in an id of ours. */
const instantOf = (id: string) =>
  `to_timestamp(('x' || left(replace(${id}::text, '-', ''), 12))::bit(48)::bigint / 1000.0)`;

/** Who acts on what happened, by the name of its place. */
const consumers: Record<ConsumerName, Consumer> = {
  deliveries: dispatchEvents,
  counts: countEvents,
  earnings: collectEarnings,
  storage: countWritten,
  receipts: mailReceipts,
  oversold_mails: mailOversold,
  refunds: endRefunded,
  refund_mails: mailRefunds,
  disputes: followDisputes,
  withdrawal_mails: mailWithdrawals,
  tracking: trackSales,
  audit: linkEvents, // the last: while it has an account's chain, no other transaction links it
};
const events = eventsConsumer(consumers);

const loops: Registry["loops"] = [
  {
    name: "watches.ask",
    on: "watches",
    everyMs: 5_000,
    due: [dueWatches],
    run: watchLoop(watches),
  },
  { name: "approvals.lapse", everyMs: 60_000, due: [dueApprovals], run: lapseApprovals },
  { name: "unmatched.return", everyMs: 2_000, due: [dueReturns], run: returnDue },
  { name: "withdrawals.lapse", everyMs: 60_000, due: [dueWithdrawals], run: lapseWithdrawals },
  { name: "privacy.erase", everyMs: 5_000, due: [dueErasures], run: erasePeople },
  { name: "deposits.poll", everyMs: 5_000, run: lookAtRails },
  { name: "withdrawals.poll", everyMs: 5_000, run: lookAtPayouts },
  {
    name: "simulator.notify",
    on: "notices",
    everyMs: 5_000,
    due: dueNotices,
    run: sendNotices,
  },
  { name: "acquirer.notify", on: "notices", everyMs: 5_000, due: dueCardNotices, run: sendCardNotices },
  {
    name: "disputes.block",
    everyMs: 5_000,
    due: [{ table: "disputes", at: "block_at", only: "block_at is not null" }],
    run: blockMissing,
  },
  {
    name: "disputes.remind",
    everyMs: 60_000,
    due: [{ table: "disputes", at: "remind_at", only: "remind_at is not null" }],
    run: remindSellers,
  },
  {
    name: "events.consume",
    on: "events",
    everyMs: 5_000,
    due: [{ table: "outbox", of: ["account_id"], at: instantOf("event_id"), order: "event_id" }],
    run: events.consume,
  },
  {
    name: "events.catch-up",
    on: "events",
    everyMs: 1_000,
    due: [
      {
        table: "outbox_of_consumers",
        of: ["consumer", "account_id"],
        at: instantOf("event_id"),
        order: "event_id",
      },
    ],
    run: events.catchUp,
  },
  {
    name: "deposits.expire-due",
    everyMs: 5_000,
    due: [{ table: "transactions", at: "expires_at", only: isExpiring() }],
    run: expireDueDeposits,
  },
  {
    name: "billing.bill-due",
    everyMs: 5_000,
    due: [{ table: "subscriptions", at: "act_at", only: "act_at is not null" }],
    run: billDue(),
  },
  {
    name: "sandbox.advance",
    on: "clocks",
    everyMs: 2_000,
    due: [{ table: "clock_advances", at: "claimed_until", only: "done_at is null" }],
    run: advanceClocks,
  },
  {
    name: "cards.settle-due",
    everyMs: 15_000,
    due: [
      {
        table: "transactions",
        at: "settle_at",
        only: isSettling(),
      },
    ],
    run: settleDueCharges,
  },
  {
    name: "cards.expire-tokens",
    everyMs: 10_000,
    due: [{ table: "card_tokens", at: "expires_at", only: "wrapped_key is not null" }],
    run: expireCardTokens,
  },
  {
    name: "cards.read-expiries",
    everyMs: 60_000,
    due: [
      {
        table: "subscriptions",
        at: "now()",
        only: "stored_card_id is not null and card_warnings is null and status <> 'cancelled'",
        order: "account_id, id",
      },
    ],
    run: readExpiries,
  },
  {
    name: "ledger.fold",
    everyMs: 2_000,
    due: [
      {
        table: "ledger_tail",
        at: "(select created_at from ledger_entries e where e.account_id = t.account_id and e.id = t.entry_id)",
        order: "account_id, kind, entry_id",
      },
    ],
    run: foldTails,
  },
  {
    name: "webhooks.probe",
    everyMs: 10_000,
    due: [
      {
        table: "webhooks",
        at: "next_probe_at",
        only: `next_probe_at is not null and deleted_at is null and exists (
          select from deliveries d where d.account_id = t.account_id and d.webhook_id = t.id
            and d.status in ('pending', 'failed') and d.created_at >= now() - interval '14 days'
          offset 0 -- so that only the deliveries of webhooks that are due are looked for
        )`,
      },
    ],
    run: probeWebhooks,
  },
  {
    name: "webhooks.wake",
    everyMs: 5_000,
    due: [{ table: "webhooks", at: "now()", only: "waking", order: "account_id, id" }],
    run: planBacklogs,
  },
  { name: "webhooks.replay", everyMs: 500, due: [dueReplays], run: planReplays },
  {
    name: "users.link-mails",
    on: "links",
    everyMs: 5_000,
    due: [{ table: "mail_links", at: "mail_due_at", only: "mail_due_at is not null" }],
    run: writeLinkMails,
  },
  { name: "accounts.free-storage", everyMs: 10_000, run: whole(async () => makeSubscriptionsDue(await freeStorage())) },
  { name: "retention.purge", everyMs: 60_000, run: purgeSome },
  { name: "audit.link-past", everyMs: 60_000, run: linkPast },
];

/** What is due at certain times, on one worker. */
const timetable: Timetable = [
  {
    name: "charges.finish-unknown",
    ...{ everyMs: 3_600_000, from: "00:20" },
    run: () => finishUnknownCharges([cardCharge, cycleCharge]),
  },
  { name: "disputes.look", ...{ everyMs: 300_000, from: "00:02" }, run: lookForDisputes },
  { name: RECONCILE, ...{ everyMs: DAY_MS, from: "06:00" }, run: () => runReconcile() },
  { name: "providers.warn", ...{ everyMs: 3_600_000, from: "00:40" }, run: warnOfCertificates },
  { name: COMPARE, ...{ everyMs: 600_000, from: "00:05" }, run: () => compareDue() },
  { name: "providers.call-back", ...{ everyMs: 3_600_000, from: "00:50" }, run: renewCallbacks },
  { name: "audit.publish", ...{ everyMs: DAY_MS, from: "05:00" }, run: publishHeads },
];

/**
 * Calls, deliveries and mails are no loops, because an attempt only waits for somebody's server; nor are the timetable's
 * jobs, which may take minutes.
 */
const attempts: Registry["attempts"] = [
  {
    name: "calls",
    due: [dueCalls],
    start: startCalls(calls),
  },
  {
    name: "deliveries",
    due: [dueDeliveries],
    start: startDeliveries,
  },
  {
    name: "mails",
    due: [dueMails],
    start: startMails,
  },
  { name: "tracking", due: [dueOrders], start: startOrders },
  { name: "timetable", due: [dueJobs], start: startTimetable(timetable) },
];

/** Everything that a worker does, for `startWorker`. */
export const registry: Registry = { loops, attempts };

/** Work that does all that is due in one batch. */
function whole(run: () => Promise<unknown>) {
  return async () => {
    await run();
    return false;
  };
}
