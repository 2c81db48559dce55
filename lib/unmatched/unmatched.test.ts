import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { actAs } from "@/lib/actor";
import { linkEvents } from "@/lib/audit-log/link-events";
import { asSystem, forAccount, transactionFor } from "@/lib/db";
import { completeDeposit } from "@/lib/deposits/complete";
import { expireDeposit } from "@/lib/deposits/expire";
import { requestDeposit } from "@/lib/deposits/request";
import { simulatePayment } from "@/lib/deposits/simulate";
import { collectEarnings } from "@/lib/earnings/collect";
import { eventsConsumer } from "@/lib/events/consume";
import { newId } from "@/lib/ids";
import { platforms } from "@/lib/ledger/chart";
import { finishCall } from "@/lib/outside/calls";
import type { SentBack } from "@/lib/rails/sent-back";
import { reconcile } from "@/lib/reconcile/reconcile";
import { countEvents } from "@/lib/rollups/count";
import { call, cashIn, type Made, makeAccount } from "@/lib/testing/make";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { serveRail } from "@/lib/testing/rail";
import { aCardSale, balances, STAFF } from "@/lib/testing/refunds";
import { saleOf } from "@/lib/testing/subscriptions";
import { historyOf } from "@/lib/testing/traces";
import {
  again,
  credit,
  giveBack,
  heldCents,
  match,
  moneyArrives,
  PAYER,
  returnAll,
  returnsAtPsp,
  unmatchedBy,
} from "@/lib/testing/unmatched";
import { readTimeline } from "@/lib/timeline/read";
import { unmatchedReturn } from "@/lib/unmatched/call";
import { policies } from "@/lib/unmatched/policies";
import { listUnmatched, readUnmatched } from "@/lib/unmatched/read";
import { receiveUnmatched, receiveUnmatchedCard } from "@/lib/unmatched/receive";
import { returnDue } from "@/lib/unmatched/return-due";
import { UnmatchedQuery } from "@/lib/unmatched/schema";
import { type UnmatchedReason, unmatchedReasons } from "@/lib/unmatched/states";
import { liftStop, stopPayouts } from "@/lib/withdrawals/stops";
import type { UnmatchedReceipt } from "@/prisma/client/client";

/** reconcile() reads the whole ledger and the loops take all that is due, so this test has a database of its own. */
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

const { consume } = eventsConsumer({ counts: countEvents, earnings: collectEarnings, audit: linkEvents });
async function expectReconciled() {
  while (await consume());
  expect(await reconcile({ inFlightMs: -1_000 })).toEqual([]);
}

/** A sale of R$ 100.00 with a fee of 2 %. */
async function aSale(overrides: Parameters<typeof cashIn>[0] = {}, seller?: Made) {
  const made = seller ?? (await makeAccount({ feeBasisPoints: 200 }));
  const { identifier: id } = await requestDeposit(made.account, cashIn(overrides), call());
  return { seller: made, id };
}

/** A sale that was paid, and a payment that pays it once more or of another amount. */
async function aSecondPayment(amount?: number) {
  const { seller, id } = await aSale();
  const pay = async (overrides: object = {}) =>
    (await simulatePayment(seller.account, { id, ...overrides }, call())).end_to_end_id;
  const first = await pay(amount ? { amount } : {});
  await completeDeposit({ provider: "simulator", endToEndId: first });
  if (amount) return { seller, id, money: await unmatchedBy(first) };
  const second = await pay({ again: true });
  await completeDeposit({ provider: "simulator", endToEndId: second });
  return { seller, id, money: await unmatchedBy(second) };
}

const refusedAs = (code: string) => ({ status: "rejected", reason: expect.objectContaining({ code }) });
const statusesOf = (settled: PromiseSettledResult<unknown>[]) => settled.map(({ status }) => status).sort();

