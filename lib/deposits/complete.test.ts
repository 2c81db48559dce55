import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readTransactionDetail } from "@/lib/dashboard/transaction";
import { asSystem, forAccount } from "@/lib/db";
import { completeDeposit } from "@/lib/deposits/complete";
import { expireDeposit } from "@/lib/deposits/expire";
import { requestDeposit } from "@/lib/deposits/request";
import { simulatePayment } from "@/lib/deposits/simulate";
import { env } from "@/lib/env";
import { newAlphanumeric } from "@/lib/ids";
import { readBalances } from "@/lib/ledger/balance";
import { railFor } from "@/lib/rails/pix/rails";
import type { Receipt } from "@/lib/rails/pix/receipt";
import { PIX_KEY, SIGNATURE_HEADER, sign, TIMESTAMP_HEADER } from "@/lib/rails/pix/simulator/agreement";
import { newEndToEndId, recordPix } from "@/lib/simulators/pix/records";
import { call, cashIn, type Made, makeAccount } from "@/lib/testing/make";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { serveRail } from "@/lib/testing/rail";
import { historyOf, tracesOf } from "@/lib/testing/traces";
import { isByOther } from "@/lib/transactions/payer";
import type { Transaction } from "@/prisma/client/client";

/**
 * A sandbox whose clock is put forward completes what was paid at the rail, of all accounts, so these tests have a database
 * of their own.
 */
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

async function askFor(seller: Made, overrides: Parameters<typeof cashIn>[0] = {}): Promise<Transaction> {
  const deposit = await requestDeposit(seller.account, cashIn(overrides), call());
  return read(seller.accountId, deposit.identifier);
}

const read = (accountId: string, id: string) =>
  forAccount(accountId, (tx) => tx.transaction.findUniqueOrThrow({ where: { accountId_id: { accountId, id } } }));

const again = (sale: Transaction) => read(sale.accountId, sale.id);

/** Pays the sale's code at the simulated PSP; without `amount`, the code's own amount. */
async function pay(sale: Transaction, amount?: number): Promise<Receipt> {
  const receipt = await railFor("sandbox")?.pay?.({ code: sale.pixCode ?? "", ...(amount && { amount }) });
  if (!receipt) throw new Error("a sandbox has a rail that pays");
  return receipt;
}

const complete = ({ endToEndId }: { endToEndId: string }) => completeDeposit({ provider: "simulator", endToEndId });

const available = async ({ accountId }: Made) => (await readBalances(accountId)).available;

const unmatchedOf = ({ endToEndId }: Receipt) =>
  asSystem((tx) => tx.unmatchedReceipt.findMany({ where: { endToEndId } }));

test("a payment completes its sale, with its money and its event", async () => {
  const seller = await makeAccount({ feeBasisPoints: 199 });
  const sale = await askFor(seller, { amount: 19.99 });
  const receipt = await pay(sale);

  await complete(receipt);

  expect(await again(sale)).toMatchObject({
    status: "completed",
    endToEndId: receipt.endToEndId,
    payer: receipt.payer,
    paidAt: receipt.paidAt,
    late: false,
  });
  expect(await available(seller)).toBe(1_959);
  expect(await historyOf(seller.accountId, sale.id)).toEqual(["pending", "pending → completed"]);
  expect(await tracesOf(seller.accountId)).toMatchObject({ postings: 1, entries: 1, outbox: 2 });
  expect(await unmatchedOf(receipt)).toEqual([]);
});

test("a split pays each recipient to the cent, and the seller gets the rest", async () => {
  const [seller, first, second, third] = await Promise.all([
    makeAccount({ feeBasisPoints: 199 }),
    ...Array.from({ length: 3 }, () => makeAccount()),
  ]);
  if (!first || !second || !third) throw new Error("three recipients were made");
  const percentages = [33, 33, 33];
  const split = [first, second, third].map(({ clientId }, at) => ({ user_id: clientId, percentage: percentages[at] }));
  const sale = await askFor(seller, { amount: 100.01, split });
  const receipt = await pay(sale);
  await Promise.all([complete(receipt), complete(receipt)]);

  const balances = await Promise.all([first, second, third, seller].map(available));
  expect(balances).toEqual([3_235, 3_235, 3_235, 97]); // of 98.02 after the fee of 1.99
  expect(balances.reduce((sum, balance) => sum + balance, 0)).toBe(9_802);
});

