import { freeStorage } from "@/lib/accounts/storage";
import { expireCardTokens } from "@/lib/card-tokens/expire";
import { cardCharge } from "@/lib/charges/call";
import { settleDueCharges } from "@/lib/charges/settle";
import { depositCall } from "@/lib/deposits/call";
import { completeDuePayments } from "@/lib/deposits/complete";
import { expireDueDeposits } from "@/lib/deposits/expire";
import { pollRails } from "@/lib/deposits/poll";
import { eventsConsumer } from "@/lib/events/consume";
import { purge, reportFailedJobs } from "@/lib/jobs/retention";
import type { Registry } from "@/lib/jobs/worker";
import { foldTails } from "@/lib/ledger/fold";
import { log } from "@/lib/log";
import { resolveDueCalls } from "@/lib/rails/calls";
import { sendNotices } from "@/lib/rails/pix/simulator/notify";
import { reconcile } from "@/lib/reconcile";
import { dispatchEvents } from "@/lib/webhooks/dispatch";
import { probeWebhooks } from "@/lib/webhooks/probe";
import { startDeliveries } from "@/lib/webhooks/run";
import { wakeRest } from "@/lib/webhooks/wake";

/** Work that is due in rows, on every worker; each is safe to run twice at the same time. */
const work: Registry["work"] = [
  { name: "deposits.complete", on: "callbacks", everyMs: 5_000, run: completeDuePayments },
  { name: "simulator.notify", on: "notices", everyMs: 5_000, run: sendNotices },
  { name: "events.consume", on: "events", everyMs: 5_000, run: eventsConsumer([dispatchEvents]) },
  { name: "deposits.expire-due", everyMs: 5_000, run: expireDueDeposits },
  { name: "cards.settle-due", everyMs: 5_000, run: settleDueCharges },
  { name: "calls.resolve-due", everyMs: 2_000, run: () => resolveDueCalls([cardCharge, depositCall]) },
  { name: "cards.expire-tokens", everyMs: 10_000, run: expireCardTokens },
  { name: "ledger.fold", everyMs: 2_000, run: foldTails },
];

/** Work that no request asks for, repeated on every worker; each is safe to run twice at the same time. */
const sweeps: Registry["sweeps"] = [
  { name: "webhooks.probe", everyMs: 10_000, run: probeWebhooks },
  { name: "webhooks.wake", everyMs: 5_000, run: wakeRest },
  { name: "accounts.free-storage", everyMs: 10_000, run: freeStorage },
];

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;

/** Work that runs once, however many workers there are. */
const scheduled = {
  "deposits.poll": () => pollRails(5 * MINUTE_MS),
  "deposits.poll-days": () => pollRails(3 * DAY_MS),
  "retention.purge": purge,
  "ledger.reconcile": reportFaults,
  "jobs.report-failed": reportFailedJobs,
};

/** When the scheduled work runs, in UTC. */
const timetable: { task: keyof typeof scheduled; match: string }[] = [
  { task: "deposits.poll", match: "* * * * *" },
  { task: "deposits.poll-days", match: "20 * * * *" },
  { task: "retention.purge", match: "*/10 * * * *" },
  { task: "ledger.reconcile", match: "0 6 * * *" },
  { task: "jobs.report-failed", match: "15 * * * *" },
];

/** Work that runs all the time; deliveries are no jobs, because an attempt only waits for somebody's server. */
const loops: Registry["loops"] = [{ name: "deliveries", start: startDeliveries }];

/** Everything that a worker does, for `startWorker`. */
export const registry: Registry = { work, sweeps, scheduled, timetable, loops };

async function reportFaults() {
  for (const fault of await reconcile()) log.error({ fault }, "reconcile found a fault");
}
