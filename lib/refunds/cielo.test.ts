import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { chargeCard } from "@/lib/charges/charge";
import { ChargeBody } from "@/lib/charges/schema";
import { resolveCall, sendCall } from "@/lib/outside/calls";
import { timeouts } from "@/lib/outside/http-client";
import { listUnanswered } from "@/lib/outside/read";
import { makeDueCalls } from "@/lib/outside/run";
import { UnansweredQuery } from "@/lib/outside/schema";
import { reconcile } from "@/lib/reconcile/reconcile";
import { cardRefundCall, refundCalls } from "@/lib/refunds/call";
import { idOfCode } from "@/lib/refunds/record";
import type { Refund } from "@/lib/refunds/schema";
import { type Sale, serveCielo } from "@/lib/testing/cielo";
import { call, type Made, makeAccount } from "@/lib/testing/make";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { openRail } from "@/lib/testing/rail";
import { approve, ask, balances, keyOf, letTimePass } from "@/lib/testing/refunds";
import { anOrder, aToken } from "@/lib/testing/shop";
import { saleOf } from "@/lib/testing/subscriptions";
import { historyOf } from "@/lib/testing/traces";

/** The loop makes all that is due and reconcile() reads the whole ledger, so these tests have a database of their own. */
let drop: () => Promise<void>;
let stand: Awaited<ReturnType<typeof serveCielo>>;
openRail();
beforeAll(async () => {
  drop = await openOwnDatabase();
  stand = await serveCielo();
});
afterAll(async () => {
  expect(await reconcile({ inFlightMs: -1_000 })).toEqual([]);
  await stand.close();
  await drop();
});

const usual = { ...timeouts };
afterEach(() => {
  Object.assign(timeouts, usual);
  stand.atVoid = undefined;
});

const NET = 9_562;

/** A live seller's card sale of R$ 100.00, with Cielo's record of it. */
async function sold() {
  const seller = await makeAccount({ mode: "live" });
  const { identifier: sale } = await chargeCard(
    seller.account,
    ChargeBody.parse(anOrder(await aToken(seller))),
    call(),
  );
  const { Payment: payment } = stand.sold.at(-1) as Sale;
  stand.sent.length = 0;
  expect(await balances(seller)).toEqual([0, NET, 0]);
  return { seller, sale, payment };
}

/** A refund of a part, which the staff has approved. */
async function approved({ seller, sale }: { seller: Made; sale: string }, amount: string) {
  const refund = await ask(seller, sale, { amount });
  await approve(seller, refund);
  return refund;
}

/** Lets minutes pass, and makes what is due then. */
async function work(minutes = 0) {
  await letTimePass(minutes);
  await makeDueCalls(refundCalls);
}

/** The voids that Cielo was asked for, in cents. */
const voids = () => stand.sent.filter(({ method }) => method === "PUT").map(({ path }) => path.split("amount=")[1]);
const statusOf = async ({ accountId }: Made, { code }: Refund) =>
  (await historyOf(accountId, idOfCode(code) ?? "")).at(-1)?.split(" ").at(-1);

test("a refund of a part, and then of the rest, are voids at Cielo, and count once Cielo's record has them", async () => {
  const made = await sold();
  const { seller, sale, payment } = made;
  const first = await approved(made, "40.00");
  await work();
  expect([voids(), payment.VoidedAmount, await statusOf(seller, first)]).toEqual([["4000"], 4_000, "processing"]);
  await work(1);
  expect(await statusOf(seller, first)).toBe("completed");
  expect(await balances(seller)).toEqual([0, NET - 4_000, 0]);
  expect(await saleOf(seller.accountId, sale)).toMatchObject({ status: "completed", refundedAmount: 4_000n });

  const rest = await ask(seller, sale).catch((error) => error.code);
  expect(rest, "the fee of the sale does not come back").toBe("insufficient_balance");
  const second = await approved(made, "55.62");
  await work();
  await work(1);
  expect([voids(), payment.VoidedAmount, await statusOf(seller, second)]).toEqual([["4000", "5562"], NET, "completed"]);
  expect(await balances(seller)).toEqual([0, 0, 0]);
});

