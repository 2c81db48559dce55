import { freeStorage } from "@/lib/accounts/storage";
import { billDue } from "@/lib/billing/bill-due";
import { chargeWaitingCards } from "@/lib/billing/charge-cards";
import { orderDebits } from "@/lib/billing/order-debits";
import { expireCardTokens } from "@/lib/card-tokens/expire";
import { cardCharge } from "@/lib/charges/call";
import { settleDueCharges } from "@/lib/charges/settle";
import { depositCall } from "@/lib/deposits/call";
import { completeDuePayments } from "@/lib/deposits/complete";
import { expireDueDeposits } from "@/lib/deposits/expire";
import { pollRails } from "@/lib/deposits/poll";
import { collectEarnings } from "@/lib/earnings/collect";
import { eventsConsumer } from "@/lib/events/consume";
import { purgeSome, reportFailedJobs } from "@/lib/jobs/retention";
import type { Registry } from "@/lib/jobs/worker";
import { foldTails } from "@/lib/ledger/fold";
import { log } from "@/lib/log";
import { startMails } from "@/lib/mail/run";
import { resolveDueCalls } from "@/lib/rails/calls";
import { followChanges } from "@/lib/rails/pix/changes";
import { sendNotices } from "@/lib/rails/pix/simulator/notify";
import { reconcile } from "@/lib/reconcile";
import { countEvents } from "@/lib/rollups/count";
import { advanceClocks } from "@/lib/sandbox/run";
import { cycleCharge } from "@/lib/subscriptions/card-call";
import { follower } from "@/lib/subscriptions/follow";
import { mandateCall } from "@/lib/subscriptions/mandate-call";
import { writeLinkMails } from "@/lib/users/link-mails";
import { dispatchEvents } from "@/lib/webhooks/dispatch";
import { probeWebhooks } from "@/lib/webhooks/probe";
import { startDeliveries } from "@/lib/webhooks/run";
import { wakeRest } from "@/lib/webhooks/wake";

const loops: Registry["loops"] = [
  { name: "deposits.complete", on: "callbacks", everyMs: 5_000, run: completeDuePayments },
  { name: "simulator.notify", on: "notices", everyMs: 15_000, run: sendNotices },
  {
    name: "events.consume",
    on: "events",
    everyMs: 5_000,
    run: eventsConsumer([dispatchEvents, countEvents, collectEarnings]),
  },
  { name: "deposits.expire-due", everyMs: 5_000, run: expireDueDeposits },
  { name: "billing.bill-due", everyMs: 5_000, run: billDue() },
  { name: "billing.charge-cards", on: "charges", everyMs: 15_000, run: chargeWaitingCards },
  { name: "billing.order-debits", on: "charges", everyMs: 15_000, run: orderDebits },
  { name: "mandates.follow", on: "callbacks", everyMs: 15_000, run: followChanges(follower) },
  { name: "sandbox.advance", on: "clocks", everyMs: 15_000, run: advanceClocks },
  { name: "cards.settle-due", everyMs: 15_000, run: settleDueCharges },
  {
    name: "calls.resolve-due",
    everyMs: 2_000,
    run: () => resolveDueCalls([cardCharge, cycleCharge, depositCall, mandateCall]),
  },
  { name: "cards.expire-tokens", everyMs: 10_000, run: expireCardTokens },
  { name: "ledger.fold", everyMs: 2_000, run: foldTails },
  { name: "webhooks.probe", everyMs: 10_000, run: probeWebhooks },
  { name: "webhooks.wake", everyMs: 5_000, run: wakeRest },
  { name: "users.link-mails", on: "links", everyMs: 15_000, run: writeLinkMails },
  { name: "accounts.free-storage", everyMs: 10_000, run: whole(freeStorage) },
  { name: "retention.purge", everyMs: 60_000, run: purgeSome },
];

/** Deliveries and mails are no loops, because an attempt only waits for somebody's server. */
const engines: Registry["engines"] = [
  { name: "deliveries", start: startDeliveries },
  { name: "mails", start: startMails },
];

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;

const timetable: Registry["timetable"] = [
  { name: "deposits.poll", at: "* * * * *", run: () => pollRails(5 * MINUTE_MS) },
  { name: "deposits.poll-days", at: "20 * * * *", run: () => pollRails(3 * DAY_MS) },
  { name: "ledger.reconcile", at: "0 6 * * *", run: reportFaults },
  { name: "jobs.report-failed", at: "15 * * * *", run: reportFailedJobs },
];

/** Everything that a worker does, for `startWorker`. */
export const registry: Registry = { loops, engines, timetable };

/** Work that does all that is due in one batch. */
function whole(run: () => Promise<unknown>) {
  return async () => {
    await run();
    return false;
  };
}

async function reportFaults() {
  for (const fault of await reconcile()) log.error({ fault }, "reconcile found a fault");
}
