import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { actAs } from "@/lib/actor";
import { forAccount, prisma, queryOf, runPrepared } from "@/lib/db";
import { collectEarnings } from "@/lib/earnings/collect";
import { eventsConsumer } from "@/lib/events/consume";
import { newId } from "@/lib/ids";
import { resolveCall, sendCall } from "@/lib/outside/calls";
import { timeouts } from "@/lib/outside/http-client";
import { makeDueCalls } from "@/lib/outside/run";
import { askDue } from "@/lib/outside/watch";
import { railFor } from "@/lib/rails/pix/rails";
import { reconcile } from "@/lib/reconcile/reconcile";
import { countEvents } from "@/lib/rollups/count";
import { sendNotices } from "@/lib/simulators/pix/notify";
import { patience } from "@/lib/simulators/pix/payouts";
import { newEndToEndId } from "@/lib/simulators/pix/records";
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
import { serveRail, whileDown } from "@/lib/testing/rail";
import { letTimePass, STAFF } from "@/lib/testing/refunds";
import { historyOf } from "@/lib/testing/traces";
import { withdrawalCall } from "@/lib/withdrawals/call";
import { compareAt } from "@/lib/withdrawals/differences";
import { giveUpWithdrawal } from "@/lib/withdrawals/give-up";
import { payoutWatch } from "@/lib/withdrawals/payout-watch";
import { lookAtPayouts } from "@/lib/withdrawals/poll";
import { findWithdrawal } from "@/lib/withdrawals/read";
import { WaitingQuery } from "@/lib/withdrawals/schema";
import { simulateWithdrawal } from "@/lib/withdrawals/simulate";
import { liftStop, stopPayouts } from "@/lib/withdrawals/stops";
import { listWaiting } from "@/lib/withdrawals/waiting";

/** reconcile() reads the whole ledger and the loops take all that is due, so these tests have a database of their own. */
let drop: () => Promise<void>;
let rail: Awaited<ReturnType<typeof serveRail>>;
const usual = { ...timeouts };
beforeAll(async () => {
  drop = await openOwnDatabase();
  rail = await serveRail();
  Object.assign(patience, { lateMs: 700, heldMs: 700 });
});
afterAll(async () => {
  await rail.close();
  await drop();
});

/** Sends what is due to a rail that is given half a second to answer. */
async function sendHastily() {
  Object.assign(timeouts, { callMs: 500 });
  await makeDueCalls([withdrawalCall]);
  Object.assign(timeouts, usual);
}

let made: Made;
beforeEach(async () => {
  made = await aPayer();
});

const AMOUNT = 10_000;
const TOTAL = AMOUNT + FEE;
const statusOf = async (id: string) =>
  (await forAccount(made.accountId, (tx) => findWithdrawal(queryOf(tx), made.accountId, id))).withdrawal.status;
const giveUp = (id: string) =>
  actAs(STAFF, () => giveUpWithdrawal({ accountId: made.accountId, id, reason: "O banco não conhece." }, call()));

const { consume } = eventsConsumer({ counts: countEvents, earnings: collectEarnings });

/** What a withdrawal to each key comes to: its moves, what is available and held, and what the PSP has sent and got back. */
const ways: [key: string, moves: string[], money: [number, number], sent: [string, number][]][] = [
  ["paid@psp.example", ["sending → paid"], [HAS - TOTAL, 0], [["paid", 0]]],
  ["paid-later@psp.example", ["sending → accepted", "accepted → paid"], [HAS - TOTAL, 0], [["paid", 0]]],
  ["failed@psp.example", ["sending → failed"], [HAS, 0], [["failed", 0]]],
  ["failed-later@psp.example", ["sending → accepted", "accepted → failed"], [HAS, 0], [["failed", 0]]],
  ["unknown@psp.example", ["sending → failed"], [HAS, 0], []],
  ["twice@psp.example", ["sending → paid"], [HAS - TOTAL, 0], [["paid", 0]]],
  ["failed-then-paid@psp.example", ["sending → failed", "failed → paid"], [HAS - TOTAL, 0], [["paid", 0]]],
  ["returned@psp.example", ["sending → paid", "paid → returned"], [HAS - FEE, 0], [["paid", AMOUNT]]],
  [
    "returned-in-parts@psp.example",
    ["sending → paid", "paid → paid", "paid → returned"],
    [HAS - FEE, 0],
    [["paid", AMOUNT]],
  ],
  ["half-returned@psp.example", ["sending → paid", "paid → paid"], [HAS - TOTAL + 5_000, 0], [["paid", 5_000]]],
];