test("50 identical callbacks at once, and 50 questions to the rail, make one posting", async () => {
  const seller = await makeAccount({ feeBasisPoints: 0 });
  const sale = await askFor(seller);
  const receipt = await pay(sale);
  const notice = JSON.stringify({
    event_id: `evt_${receipt.endToEndId}`,
    type: "pix.received",
    end_to_end_id: receipt.endToEndId,
    txid: receipt.txid,
    amount: "100.00",
  });
  const callback = async () => {
    const time = String(Math.floor(Date.now() / 1000));
    const headers = { [TIMESTAMP_HEADER]: time, [SIGNATURE_HEADER]: sign(env.SIMULATOR_SECRET, time, notice) };
    const response = await fetch(`${rail.url}/callbacks/pix/simulator`, { method: "POST", headers, body: notice });
    await response.body?.cancel();
    return response.status;
  };
  const answers = await Promise.all(Array.from({ length: 50 }, callback));
  expect(new Set(answers)).toEqual(new Set([200]));

  await Promise.all(answers.map(() => complete(receipt)));
  expect(await callback()).toBe(200);
  await complete(receipt);

  expect(await available(seller)).toBe(10_000);
  expect(await historyOf(seller.accountId, sale.id)).toEqual(["pending", "pending → completed"]);
  expect(await tracesOf(seller.accountId)).toMatchObject({ postings: 1, outbox: 2 });
  expect(await unmatchedOf(receipt)).toEqual([]);
});

describe("posts nothing:", () => {
  /** Payments that must complete no sale during these tests. They do afterwards, so that the run's ledger agrees. */
  const uncompleted: Receipt[] = [];
  afterAll(() => Promise.all(uncompleted.map(complete)));

  async function payLater(sale: Transaction): Promise<Receipt> {
    const receipt = await pay(sale);
    uncompleted.push(receipt);
    return receipt;
  }

  /** Expects that `deed` leaves an open sale, and all else of its seller, unchanged. */
  async function expectUntouched(deed: (sale: Transaction) => Promise<void>) {
    const seller = await makeAccount();
    const sale = await askFor(seller);
    const before = await tracesOf(seller.accountId);
    await deed(sale);
    expect(await tracesOf(seller.accountId)).toEqual(before);
    expect(await again(sale)).toEqual(sale);
    expect(await available(seller)).toBe(0);
  }

  test.each([9_999, 10_001, 1])("a payment of %d cents for a deposit of 10000, which the operator is shown", (cents) =>
    expectUntouched(async (sale) => {
      const receipt = await pay(sale, cents);
      await Promise.all([complete(receipt), complete(receipt)]);
      expect(await unmatchedOf(receipt)).toMatchObject([
        { reason: "amount_differs", amount: BigInt(cents), txid: sale.txid },
      ]);
    }),
  );

  test("a payment of a code that is not ours, which the operator is shown", async () => {
    const payer = { name: "Ana", document: "52998224725", ispb: "99999999" };
    const pix = { end_to_end_id: newEndToEndId(payer.ispb), key: PIX_KEY, amount: 500, payer };
    for (const txid of [newAlphanumeric(25), "***"]) {
      const endToEndId = newEndToEndId(payer.ispb);
      await recordPix({ ...pix, end_to_end_id: endToEndId, txid });
      await complete({ endToEndId });
      const where = { endToEndId };
      expect(await asSystem((tx) => tx.unmatchedReceipt.findMany({ where }))).toMatchObject([
        { reason: "unknown_txid" },
      ]);
    }
  });

  test("a payment that the rail does not know, whatever the callback contained", () =>
    expectUntouched(async () => {
      const endToEndId = newEndToEndId("99999999");
      await expect(complete({ endToEndId })).rejects.toThrow("does not know");
      expect(await asSystem((tx) => tx.unmatchedReceipt.count({ where: { endToEndId } }))).toBe(0);
    }));

  test.each(["nobody", "__proto__"])("a callback of the provider %s", (provider) =>
    expectUntouched(async (sale) => {
      const { endToEndId } = await payLater(sale);
      await expect(completeDeposit({ provider, endToEndId })).rejects.toThrow("No rail");
    }),
  );

  test("simulated money for the deposit of a live account, which the operator is shown", async () => {
    const seller = await makeAccount();
    const sale = await askFor(seller);
    const receipt = await pay(sale);
    const change = (mode: "live" | "sandbox") =>
      forAccount(seller.accountId, (tx) => tx.account.update({ where: { id: seller.accountId }, data: { mode } }));
    await change("live");
    await complete(receipt);
    await change("sandbox");
    expect(await unmatchedOf(receipt)).toMatchObject([{ reason: "another_rail" }]);
    expect(await again(sale)).toEqual(sale);
    expect(await available(seller)).toBe(0);
  });

  test("a rail that does not answer", () =>
    expectUntouched(async (sale) => {
      const receipt = await payLater(sale);
      const { SIMULATOR_URL } = env;
      Object.assign(env, { SIMULATOR_URL: "http://127.0.0.1:9" });
      await expect(complete(receipt)).rejects.toThrow();
      Object.assign(env, { SIMULATOR_URL });
    }));
});

