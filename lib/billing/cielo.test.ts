import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { actAs } from "@/lib/actor";
import { billDue } from "@/lib/billing/bill-due";
import { cycleCharge } from "@/lib/billing/card-call";
import { forAccount } from "@/lib/db";
import { subscriptionCalls } from "@/lib/mandates/subscription-calls";
import { resolveCall } from "@/lib/outside/calls";
import { makeDueCalls } from "@/lib/outside/run";
import { connectProvider } from "@/lib/providers/connect";
import { reconcile } from "@/lib/reconcile/reconcile";
import { serveApiPix } from "@/lib/testing/api-pix";
import { AUTHORISED, serveCielo } from "@/lib/testing/cielo";
import { type Made, makeAccount } from "@/lib/testing/make";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { openRail } from "@/lib/testing/rail";
import { STAFF } from "@/lib/testing/refunds";
import { aPlan, chargeCards, enrolledByCard, putCard, shown } from "@/lib/testing/subscriptions";

// Subscriptions of live accounts whose cards Cielo charges. What a card does not pay is offered by a PSP's code.

openRail(); // reconcile asks the simulated rails too
let close: () => Promise<unknown>;
let cielo: Awaited<ReturnType<typeof serveCielo>>;
beforeAll(async () => {
  const drop = await openOwnDatabase(); // a provider is of all accounts
  const psp = await serveApiPix();
  cielo = await serveCielo();
  const { callback_secret: _, ...settings } = psp.settings;
  await actAs(STAFF, () => connectProvider({ name: "psp", title: "PSP", ...settings }));
  close = async () => {
    await Promise.all([cielo.close(), psp.close()]);
    await drop();
  };
});
afterAll(() => close());
beforeEach(() => {
  cielo.sent.length = 0;
});

const APPROVED = { visa: "4111111111111111", mastercard: "5555555555554444" };
const SOFT = "4000000000000002"; // code 05
const HARD = "4000000000000093"; // code 57
const bill = billDue();

/** Lets days pass for a live account, as if they were real ones, and does what is due. */
async function live({ accountId }: Made, days: number) {
  await forAccount(accountId, (tx) =>
    tx.account.update({ where: { id: accountId }, data: { clockOffsetMs: { increment: days * 86_400_000 } } }),
  );
  while (await bill());
  while (await makeDueCalls(subscriptionCalls));
  await chargeCards(accountId);
}

/** An active subscription of a live account by card. */
async function anActive(number: string = APPROVED.visa) {
  const made = await makeAccount({ mode: "live" });
  const { token } = await enrolledByCard(made, await aPlan(made, { billing_method: "credit_card" }), number);
  return { made, token };
}

/** What Cielo was asked to charge, oldest first. */
const asked = () =>
  cielo.sent.filter(({ method }) => method === "POST").map(({ body }) => JSON.parse(body).Payment as Payment);
type Payment = { CreditCard: { CardNumber: string; CardOnFile: object }; InitiatedTransactionIndicator?: object };

/** The refused sales of an account, as they are kept. */
async function refusals({ accountId }: Made) {
  const sales = await forAccount(accountId, (tx) => tx.transaction.findMany({ where: { status: "refused" } }));
  return sales.map(({ refusedReason, refusedHard }) => [refusedReason, refusedHard]);
}

test("a refusal that may be reversed is tried again 2, 5 and 7 days later, and then suspends", async () => {
  const { made, token } = await anActive();
  await putCard(made, token, SOFT);
  cielo.sent.length = 0;
  await live(made, 31);
  expect(await shown(made, token)).toMatchObject({ status: "overdue" });
  const tries = [asked().length];
  for (const days of [1, 1, 4, 1, 6, 1, 30]) {
    await live(made, days);
    tries.push(asked().length);
  }
  expect(tries).toEqual([1, 1, 2, 2, 3, 3, 4, 4]);
  expect(await shown(made, token)).toMatchObject({ status: "suspended" });
  expect(await refusals(made)).toEqual(Array(4).fill(["do_not_honor", false]));
  expect(await reconcile()).toEqual([]);
});

test("a refusal that may not be reversed suspends at once, and that card is not tried again", async () => {
  const { made, token } = await anActive();
  await putCard(made, token, HARD);
  cielo.sent.length = 0;
  await live(made, 31);
  expect(await shown(made, token)).toMatchObject({ status: "suspended" });
  for (const days of [2, 5, 7, 30]) await live(made, days);
  expect(asked()).toHaveLength(1);
  expect(await refusals(made)).toEqual([["not_permitted", true]]);

  await putCard(made, token, APPROVED.visa);
  await live(made, 0);
  expect(await shown(made, token)).toMatchObject({ status: "active" });
  expect(asked()).toHaveLength(2);
});

test("each charge of a card on file says to Cielo whether it is the card's first, and who began it", async () => {
  const { made, token } = await anActive(APPROVED.mastercard);
  await live(made, 31);
  await putCard(made, token, SOFT);
  await live(made, 30);
  await live(made, 2);
  await putCard(made, token, APPROVED.mastercard);
  await live(made, 0);
  await live(made, 31);
  const [first, used] = [
    { Usage: "First", Reason: "Recurring" },
    { Usage: "Used", Reason: "Recurring" },
  ];
  const by = (Category: string) => ({ Category, Subcategory: "Subscription" });
  const { mastercard } = APPROVED;
  expect(
    asked().map(({ CreditCard: { CardNumber, CardOnFile }, InitiatedTransactionIndicator: by }) => [
      ...[CardNumber, CardOnFile, by],
    ]),
  ).toEqual([
    [mastercard, first, by("C1")], // it is enrolled by its holder
    [mastercard, used, by("M1")], // renewal
    [SOFT, first, undefined], // given in its place, and refused
    [SOFT, first, undefined], // tried again: its issuer has not approved it yet
    [mastercard, first, by("M1")], // given in place of that one
    [mastercard, used, by("M1")],
  ]);
});

test("money of a renewal that Cielo holds and has not taken is taken, once, also by two at once", async () => {
  const { made, token } = await anActive();
  await putCard(made, token, AUTHORISED);
  await live(made, 31);
  const [charge] = (await shown(made, token)).charges;
  expect(charge).toMatchObject({ status: "pending" });
  const [open] = await forAccount(made.accountId, (tx) => tx.call.findMany({ where: { doneAt: null } }));
  await Promise.all([open, open].map((one) => one && resolveCall(cycleCharge, one)));
  expect(await shown(made, token)).toMatchObject({ status: "active", charges: [{ status: "paid" }, {}] });
  const order = open?.id.replaceAll("-", "");
  expect(cielo.sold.filter(({ MerchantOrderId }) => MerchantOrderId === order)).toMatchObject([
    { Payment: { Status: 2, Amount: 4_990, CapturedAmount: 4_990 } },
  ]);
});