test.each(ways)("a withdrawal to %s: %j, with its money where that says", async (key, moves, money, sent) => {
  const id = await askPayout(made, { key });
  expect(await moneyOf(made)).toEqual([HAS - TOTAL, TOTAL]);
  await workOnPayouts();
  await followKeys();
  expect(await historyOf(made.accountId, id)).toEqual(["requested", "requested → sending", ...moves]);
  expect(await moneyOf(made)).toEqual(money);
  expect((await sentOf(id)).map(({ status, returned }) => [status, returned])).toEqual(sent);
});

test.each(["late@psp.example", "silent@psp.example"])(
  "a withdrawal to %s, of which no answer came in time, is asked about under its id and sent once",
  async (key) => {
    const id = await askPayout(made, { key });
    const before = rail.asked.length;
    await sendHastily();
    expect(await statusOf(id)).toBe("sending");
    await letTimePass(1);
    await makeDueCalls([withdrawalCall]);
    expect(await historyOf(made.accountId, id)).toEqual(["requested", "requested → sending", "sending → paid"]);
    expect((await sentOf(id)).map(({ status }) => status)).toEqual(["paid"]);
    expect(rail.asked.slice(before).filter((path) => path.includes(id.replaceAll("-", "")))).toHaveLength(2);
  },
);

describe("a withdrawal to any other key", () => {
  test("is accepted, and holds its money until it is confirmed, once", async () => {
    const id = await askPayout(made);
    await workOnPayouts();
    await letTimePass(24 * 60);
    await workOnPayouts();
    expect(await statusOf(id)).toBe("accepted");
    expect(await moneyOf(made)).toEqual([HAS - TOTAL, TOTAL]);
    const confirmed = await Promise.allSettled(
      [1, 2].map(() => simulateWithdrawal(made.account, { id, isPaid: true }, call())),
    );
    expect(confirmed.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    await workOnPayouts();
    expect([await statusOf(id), ...(await moneyOf(made))]).toEqual(["paid", HAS - TOTAL, 0]);
  });

  test.each([true, false])("that nobody has sent yet is sent and ended by its sandbox: paid %s", async (isPaid) => {
    const id = await askPayout(made);
    await simulateWithdrawal(made.account, { id, isPaid }, call());
    await workOnPayouts();
    expect(await statusOf(id)).toBe(isPaid ? "paid" : "failed");
    expect(await moneyOf(made)).toEqual([isPaid ? HAS - TOTAL : HAS, 0]);
    const again = simulateWithdrawal(made.account, { id, isPaid }, call());
    await expect(again).rejects.toMatchObject({ code: "invalid_transition" });
  });

  test("of which the callback is lost is found by the look at the rail, beside what others sent, as is what came back", async () => {
    const id = await askPayout(made);
    await workOnPayouts();
    const foreign = {
      id: "somebodyElses1",
      key: "x",
      amount: 1n,
      status: "failed",
      endToEndId: newEndToEndId("00000000"),
    };
    await prisma().simulatorPayout.create({ data: foreign });
    const payouts = railFor("sandbox")?.payouts?.simulate;
    const lose = () => runPrepared("t-lose", "update simulator_payouts set notify_at = null", []);
    const look = async () => {
      await runPrepared("t-old", "update simulator_payouts set changed_at = changed_at - interval '1 minute'", []);
      await runPrepared("t-look", "update rail_looks set look_at = now(), look_back_at = now()", []);
      await lookAtPayouts();
      while (await askDue([payoutWatch]));
    };
    await payouts?.endPayout({ id, isPaid: true });
    await lose();
    await look();
    expect(await statusOf(id)).toBe("paid");
    await payouts?.returnPayout({ id, amount: 4_000 });
    await lose();
    await look();
    expect(await moneyOf(made)).toEqual([HAS - TOTAL + 4_000, 0]);
    const details: string[][] = [];
    for await (const { differences } of compareAt("simulator", new Date(Date.now() - 3_600_000), new Date()))
      details.push(...differences.map(({ payout, detail }) => [payout.id, detail]));
    expect(details).toEqual([[foreign.id, "failed, 1 cents, and no withdrawal of ours"]]);
    await prisma().simulatorPayout.delete({ where: { id: foreign.id } });
  });

  test("that is being sent at this moment is ended by its sandbox once it is there", async () => {
    const id = await askPayout(made);
    const { accountId } = made;
    const order = await forAccount(accountId, async (tx) => {
      await tx.call.updateMany({ where: { accountId, id }, data: { sentAt: new Date(), askedAt: new Date() } });
      return withdrawalCall.send(tx, { accountId, id, provider: "simulator", input: null });
    });
    const ended = simulateWithdrawal(made.account, { id, isPaid: true }, call());
    await expect(Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 300, "waits"))])).resolves.toBe(
      "waits",
    );
    await order?.();
    await expect(ended).resolves.toMatchObject({ message: expect.any(String) });
    await letTimePass(1);
    await workOnPayouts();
    expect(await statusOf(id)).toBe("paid");
  });

  test("of which the same return is heard of ten times at once comes back once", async () => {
    const id = await askPayout(made, { key: "paid@psp.example" });
    await workOnPayouts();
    const simulation = railFor("sandbox")?.payouts?.simulate;
    for (const amount of [1_000, 2_000]) await simulation?.returnPayout({ id, amount });
    const truth = { id, payout: (await railFor("sandbox")?.payouts?.findPayout(id)) ?? null };
    const hear = () => payoutWatch.write("simulator", new Map([[id, truth]]));
    await Promise.all(Array.from({ length: 10 }, hear));
    expect(await moneyOf(made)).toEqual([HAS - TOTAL + 3_000, 0]);
    await workOnPayouts();
  });
});