test("a callback that arrives before the rail itself knows the payment completes the sale when it is repeated", async () => {
  const seller = await makeAccount({ feeBasisPoints: 0 });
  const sale = await askFor(seller);
  const payer = { name: "Ana", document: "52998224725", ispb: "99999999" };
  const endToEndId = newEndToEndId(payer.ispb);
  await expect(complete({ endToEndId })).rejects.toThrow();
  await recordPix({ end_to_end_id: endToEndId, txid: sale.txid ?? "", key: PIX_KEY, amount: 10_000, payer });
  await complete({ endToEndId });
  expect(await available(seller)).toBe(10_000);
});

test("a second payment of the same code is recorded for the operator, and the sale is paid once", async () => {
  const seller = await makeAccount({ feeBasisPoints: 0 });
  const sale = await askFor(seller);
  const [first, second] = [await pay(sale), await pay(sale)];

  await Promise.all([complete(first), complete(second), complete(second), complete(first)]);

  expect(await available(seller)).toBe(10_000);
  const { endToEndId } = await again(sale);
  const [loser, winner] = endToEndId === first.endToEndId ? [second, first] : [first, second];
  expect(await unmatchedOf(loser)).toMatchObject([{ reason: "already_paid" }]);
  expect(await unmatchedOf(winner)).toEqual([]);
});

test.each(["refused", "failed", "refunded", "chargedback", "disputed"] as const)(
  "a sale that is %s is not completed by a payment that comes now",
  async (status) => {
    const seller = await makeAccount();
    const sale = await askFor(seller);
    const receipt = await pay(sale);
    const where = { accountId_id: { accountId: sale.accountId, id: sale.id } };
    await forAccount(sale.accountId, (tx) => tx.transaction.update({ where, data: { status } }));
    await complete(receipt);
    expect(await again(sale)).toMatchObject({ status, endToEndId: null });
    expect(await available(seller)).toBe(0);
    expect(await unmatchedOf(receipt)).toMatchObject([{ reason: "already_paid" }]);
    // No verb made this state, and without the posting of a completed sale the run's ledger would not agree.
    await forAccount(sale.accountId, (tx) => tx.transaction.update({ where, data: { status: "failed" } }));
  },
);

test("a payment after the code's expiry counts and is flagged as late", async () => {
  const seller = await makeAccount({ feeBasisPoints: 0 });
  const expiresAt = new Date(Date.now() + 50);
  const deposit = await requestDeposit(seller.account, { ...cashIn(), expiresAt }, call());
  const sale = await read(seller.accountId, deposit.identifier);
  await expect.poll(() => Date.now()).toBeGreaterThan(Number(expiresAt));
  await complete(await pay(sale));
  expect(await again(sale)).toMatchObject({ status: "completed", late: true });
  expect(await available(seller)).toBe(10_000);
});