describe("what arrives", () => {
  test("is kept with the account of the sale that it names, with who paid, and is the platform's", async () => {
    const before = await heldCents();
    const { seller, id, money } = await aSecondPayment(4_000);
    expect(money).toMatchObject({
      ...{ accountId: seller.accountId, saleId: id, mode: "sandbox", method: "pix", status: "open", amount: 4_000n },
      ...{ reason: "amount_differs", payer: { document: expect.any(String) }, returnAt: expect.any(Date) },
    });
    expect(await heldCents()).toBe(before + 4_000);
    const unknown = await moneyArrives();
    expect(unknown).toMatchObject({ accountId: platforms.sandbox, saleId: null, payer: PAYER, returnAt: null });
    await returnAll();
    await expectReconciled();
  });

  test("of a sandbox is in no list of real money, nor the other way, whatever its sale's mode is", async () => {
    const live = await makeAccount({ mode: "live" });
    const sandbox = await moneyArrives();
    const real = { provider: "bank", endToEndId: newId(), amount: 700, method: "pix", mode: "live" } as const;
    await transactionFor(platforms.live, (query) =>
      receiveUnmatched(query, [{ ...real, reason: "unknown_txid", receivedAt: new Date() }]),
    );
    const ids = async (mode: "live" | "sandbox") =>
      (await listUnmatched(UnmatchedQuery.parse({ mode, per_page: 100 }))).data.map((one) => one.end_to_end_id);
    expect(await ids("live")).toEqual([real.endToEndId]);
    expect(await ids("sandbox")).toContain(sandbox.endToEndId);
    expect(await ids("sandbox")).not.toContain(real.endToEndId);
    await expect(credit(sandbox, live.accountId)).rejects.toMatchObject({ code: "unmatched_mode_differs" });
    // A live sale's code that is paid at the simulator names a sale of another mode.
    const { id: sale } = await aLiveSale(live);
    const { txid } = await saleOf(live.accountId, sale);
    expect(await moneyArrives({ txid: txid ?? "" })).toMatchObject({
      ...{ accountId: platforms.sandbox, saleId: null, mode: "sandbox", reason: "another_rail" },
    });
    await expect(match(sandbox, sale)).rejects.toMatchObject({ code: "transaction_not_found" });
  });

  async function aLiveSale({ account }: Made) {
    const { identifier } = await requestDeposit({ ...account, mode: "sandbox" }, cashIn(), call());
    return { id: identifier };
  }

  test("is found by its end-to-end id, its txid and its amount, and by its age", async () => {
    const money = await moneyArrives({ amount: 123_456 });
    const found = async (overrides: object) =>
      (await listUnmatched(UnmatchedQuery.parse({ mode: "sandbox", ...overrides }))).data.map(({ id }) => id);
    for (const search of [money.endToEndId, money.txid, "1.234,56", "1234.56", "R$ 1.234,56"]) {
      expect(await found({ search }), String(search)).toEqual([money.id]);
    }
    expect(await found({ search: "1.234,57" })).toEqual([]);
    expect(await found({ search: money.endToEndId, age: "day" })).toEqual([]);
    await asSystem((tx) =>
      tx.unmatchedReceipt.updateMany({
        where: { id: money.id },
        data: { receivedAt: new Date(Date.now() - 8 * 864e5) },
      }),
    );
    expect(await found({ age: "week" })).toEqual([money.id]);
    expect(await found({ age: "month" })).toEqual([]);
    expect((await found({ per_page: 1 }))[0]).toBe(money.id); // the longest waiting comes first
  });
});