test("many at once are each sent once, whoever sends them, and no account's crowd keeps another's waiting", async () => {
  const other = await aPayer();
  const mine: string[] = [];
  for (let nth = 0; nth < 30; nth += 1)
    mine.push(await askPayout(made, { key: "paid@psp.example", amount: 100 + nth }));
  const theirs = await askPayout(other, { key: "paid@psp.example" });
  await makeDueCalls([withdrawalCall]); // one set
  expect((await sentOf(theirs)).length, "the other account's is in the first set").toBe(1);
  await Promise.all([1, 2, 3].map(() => makeDueCalls([withdrawalCall])));
  while (await makeDueCalls([withdrawalCall]));
  for (const id of mine) expect((await sentOf(id)).length).toBe(1);
  await workOnPayouts();
});

test("one that surely never reached the rail is sent later under the same id, and is nobody's to cancel meanwhile", async () => {
  const id = await askPayout(made, { key: "paid@psp.example" });
  await whileDown(() => makeDueCalls([withdrawalCall]));
  expect([await statusOf(id), await sentOf(id)]).toEqual(["sending", []]);
  await letTimePass(1);
  await workOnPayouts();
  expect(await historyOf(made.accountId, id)).toEqual(["requested", "requested → sending", "sending → paid"]);
});

describe("payouts that are stopped", () => {
  test.each(["all", "rail", "account"] as const)("by a stop of %s wait, and go out when it ends", async (scope) => {
    const target = { all: "", rail: "simulator", account: made.accountId }[scope];
    await actAs(STAFF, () => stopPayouts({ scope, target, reason: "Auditoria" }));
    const id = await askPayout(made, { key: "paid@psp.example" });
    await workOnPayouts();
    expect([await statusOf(id), await sentOf(id)]).toEqual(["requested", []]);
    await expect(sendCall(withdrawalCall, { accountId: made.accountId, id })).rejects.toThrow("stopped");
    await actAs(STAFF, () => liftStop({ scope, target }));
    await workOnPayouts();
    expect([await statusOf(id), ...(await moneyOf(made))]).toEqual(["paid", HAS - TOTAL, 0]);
  });

  test("of an account that is suspended wait, and go out when it is let sell again", async () => {
    const setStatus = (status: "suspended" | "approved") =>
      forAccount(made.accountId, (tx) => tx.account.update({ where: { id: made.accountId }, data: { status } }));
    const id = await askPayout(made, { key: "paid@psp.example" });
    await setStatus("suspended");
    await workOnPayouts();
    expect([await statusOf(id), await sentOf(id)]).toEqual(["requested", []]);
    await setStatus("approved");
    await letTimePass(1);
    await workOnPayouts();
    expect([await statusOf(id), ...(await moneyOf(made))]).toEqual(["paid", HAS - TOTAL, 0]);
  });

  test("of another account or rail stop nothing here", async () => {
    const other = await aPayer();
    const places = [
      { scope: "account" as const, target: other.accountId },
      { scope: "rail" as const, target: "another" },
    ];
    const stops = places.map((place) => ({ ...place, reason: "Auditoria", stoppedBy: newId() }));
    await prisma().payoutStop.createMany({ data: stops });
    const id = await askPayout(made, { key: "paid@psp.example" });
    await workOnPayouts();
    expect(await statusOf(id)).toBe("paid");
    for (const place of places) await liftStop(place);
  });
});