test("a void whose answer is lost is found among what is voided, and is not sent again", async () => {
  const made = await sold();
  const refund = await approved(made, "40.00");
  stand.atVoid = "is not answered";
  Object.assign(timeouts, { callMs: 500 });
  await work();
  expect([await statusOf(made.seller, refund), (await balances(made.seller))[2]]).toEqual(["processing", 4_000]);
  await work(1);
  expect([voids(), made.payment.VoidedAmount, await statusOf(made.seller, refund)]).toEqual([
    ["4000"],
    4_000,
    "completed",
  ]);
});

test("a void that never arrived is sent again once, when a quarter of an hour later no more is voided than before", async () => {
  const made = await sold();
  const refund = await approved(made, "40.00");
  stand.atVoid = "is lost";
  Object.assign(timeouts, { callMs: 500 });
  await work();
  for (const minutes of [1, 5, 5]) await work(minutes);
  expect([voids(), await statusOf(made.seller, refund)]).toEqual([["4000"], "processing"]);
  stand.atVoid = undefined;
  for (const minutes of [5, 60, 60, 60]) await work(minutes);
  expect([voids(), made.payment.VoidedAmount, await statusOf(made.seller, refund)]).toEqual([
    ["4000", "4000"],
    4_000,
    "completed",
  ]);
  expect(await balances(made.seller)).toEqual([0, NET - 4_000, 0]);
});

test("many workers at once send one void", async () => {
  const made = await sold();
  const refund = await approved(made, "40.00");
  const key = keyOf(made.seller, refund);
  await Promise.all(Array.from({ length: 4 }, () => makeDueCalls(refundCalls)));
  await letTimePass(16);
  const workers = Array.from({ length: 4 }, () => [
    makeDueCalls(refundCalls),
    sendCall(cardRefundCall, key),
    resolveCall(cardRefundCall, key),
  ]);
  await Promise.allSettled(workers.flat());
  expect([voids(), made.payment.VoidedAmount, await statusOf(made.seller, refund)]).toEqual([
    ["4000"],
    4_000,
    "completed",
  ]);
});

test("a void that Cielo refuses fails the refund, which gives back what it held and may be asked for again", async () => {
  const made = await sold();
  const refund = await approved(made, "40.00");
  stand.atVoid = 56;
  await work();
  expect([await statusOf(made.seller, refund), await balances(made.seller)]).toEqual(["failed", [0, NET, 0]]);
  stand.atVoid = undefined;
  const again = await approved(made, "40.00");
  await work();
  await work(1);
  expect([voids(), await statusOf(made.seller, again)]).toEqual([["4000", "4000"], "completed"]);
});

test("what was voided by hand leaves the refund open, its money held, and nothing is sent", async () => {
  const made = await sold();
  const { seller, payment } = made;
  const refund = await approved(made, "40.00");
  payment.VoidedAmount = 1_000;
  for (const minutes of [0, 1, 60, 60 * 24]) await work(minutes);
  expect([voids(), await statusOf(seller, refund)]).toEqual([[], "processing"]);
  expect(await balances(seller)).toEqual([0, NET - 4_000, 4_000]);
  const { id } = keyOf(seller, refund);
  expect(await reconcile({ inFlightMs: -1_000 })).toMatchObject([{ fault: "call_unanswered", id }]);
  const { data } = await listUnanswered(UnansweredQuery.parse({}));
  expect(data).toMatchObject([{ what: "call", kind: "card_refund", provider: "cielo", id }]);

  payment.VoidedAmount = 0;
  for (const minutes of [60, 60, 60]) await work(minutes);
  expect([voids(), await statusOf(seller, refund)]).toEqual([["4000"], "completed"]);
});

test("a void that Cielo accepts and then denies stays open, and is not sent again", async () => {
  const made = await sold();
  const refund = await approved(made, "40.00");
  await work();
  made.payment.VoidedAmount = 0;
  for (const minutes of [1, 60, 60 * 24]) await work(minutes);
  expect([voids(), await statusOf(made.seller, refund)]).toEqual([["4000"], "processing"]);
  made.payment.VoidedAmount = 4_000;
  await work(60);
  expect(await statusOf(made.seller, refund)).toBe("completed");
});
