import { afterAll, beforeAll, expect, test } from "vitest";
import { actAs } from "@/lib/actor";
import { forAccount, queryOf, runPrepared } from "@/lib/db";
import { collectEarnings } from "@/lib/earnings/collect";
import { eventsConsumer } from "@/lib/events/consume";
import { makeDueCalls } from "@/lib/outside/run";
import type { CrashPoint } from "@/lib/process/crash-points";
import { railFor } from "@/lib/rails/pix/rails";
import { reconcile } from "@/lib/reconcile/reconcile";
import { countEvents } from "@/lib/rollups/count";
import { sendNotices } from "@/lib/simulators/pix/notify";
import { call, type Made } from "@/lib/testing/make";
import { openOwnDatabase } from "@/lib/testing/own-database";
import {
  aPayer,
  askPayout,
  PAYOUT_FEE as FEE,
  followKeys,
  HAS,
  moneyOf,
  sentOf,
  workOnPayouts,
} from "@/lib/testing/payouts";
import { crashAt } from "@/lib/testing/program";
import { serveRail } from "@/lib/testing/rail";
import { letTimePass, STAFF } from "@/lib/testing/refunds";
import { historyOf } from "@/lib/testing/traces";
import { withdrawalCall } from "@/lib/withdrawals/call";
import { giveUpWithdrawal } from "@/lib/withdrawals/give-up";
import { findWithdrawal } from "@/lib/withdrawals/read";
import { openWithdrawals } from "@/lib/withdrawals/states";

/** reconcile() reads the whole ledger and the loops take all that is due, so these tests have a database of their own. */
let drop: () => Promise<void>;
let rail: Awaited<ReturnType<typeof serveRail>>;
beforeAll(async () => {
  drop = await openOwnDatabase();
  rail = await serveRail();
});
afterAll(async () => {
  await rail.close();
  await drop();
});

const AMOUNT = 10_000;
const TOTAL = AMOUNT + FEE;
const PAID = HAS - TOTAL;

/** A way in which a withdrawal goes: its key, how the PSP ends what it accepted, its end, and what is then available. */
type Flow = { key: string; ended?: "paid" | "failed"; isRemembered?: true; end: string; has: number; sent: string };
const flows = {
  paid: { key: "paid@psp.example", end: "paid", has: PAID, sent: "paid" },
  failed: { key: "failed@psp.example", end: "failed", has: HAS, sent: "failed" },
  "accepted, and then paid": { key: "ana@loja.example", ended: "paid", end: "paid", has: PAID, sent: "paid" },
  "accepted, and then failed": { key: "ana@loja.example", ended: "failed", end: "failed", has: HAS, sent: "failed" },
  returned: { key: "returned@psp.example", end: "returned", has: HAS - FEE, sent: "paid" },
  "given up": { key: "lost-record@psp.example", end: "failed", has: HAS, sent: "processing" },
  "given up, and paid late": {
    ...{ key: "lost-record@psp.example", isRemembered: true, end: "paid", has: PAID, sent: "paid" },
  },
} as const satisfies Record<string, Flow>;
type FlowName = keyof typeof flows;

/** The points that a withdrawal passes after it was asked for. */
type PointOfPayout = Extract<CrashPoint, `call.${string}` | "withdrawal.returning" | "withdrawal.given_up">;

/** Every crash point of a withdrawal with the flows that pass it in their own way. */
const reached: Record<PointOfPayout, readonly FlowName[]> = {
  "call.claimed": ["paid"],
  "call.beginning": ["paid"],
  "call.begun": ["paid"],
  "call.answered": ["paid", "failed", "accepted, and then paid", "given up, and paid late"],
  "call.finishing": ["failed", "accepted, and then failed"],
  "call.finished": ["paid"],
  "call.found": ["accepted, and then paid", "accepted, and then failed"],
  "withdrawal.returning": ["returned"],
  "withdrawal.given_up": ["given up", "given up, and paid late"],
};
const cases = (Object.keys(reached) as PointOfPayout[]).flatMap((point) =>
  reached[point].map((flow) => ({ point, flow })),
);

/** Run in a process of its own, which crashes at CRASH_AT. */
const WORK = `import { makeDueCalls } from "@/lib/outside/run";
  import { withdrawalCall } from "@/lib/withdrawals/call";
  await makeDueCalls([withdrawalCall]);
  process.exit(0);`;