describe("what the rail does not know", () => {
  const waiting = async () =>
    (await listWaiting(WaitingQuery.parse({ mode: "sandbox", per_page: 100 }))).data.map(
      ({ withdrawal }) => withdrawal.reference_id,
    );

  test("is never given back by itself: a person gives it up, with a reason, and everybody is told once", async () => {
    const id = await askPayout(made, { key: "unheard@psp.example" });
    await sendHastily();
    expect(await waiting()).not.toContain(id);
    await expect(giveUp(id)).rejects.toMatchObject({ code: "withdrawal_under_way" });
    await letTimePass(7 * 24 * 60);
    await workOnPayouts();
    expect([await statusOf(id), ...(await moneyOf(made))]).toEqual(["sending", HAS - TOTAL, TOTAL]);
    expect(await waiting()).toContain(id);
    const given = await Promise.allSettled([giveUp(id), giveUp(id)]);
    expect(given.some(({ status }) => status === "fulfilled")).toBe(true);
    expect(await waiting()).not.toContain(id);
    expect(await historyOf(made.accountId, id)).toEqual(["requested", "requested → sending", "sending → failed"]);
    expect(await moneyOf(made)).toEqual([HAS, 0]);
    expect((await giveUp(id).catch(({ code }) => code)) as string).toBe("invalid_transition");
  });

  test("any more is not sent again, and paid after it was given up takes the money below zero", async () => {
    const id = await askPayout(made, { key: "lost-record@psp.example", amount: HAS - FEE });
    await workOnPayouts();
    await followKeys();
    expect([await statusOf(id), (await sentOf(id))[0]?.isForgotten]).toEqual(["accepted", true]);
    await letTimePass(30);
    await expect(giveUp(id), "it was accepted half an hour ago").rejects.toMatchObject({
      code: "withdrawal_under_way",
    });
    await letTimePass(31);
    await workOnPayouts();
    expect(await waiting()).toContain(id);
    await giveUp(id);
    expect(await moneyOf(made)).toEqual([HAS, 0]);
    await askPayout(made, { key: "paid@psp.example", amount: 30_000 });
    await workOnPayouts();
    // The rail has found its record again, and pays.
    const found = `update simulator_payouts set id = trim(trailing '~' from id), status = 'paid', paid_at = now(),
      changes = changes + 1, notify_at = now(), changed_at = now() where id = $1`;
    await runPrepared("t-found", found, [`${id.replaceAll("-", "")}~`]);
    await workOnPayouts();
    expect((await historyOf(made.accountId, id)).slice(-2)).toEqual(["accepted → failed", "failed → paid"]);
    expect(await moneyOf(made)).toEqual([-30_000 - FEE, 0]);
    expect((await sentOf(id)).map(({ status }) => status)).toEqual(["paid"]);
  });

  test("after it paid and gave no answer is not sent again, because it would pay twice", async () => {
    const id = await askPayout(made, { key: "silent@psp.example" });
    await sendHastily();
    await runPrepared("t-forget", "update simulator_payouts set id = id || '~', notify_at = null where id = $1", [
      id.replaceAll("-", ""),
    ]);
    for (const minutes of [1, 16, 24 * 60]) {
      await letTimePass(minutes);
      await workOnPayouts();
    }
    expect([await statusOf(id), ...(await moneyOf(made))]).toEqual(["sending", HAS - TOTAL, TOTAL]);
    expect(await sentOf(id)).toHaveLength(1);
    await giveUp(id);
  });

  test("when somebody looks a second time: what it knows by then is written, and nothing is given up", async () => {
    const id = await askPayout(made, { key: "silent@psp.example" });
    await sendHastily();
    await letTimePass(16);
    expect((await giveUp(id)).data.status).toBe("paid");
    const other = await askPayout(made);
    await makeDueCalls([withdrawalCall]);
    await letTimePass(90);
    await expect(giveUp(other)).rejects.toMatchObject({ code: "withdrawal_under_way" });
    await whileDown(() => expect(giveUp(other)).rejects.toMatchObject({ code: "rail_unavailable" }));
    expect(await moneyOf(made)).toEqual([HAS - 2 * TOTAL, TOTAL]);
    await simulateWithdrawal(made.account, { id: other, isPaid: true }, call());
    await workOnPayouts();
  });

  test("where an answer comes while it is given up: whichever is first, the money is taken once", async () => {
    const id = await askPayout(made, { key: "lost-record@psp.example" });
    await workOnPayouts();
    await followKeys();
    await letTimePass(61);
    const found =
      "update simulator_payouts set id = trim(trailing '~' from id), status = 'paid', paid_at = now() where id = $1";
    const remember = () => runPrepared("t-remember", found, [`${id.replaceAll("-", "")}~`]);
    await Promise.allSettled([
      ...Array.from({ length: 3 }, () => giveUp(id)),
      remember().then(() => resolveCall(withdrawalCall, { accountId: made.accountId, id })),
    ]);
    await letTimePass(61);
    await runPrepared(
      "t-notify",
      "update simulator_payouts set changes = changes + 1, notify_at = now() where id = $1",
      [id.replaceAll("-", "")],
    );
    await workOnPayouts();
    expect([await statusOf(id), ...(await moneyOf(made))]).toEqual(["paid", HAS - TOTAL, 0]);
  });
});