describe("matched to a sale", () => {
  test("it completes the sale as its own payment would: fee, shares, events and the payment's own id", async () => {
    const recipient = await makeAccount();
    const { seller, id } = await aSale({ split: [{ user_id: recipient.clientId, percentage: 10 }] });
    const money = await moneyArrives();
    const { data } = await readUnmatched(money);
    expect(data.candidates.map((one) => one.reference_id)).toContain(id);
    const { data: matched } = await match(money, id);
    expect(matched).toMatchObject({ status: "matched", matched_transaction: id, credited_account: seller.accountId });
    expect(await balances(seller)).toEqual([8_820, 0, 0]);
    expect(await balances(recipient)).toEqual([980, 0, 0]);
    expect(await saleOf(seller.accountId, id)).toMatchObject({
      ...{ status: "completed", endToEndId: money.endToEndId, paidAt: money.receivedAt, payer: PAYER },
    });
    expect(await historyOf(seller.accountId, id)).toEqual(["pending", "pending → completed"]);
    expect(await historyOf(platforms.sandbox, money.id)).toEqual(["open → matched"]);
    const [event] = await asSystem((tx) => tx.event.findMany({ where: { subjectId: money.id } }));
    expect(event).toMatchObject({ actor: { kind: "staff" }, record: { decision: "Pago pela pessoa certa." } });
    expect(JSON.stringify(event?.record)).not.toContain(PAYER.name);
    await expectReconciled();
  });

  test("one that has expired is completed too, and is late", async () => {
    const { seller, id } = await aSale();
    await expireDeposit(seller.account, { id }, call());
    await match(await moneyArrives(), id);
    expect(await saleOf(seller.accountId, id)).toMatchObject({ status: "completed", late: true });
    await expectReconciled();
  });

  test("of another amount, paid before, or of nobody, it is refused, and all stays as it was", async () => {
    const { seller, id } = await aSale();
    const [money, other] = [await moneyArrives(), await moneyArrives({ amount: 9_999 })];
    await expect(match(other, id)).rejects.toMatchObject({ code: "unmatched_amount_differs" });
    await expect(match(money, newId())).rejects.toMatchObject({ code: "transaction_not_found" });
    await match(money, id);
    await expect(match(await moneyArrives(), id)).rejects.toMatchObject({ code: "sale_not_payable" });
    await expect(match({ ...money, id: newId() }, id)).rejects.toMatchObject({ code: "unmatched_not_found" });
    expect(await again(other)).toMatchObject({ status: "open", toSaleId: null, decidedAt: null });
    expect(await balances(seller)).toEqual([9_800, 0, 0]);
    await expectReconciled();
  });

  test("a card's money pays no other sale, and none is proposed for it", async () => {
    const { seller, id: other } = await aSale();
    const { accountId } = seller;
    const of = await aCardSale(seller);
    const pay = (method: string) =>
      transactionFor(accountId, (query) =>
        query("t-method", `update transactions set method = $2::"TransactionMethod" where id = $1::uuid`, [
          other,
          method,
        ]),
      );
    await pay("card");
    await transactionFor([platforms.sandbox, accountId], (query) =>
      receiveUnmatchedCard(query, { accountId, id: of, amount: 10_000n, reason: "already_paid" }),
    );
    const money = await unmatchedBy(of);
    expect((await readUnmatched(money)).data.candidates).toEqual([]);
    await expect(match(money, other)).rejects.toMatchObject({ code: "sale_not_payable" });
    expect(await again(money)).toMatchObject({ status: "open" });
    await pay("pix");
  });

  test("two payments at once to one sale, and one payment at once to two sales, pay once", async () => {
    const { seller, id } = await aSale();
    const [one, two] = [await moneyArrives(), await moneyArrives()];
    const first = await Promise.allSettled([match(one, id), match(two, id)]);
    expect(statusesOf(first)).toEqual(["fulfilled", "rejected"]);
    expect(first).toContainEqual(refusedAs("sale_not_payable"));
    expect(await balances(seller)).toEqual([9_800, 0, 0]);
    const [a, b] = [await aSale({}, seller), await aSale({}, seller)];
    const money = await moneyArrives();
    const second = await Promise.allSettled([match(money, a.id), match(money, b.id)]);
    expect(statusesOf(second)).toEqual(["fulfilled", "rejected"]);
    expect(second).toContainEqual(refusedAs("invalid_transition"));
    expect(await balances(seller)).toEqual([19_600, 0, 0]);
    await expectReconciled();
  });
});

describe("credited to an account", () => {
  test("all of it is available without a fee, once, also where two people do it at once", async () => {
    const seller = await makeAccount();
    const money = await moneyArrives({ amount: 333 });
    const both = await Promise.allSettled([credit(money, seller.accountId), credit(money, seller.accountId)]);
    expect(statusesOf(both)).toEqual(["fulfilled", "rejected"]);
    expect(await balances(seller)).toEqual([333, 0, 0]);
    expect((await readUnmatched(money)).data).toMatchObject({
      ...{ status: "credited", credited_to: { id: seller.accountId }, decision: "Pago pela pessoa certa." },
    });
    await expect(credit(await moneyArrives(), newId())).rejects.toMatchObject({ code: "account_not_found" });
    await expectReconciled();
  });
});