const WATCH = `import { askDue } from "@/lib/outside/watch";
  import { payoutWatch } from "@/lib/withdrawals/payout-watch";
  await askDue([payoutWatch]);
  process.exit(0);`;
const GIVE_UP = `import { giveUpWithdrawal } from "@/lib/withdrawals/give-up";
  await giveUpWithdrawal(JSON.parse(process.env.CASE), { idem: undefined, requestId: crypto.randomUUID() });
  process.exit(0);`;

const crash = (point: CrashPoint, source: string, given: object = {}) =>
  crashAt(point, source, { CASE: JSON.stringify(given) });

const statusOf = async ({ accountId }: Made, id: string) =>
  (await forAccount(accountId, (tx) => findWithdrawal(queryOf(tx), accountId, id))).withdrawal.status;
const isOpen = async (made: Made, id: string) =>
  (openWithdrawals as readonly string[]).includes(await statusOf(made, id));

const endAtPsp = async (id: string, ended?: "paid" | "failed") =>
  ended && railFor("sandbox")?.payouts?.simulate?.endPayout({ id, isPaid: ended === "paid" });

/** The rail finds a record that it had lost, and has paid. */
const remember = (id: string) =>
  runPrepared(
    "t-remember",
    `update simulator_payouts set id = trim(trailing '~' from id), status = 'paid', paid_at = now(), changes = changes + 1,
      notify_at = now(), changed_at = now() where id = $1`,
    [`${id.replaceAll("-", "")}~`],
  );

/** Runs what a worker runs, with time passing, and what the staff does of what the rail does not know, until it has ended. */
async function finish(made: Made, id: string, { ended, isRemembered }: Pick<Flow, "ended" | "isRemembered">) {
  for (let round = 0; round < 3 && (await isOpen(made, id)); round += 1) {
    await letTimePass(90);
    await workOnPayouts();
    await endAtPsp(id, ended);
    await followKeys();
  }
  if (await isOpen(made, id)) {
    const given = { accountId: made.accountId, id, reason: "O banco não conhece." };
    await actAs(STAFF, () => giveUpWithdrawal(given, call()));
  }
  if (isRemembered) await remember(id);
  await workOnPayouts();
  await followKeys();
}

test.each(cases)(
  "a crash at $point, of a withdrawal that is $flow, ends in one end, with the cents of that end and one payout at most",
  { timeout: 60_000 },
  async ({ point, flow }) => {
    const { end, has, sent, ...how }: Flow = flows[flow];
    const made = await aPayer();
    const id = await askPayout(made, { key: how.key });
    if (point === "call.found") {
      await makeDueCalls([withdrawalCall]);
      await endAtPsp(id, how.ended);
      await runPrepared("t-lost", "update simulator_payouts set notify_at = null where id = $1", [
        id.replaceAll("-", ""),
      ]);
      await letTimePass(16);
      await crash(point, WORK);
    } else if (point === "withdrawal.returning") {
      await workOnPayouts();
      await runPrepared("t-step", "update simulator_payouts set step_at = now() where step_at is not null", []);
      while (await sendNotices());
      await crash(point, WATCH);
      await runPrepared("t-lease", "update watches set ask_at = now()", []);
    } else if (point === "withdrawal.given_up") {
      await workOnPayouts();
      await followKeys();
      await letTimePass(90);
      await crash(point, GIVE_UP, { accountId: made.accountId, id, reason: "x" });
    } else await crash(point, WORK);
    // Until it is known what became of it its money is held, and it is nobody's to give back.
    if (await isOpen(made, id)) expect(await moneyOf(made)).toEqual([PAID, TOTAL]);
    await finish(made, id, how);

    const isUnsent = point === "call.begun"; // whose rail was never asked, and could have been
    expect(await statusOf(made, id)).toBe(isUnsent ? "failed" : end);
    expect(await moneyOf(made)).toEqual([isUnsent ? HAS : has, 0]);
    expect((await sentOf(id)).map(({ status }) => status)).toEqual(isUnsent ? [] : [sent]);
    const history = await historyOf(made.accountId, id);
    expect(new Set(history).size, history.join()).toBe(history.length);
  },
);

test("after all of these crashes reconcile finds nothing", async () => {
  const { consume } = eventsConsumer({ counts: countEvents, earnings: collectEarnings });
  while (await consume());
  expect(await reconcile({ inFlightMs: -1_000 })).toEqual([]);
});