describe("reconcile", () => {
  test("finds nothing after all of this", async () => {
    while (await consume());
    expect(await reconcile({ inFlightMs: -1_000 })).toEqual([]);
  });

  test("finds a payout that is no withdrawal, another amount, and an end that is not ours", async () => {
    const simulation = railFor("sandbox")?.payouts;
    const foreign = newId();
    await simulation?.sendPayout({
      id: foreign,
      type: "EMAIL",
      key: "paid@psp.example",
      amount: 5,
      document: "52998224725",
    });
    const [other, ended] = [
      await askPayout(made, { key: "paid@psp.example" }),
      await askPayout(made, { key: "paid@psp.example" }),
    ];
    await workOnPayouts();
    const hex = (id: string) => id.replaceAll("-", "");
    await runPrepared("t-amount", "update simulator_payouts set amount = 9 where id = $1", [hex(other)]);
    await runPrepared("t-status", "update simulator_payouts set status = 'failed' where id = $1", [hex(ended)]);
    while (await consume());
    const found = await reconcile({ inFlightMs: -1_000 });
    expect(found.map(({ fault, id }) => [fault, id]).sort()).toEqual(
      [foreign, other, ended].map((id) => ["payout_differs", id]).sort(),
    );
    await runPrepared("t-gone", "delete from simulator_payouts where id = any($1)", [[foreign, other, ended].map(hex)]);
    while (await sendNotices());
  });
});