describe("returned to its payer", () => {
  test("a wrong amount and a second payment go back by themselves, and the sale says that they came and went", async () => {
    for (const amount of [4_000, undefined]) {
      const { seller, id, money } = await aSecondPayment(amount);
      await returnAll();
      expect(await again(money)).toMatchObject({
        ...{ status: "returned", decidedBy: null, providerReturnId: expect.stringMatching(/^D/) },
      });
      expect(await returnsAtPsp(money)).toEqual([{ amount: money.amount, status: "DEVOLVIDO" }]);
      expect(await balances(seller)).toEqual([amount ? 0 : 9_800, 0, 0]);
      const { data } = await readTimeline(seller.account, ["transactions:read"], "transaction", id);
      const told = data.filter(({ kind, title }) => kind === "unmatched" || title === "unmatched.updated");
      expect(told.map(({ title, status }) => `${title} ${status}`).reverse()).toEqual([
        `${money.reason} ${amount ? "40.00" : "100.00"}`,
        "unmatched.updated returning",
        "unmatched.updated returned",
      ]);
    }
    await expectReconciled();
  });

  test("a person returns what waits; two at once send it back once", async () => {
    const money = await moneyArrives();
    while (await returnDue());
    expect(await again(money)).toMatchObject({ status: "open" });
    const both = await Promise.allSettled([giveBack(money), giveBack(money)]);
    expect(statusesOf(both)).toEqual(["fulfilled", "rejected"]);
    expect(both).toContainEqual(refusedAs("invalid_transition"));
    await returnAll();
    expect(await again(money)).toMatchObject({ status: "returned", decision: "Pago pela pessoa certa." });
    expect(await returnsAtPsp(money)).toHaveLength(1);
    expect(await historyOf(platforms.sandbox, money.id)).toEqual(["open → returning", "returning → returned"]);
    await expectReconciled();
  });

  test("what the payer's bank does not take is open again for a person, who may return it once more", async () => {
    const money = await moneyArrives({ amount: 1_071 });
    await giveBack(money);
    await returnAll();
    const failed = await again(money);
    expect(failed).toMatchObject({ status: "open", returnAt: null, returnFailure: "Conta do recebedor encerrada." });
    await giveBack(failed);
    await returnAll();
    expect(await returnsAtPsp(money)).toHaveLength(2);
    const seller = await makeAccount();
    await credit(await again(money), seller.accountId);
    expect(await balances(seller)).toEqual([1_071, 0, 0]);
    await expectReconciled();
  });

  test("what goes back after its provider said otherwise is returned; what was given to somebody since stays theirs", async () => {
    const seller = await makeAccount();
    for (const isCredited of [false, true]) {
      const money = await moneyArrives();
      await giveBack(money);
      const { accountId, returnId } = await again(money);
      const answered = (answer: SentBack) => finishCall(unmatchedReturn, { accountId, id: returnId ?? "" }, answer);
      await answered({ status: "failed", reason: "x" });
      if (isCredited) await credit(await again(money), seller.accountId);
      for (let nth = 0; nth < 2; nth += 1) await answered({ status: "completed", returnId: "D1" });
      expect(await again(money)).toMatchObject(
        isCredited ? { status: "credited" } : { status: "returned", providerReturnId: "D1", returnFailure: null },
      );
    }
    expect(await balances(seller)).toEqual([10_000, 0, 0]);
    await expectReconciled();
  });

  test("a match, a credit and a return of the same money at once: one of them happens", async () => {
    for (let nth = 0; nth < 4; nth += 1) {
      const { seller, id } = await aSale();
      const money = await moneyArrives();
      const all = await Promise.allSettled([match(money, id), credit(money, seller.accountId), giveBack(money)]);
      expect(statusesOf(all)).toEqual(["fulfilled", "rejected", "rejected"]);
      await returnAll();
      const { status } = await again(money);
      const expected = { matched: 9_800, credited: 10_000, returned: 0 }[status as string];
      expect(await balances(seller)).toEqual([expected, 0, 0]);
      expect(await returnsAtPsp(money)).toHaveLength(status === "returned" ? 1 : 0);
    }
    await expectReconciled();
  });

  test("what goes back by itself and what a person credits at once happens once", async () => {
    const { seller, money } = await aSecondPayment(5_000);
    await Promise.allSettled([credit(money, seller.accountId), returnDue()]);
    await returnAll();
    const { status } = await again(money);
    expect(await balances(seller)).toEqual([status === "credited" ? 5_000 : 0, 0, 0]);
    await expectReconciled();
  });

  test("the owner's policy: what somebody else paid goes back", async () => {
    const client = { name: "Ana Prado", cpf: "390.533.447-05", email: "ana@example.com" };
    const { seller, id } = await aSale({ client });
    const { accountId } = seller;
    await forAccount(accountId, (tx) =>
      tx.account.update({ where: { id: accountId }, data: { payerPolicy: "return" } }),
    );
    const payer = { name: "Bia Reis", document: "52998224725" };
    const { end_to_end_id: endToEndId } = await simulatePayment(seller.account, { id, payer }, call());
    await completeDeposit({ provider: "simulator", endToEndId });
    await returnAll();
    expect(await unmatchedBy(endToEndId)).toMatchObject({ status: "returned", reason: "payer_differs", saleId: id });
    expect(await saleOf(accountId, id)).toMatchObject({ status: "pending" });
    await expectReconciled();
  });
});