test("a payment of an expired sale counts and is flagged as late", async () => {
  const seller = await makeAccount({ feeBasisPoints: 0 });
  const sale = await askFor(seller);
  await expireDeposit(seller.account, { id: sale.id }, call());
  await complete(await pay(sale));
  expect(await historyOf(seller.accountId, sale.id)).toEqual(["pending", "pending → expired", "expired → completed"]);
  expect(await available(seller)).toBe(10_000);
  expect(await again(sale)).toMatchObject({ status: "completed", late: true });
});

test("when expiry and payment race, each sale ends paid, and its money moves once", async () => {
  const seller = await makeAccount({ feeBasisPoints: 0 });
  const sales = await Promise.all(Array.from({ length: 12 }, () => askFor(seller, { amount: 1 })));
  const receipts = await Promise.all(sales.map((sale) => pay(sale)));
  const expiries = await Promise.allSettled(
    sales.flatMap((sale, at) => {
      const deeds = [
        () => expireDeposit(seller.account, { id: sale.id }, call()),
        () => complete(receipts[at] as Receipt),
      ];
      return (at % 2 ? deeds.reverse() : deeds).map((deed) => deed());
    }),
  );
  for (const outcome of expiries) {
    if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "invalid_transition" });
  }
  const histories = await Promise.all(sales.map(({ id }) => historyOf(seller.accountId, id)));
  for (const history of histories) {
    expect([
      ["pending", "pending → completed"],
      ["pending", "pending → expired", "expired → completed"],
    ]).toContainEqual(history);
  }
  const expired = histories.filter(({ length }) => length === 3).length;
  expect(expiries.filter(({ status }) => status === "rejected")).toHaveLength(sales.length - expired);
  expect(await available(seller)).toBe(1_200);
});

describe("a Pix of somebody else than the sale's client", () => {
  const client = { name: "Ana Prado", cpf: "390.533.447-05", email: "ana@example.com" };
  const payer = { name: "Bia Reis", document: "52998224725" };

  async function aSaleOf(payerPolicy: "accept" | "flag" | "return") {
    const seller = await makeAccount();
    await forAccount(seller.accountId, (tx) =>
      tx.account.update({ where: { id: seller.accountId }, data: { payerPolicy } }),
    );
    return { seller, sale: await askFor(seller, { client }) };
  }
  const payAs = async ({ account }: Made, { id }: Transaction, document: string) => {
    const { end_to_end_id: endToEndId } = await simulatePayment(account, { id, payer: { ...payer, document } }, call());
    await complete({ endToEndId });
    return endToEndId;
  };
  const markOf = async ({ account }: Made, { id }: Transaction) =>
    (await readTransactionDetail(account, id)).is_paid_by_other;

  test.each([
    ["accept", false],
    ["flag", true],
  ] as const)("pays it where the account's policy is to %s (marked: %s)", async (policy, isMarked) => {
    const { seller, sale } = await aSaleOf(policy);
    await payAs(seller, sale, payer.document);
    expect(await again(sale)).toMatchObject({ status: "completed", payer });
    expect(await markOf(seller, sale)).toBe(isMarked);
  });

  test("waits for the operator where it is to be returned, and the client's own pays the sale afterwards", async () => {
    const { seller, sale } = await aSaleOf("return");
    const other = await payAs(seller, sale, payer.document);
    expect(await again(sale)).toEqual(sale);
    expect(await asSystem((tx) => tx.unmatchedReceipt.findMany({ where: { endToEndId: other } }))).toMatchObject([
      { reason: "payer_differs", amount: sale.amount },
    ]);
    expect(await available(seller)).toBe(0);
    await payAs(seller, sale, "39053344705");
    expect(await again(sale)).toMatchObject({ status: "completed" });
    expect(await markOf(seller, sale)).toBe(false);
  });

  test.each([
    ["390.533.447-05", "39053344705", false],
    ["390.533.447-05", "***533447**", false], // as some rails tell it
    [null, "52998224725", false],
    ["12ABC34501DE35", "12.ABC.345/01DE-35", false],
    ["12ABC34501DE35", "52998224725", true],
  ])("is known by whole documents alone (%s, %s: %s)", (clientDocument, document, isOther) => {
    expect(isByOther({ clientDocument }, { document })).toBe(isOther);
  });
});