test("a payment that was noted pays no sale later, however often it is told again", async () => {
  const client = { name: "Ana Prado", cpf: "390.533.447-05", email: "ana@example.com" };
  const { seller, id } = await aSale({ client });
  const { accountId } = seller;
  const policy = (payerPolicy: "return" | "accept") =>
    forAccount(accountId, (tx) => tx.account.update({ where: { id: accountId }, data: { payerPolicy } }));
  await policy("return");
  const payer = { name: "Bia Reis", document: "52998224725" };
  const { end_to_end_id: endToEndId } = await simulatePayment(seller.account, { id, payer }, call());
  const tell = () => completeDeposit({ provider: "simulator", endToEndId });
  await tell();
  await policy("accept");
  await tell();
  expect(await saleOf(accountId, id)).toMatchObject({ status: "pending", endToEndId: null });
  await returnAll();
  await tell();
  expect(await unmatchedBy(endToEndId)).toMatchObject({ status: "returned" });
  expect(await balances(seller)).toEqual([0, 0, 0]);
  await expectReconciled();
});

test.each(unmatchedReasons)("the policy for %s is obeyed", async (reason: UnmatchedReason) => {
  const endToEndId = newId();
  const came = { provider: "simulator", endToEndId, amount: 500, mode: "sandbox", method: "pix", reason } as const;
  await transactionFor(platforms.sandbox, (query) => receiveUnmatched(query, [came]));
  while (await returnDue());
  const { status } = await unmatchedBy(endToEndId);
  expect(status).toBe(policies[reason] === "return" ? "returning" : "open");
});

test("nothing goes back by itself while payouts are stopped, and all of it does afterwards", async () => {
  const { money } = await aSecondPayment(4_000);
  const place = { scope: "rail", target: money.provider } as const;
  await actAs(STAFF, () => stopPayouts({ ...place, reason: "x" }));
  while (await returnDue());
  expect(await again(money)).toMatchObject({ status: "open" });
  await actAs(STAFF, () => liftStop(place));
  while (await returnDue());
  expect(await again(money)).toMatchObject({ status: "returning" });
  await returnAll();
});

test("what nobody can send back any more waits for a person", async () => {
  const came = { provider: "bank", endToEndId: newId(), amount: 500, mode: "live", method: "pix" } as const;
  await transactionFor(platforms.live, (query) => receiveUnmatched(query, [{ ...came, reason: "already_paid" }]));
  while (await returnDue());
  const money: UnmatchedReceipt = await unmatchedBy(came.endToEndId);
  expect(money).toMatchObject({ status: "open", returnAt: null });
  await expect(giveBack(money)).rejects.toMatchObject({ code: "rail_not_configured" });
});
