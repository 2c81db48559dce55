import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { asSystem, forAccount, runPrepared } from "@/lib/db";
import { completeDeposit, completeDuePayments, paymentWatch } from "@/lib/deposits/complete";
import { pollRail } from "@/lib/deposits/poll";
import { requestDeposit } from "@/lib/deposits/request";
import { readBalances } from "@/lib/ledger/balance";
import { storeCallbacks } from "@/lib/outside/inbox";
import { askAbout, claimWatches } from "@/lib/outside/watch";
import { railFor } from "@/lib/rails/pix/rails";
import type { Receipt } from "@/lib/rails/pix/receipt";
import { simulator } from "@/lib/rails/pix/simulator/adapter";
import { PIX_KEY } from "@/lib/rails/pix/simulator/agreement";
import { reconcile } from "@/lib/reconcile/reconcile";
import { newEndToEndId, recordPix } from "@/lib/simulators/pix/records";
import { call, cashIn, type Made, makeAccount } from "@/lib/testing/make";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { serveRail, whileDown } from "@/lib/testing/rail";
import { historyOf } from "@/lib/testing/traces";
import type { Transaction } from "@/prisma/client/client";

/** A batch takes whatever is due in the database, so these tests have a database of their own. */
let drop: () => Promise<void>;
let rail: Awaited<ReturnType<typeof serveRail>>;
beforeAll(async () => {
  drop = await openOwnDatabase();
  rail = await serveRail();
});
afterAll(async () => {
  expect(await reconcile({ inFlightMs: 0 })).toEqual([]);
  await rail.close();
  await drop();
});
beforeEach(async () => {
  rail.asked.length = 0;
  await runPrepared("t-none", "delete from watches", []);
});

const PAYER = { name: "Ana", document: "52998224725", ispb: "99999999" };

async function askFor(seller: Made, overrides: Parameters<typeof cashIn>[0] = {}): Promise<Transaction> {
  const deposit = await requestDeposit(seller.account, cashIn(overrides), call());
  return read(seller.accountId, deposit.identifier);
}

const read = (accountId: string, id: string) =>
  forAccount(accountId, (tx) => tx.transaction.findUniqueOrThrow({ where: { accountId_id: { accountId, id } } }));

const many = <T>(count: number, make: () => Promise<T>) => Promise.all(Array.from({ length: count }, make));

async function pay(sale: Transaction, amount?: number): Promise<Receipt> {
  const receipt = await railFor("sandbox")?.pay?.({ code: sale.pixCode ?? "", ...(amount && { amount }) });
  if (!receipt) throw new Error("a sandbox has a rail that pays");
  return receipt;
}

/** Pays a second ago, so that it is not the same millisecond as what is paid next. */
async function payEarlier(sale: Transaction): Promise<Receipt> {
  const receipt = await pay(sale);
  const text = "update simulator_pix set paid_at = paid_at - interval '1 second' where end_to_end_id = $1";
  await runPrepared("t-earlier", text, [receipt.endToEndId]);
  return { ...receipt, paidAt: new Date(receipt.paidAt.getTime() - 1_000) };
}

/** Stores the callback of a payment, as the rail sends it. */
const callBack = ({ endToEndId, paidAt }: { endToEndId: string; paidAt?: Date }, eventId = `evt_${endToEndId}`) =>
  storeCallbacks("simulator", [
    { eventId, kind: "payment", id: endToEndId, ...(paidAt && { happenedAt: paidAt }), payload: {} },
  ]);

const available = async ({ accountId }: Made) => (await readBalances(accountId)).available;
const waits = async () => {
  const text = `select id, attempts, extract(epoch from ask_at - now())::float8 as wait from watches order by since, id`;
  return runPrepared<{ id: string; attempts: number; wait: number | null }>("t-waits", text, []);
};
const makeDue = () =>
  runPrepared("t-due", "update watches set ask_at = now() - interval '1 second' where ask_at is not null", []);
const unmatched = async ({ endToEndId }: { endToEndId: string }) =>
  (await asSystem((tx) => tx.unmatchedReceipt.findMany({ where: { endToEndId } }))).map(({ reason }) => reason);

/** The questions to the rail since the test began, without the ids that they name. */
const questions = () => rail.asked.map((path) => path.replace(/^\/simulator\/pix\/v1/, "").replace(/E\w{31}$/, "…"));

describe("a batch of callbacks", () => {
  test("is completed with one question to the rail, each sale with its event and its money", async () => {
    const seller = await makeAccount({ feeBasisPoints: 199 });
    const recipient = await makeAccount();
    const split = [{ user_id: recipient.clientId, percentage: 50 }];
    const sales = [...(await many(20, () => askFor(seller))), await askFor(seller, { amount: 10, split })];
    const receipts = await Promise.all(sales.map((sale) => pay(sale)));
    await Promise.all(receipts.map((receipt) => callBack(receipt)));
    rail.asked.length = 0;

    expect(await completeDuePayments()).toBe(false);

    expect(questions()).toEqual(["/received"]);
    expect(await available(seller)).toBe(20 * 9_801 + 980 - 490);
    expect(await available(recipient)).toBe(490);
    for (const [at, sale] of sales.entries()) {
      const { endToEndId, paidAt, payer } = receipts[at] as Receipt;
      expect(await read(sale.accountId, sale.id)).toMatchObject({ status: "completed", endToEndId, paidAt, payer });
      expect(await historyOf(sale.accountId, sale.id)).toEqual(["pending", "pending → completed"]);
    }
    expect(await waits(), "nothing is left to ask").toEqual([]);
  });

  test("is judged payment by payment", async () => {
    const seller = await makeAccount({ feeBasisPoints: 0 });
    const [good, tooMuch, twice] = [await askFor(seller), await askFor(seller), await askFor(seller)];
    const endToEndId = newEndToEndId(PAYER.ispb);
    const foreign = { end_to_end_id: endToEndId, txid: "***", key: PIX_KEY, amount: 1, payer: PAYER };
    const receipts = [await pay(good), await pay(tooMuch, 10_001), await payEarlier(twice), await pay(twice)];
    await recordPix(foreign);
    const [, differs, first, second] = receipts as [Receipt, Receipt, Receipt, Receipt];
    const unknown = { endToEndId: newEndToEndId(PAYER.ispb) };
    await Promise.all([...receipts, { endToEndId, paidAt: new Date() }, unknown].map((one) => callBack(one)));
    await callBack(first, "evt_the_same_again");

    await completeDuePayments();

    expect(await available(seller)).toBe(20_000);
    expect(await read(seller.accountId, twice.id)).toMatchObject({ endToEndId: first.endToEndId });
    expect(await Promise.all([differs, second, { endToEndId }, first, unknown].map(unmatched))).toEqual([
      ["amount_differs"],
      ["already_paid"],
      ["unknown_txid"],
      [],
      [],
    ]);
    expect(await waits()).toMatchObject([{ id: unknown.endToEndId, attempts: 1, wait: expect.any(Number) }]);
    // So that the ledger agrees with the rail.
    await runPrepared("t-forget", "delete from simulator_pix where end_to_end_id = $1", [endToEndId]);
  });

  test("that is claimed by two workers at once is completed once", async () => {
    const seller = await makeAccount({ feeBasisPoints: 0 });
    const receipts = await Promise.all((await many(12, () => askFor(seller))).map((sale) => pay(sale)));
    await Promise.all(receipts.map((receipt) => callBack(receipt)));
    await Promise.all([completeDuePayments(), completeDuePayments(), completeDuePayments()]);
    await Promise.all(receipts.map((receipt) => callBack(receipt)));
    await Promise.all([
      completeDuePayments(),
      ...receipts.map((r) => completeDeposit({ provider: "simulator", ...r })),
    ]);
    expect(await available(seller)).toBe(120_000);
    expect((await Promise.all(receipts.map(unmatched))).flat()).toEqual([]);
  });

  test("with one that the database refuses completes all others, and asks about that one again", async () => {
    const seller = await makeAccount({ feeBasisPoints: 0 });
    const sales = await many(5, () => askFor(seller));
    const receipts = await Promise.all(sales.map((sale) => pay(sale)));
    const [bad] = receipts as [Receipt];
    await Promise.all(receipts.map((receipt) => callBack(receipt)));
    // Another sale has this payment's id already, which no two may have.
    const other = await askFor(seller);
    const name = (endToEndId: string | null) =>
      forAccount(other.accountId, (tx) =>
        tx.transaction.update({
          where: { accountId_id: { accountId: other.accountId, id: other.id } },
          data: { endToEndId },
        }),
      );
    await name(bad.endToEndId);

    await completeDuePayments();
    expect(await available(seller)).toBe(40_000);
    expect(await waits()).toMatchObject([{ id: bad.endToEndId, wait: expect.any(Number) }]);

    await name(null);
    await makeDue();
    await completeDuePayments();
    expect(await available(seller)).toBe(50_000);
  });

  test("is a hundred, and more are due while it is full", async () => {
    const ids = Array.from({ length: 101 }, () => ({ id: newEndToEndId(PAYER.ispb) }));
    await askAbout("payment", "nobody", ids);
    expect(await completeDuePayments()).toBe(true);
    expect(await completeDuePayments()).toBe(false);
    expect((await waits()).map(({ attempts }) => attempts)).toEqual(ids.map(() => 1));
  });
});

describe("the rail is asked", () => {
  test("about one payment alone where there is one, and for a window only of payments close in time", async () => {
    const seller = await makeAccount({ feeBasisPoints: 0 });
    const [alone, ...others] = await Promise.all((await many(4, () => askFor(seller))).map((sale) => pay(sale)));
    await callBack(alone as Receipt);
    rail.asked.length = 0;
    await completeDuePayments();
    expect(questions()).toEqual(["/received/…"]);

    await Promise.all(others.map(({ endToEndId }) => callBack({ endToEndId }))); // a callback that names no time
    rail.asked.length = 0;
    await completeDuePayments();
    expect(questions()).toEqual(["/received/…", "/received/…", "/received/…"]);
    expect(await available(seller)).toBe(40_000);
  });

  test("one by one for what no window had, when a callback's time is wrong", async () => {
    const seller = await makeAccount({ feeBasisPoints: 0 });
    const receipts = await Promise.all((await many(3, () => askFor(seller))).map((sale) => pay(sale)));
    const paidAt = new Date(Date.now() - 3_600_000);
    for (const { endToEndId } of receipts) await callBack({ endToEndId, paidAt });
    rail.asked.length = 0;
    await completeDuePayments();
    expect(questions()).toEqual(["/received", "/received/…", "/received/…", "/received/…"]);
    expect(await available(seller)).toBe(30_000);
  });

  test("again when it did not answer, after longer waits, and not at all after a week", async () => {
    const seller = await makeAccount({ feeBasisPoints: 0 });
    const receipts = await Promise.all((await many(2, () => askFor(seller))).map((sale) => pay(sale)));
    await Promise.all(receipts.map((receipt) => callBack(receipt)));
    const [first] = receipts as [Receipt];
    const seen: (number | null | undefined)[] = [];
    await whileDown(async () => {
      for (let time = 0; time < 12; time += 1) {
        await completeDuePayments();
        seen.push((await waits())[0]?.wait);
        await makeDue();
      }
      const age = "update watches set ends_at = now() - interval '1 day' where id = $1";
      await runPrepared("t-age", age, [first.endToEndId]);
      await completeDuePayments();
    });
    const planned = [5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600];
    for (const [time, wait] of planned.entries()) {
      expect(seen[time]).toBeLessThanOrEqual(wait);
      expect(seen[time]).toBeGreaterThan(wait - 4); // what the test itself may have taken
    }
    expect((await waits()).map(({ id, wait }) => [id, wait !== null])).toContainEqual([first.endToEndId, false]);
    expect(await available(seller)).toBe(0);

    await callBack(first); // a repeat after a week is asked about
    await makeDue();
    await completeDuePayments();
    expect(await available(seller)).toBe(20_000);
  });

  test("again when the process died with its claim", async () => {
    const seller = await makeAccount({ feeBasisPoints: 0 });
    const receipt = await pay(await askFor(seller));
    await callBack(receipt);
    expect(await claimWatches([paymentWatch])).toMatchObject([{ id: receipt.endToEndId }]);
    expect(await waits()).toMatchObject([{ attempts: 1, wait: expect.any(Number) }]);
    await makeDue();
    await completeDuePayments();
    expect(await available(seller)).toBe(10_000);
  });
});

test("a payment whose callback never arrived is found in the rail's records and completes its sale", async () => {
  const seller = await makeAccount({ feeBasisPoints: 0 });
  const [, waiting, done] = await Promise.all((await many(3, () => askFor(seller))).map((sale) => pay(sale)));
  await callBack(waiting as Receipt);
  await completeDeposit({ provider: "simulator", ...(done as Receipt) });

  expect(await pollRail(simulator, 60_000, -1_000)).toBe(2);
  expect(await available(seller)).toBe(30_000);
  expect(await pollRail(simulator, 60_000, -1_000)).toBe(0);

  const ids = (await waits()).map(({ id }) => id);
  expect(ids, "what its callback asks about is asked all the same").toEqual([waiting?.endToEndId]);
  await completeDuePayments();
  expect(await waits()).toEqual([]);
  expect(await available(seller)).toBe(30_000);
});

test("reconcile reports a watch that nobody has asked about for an hour", async () => {
  await askAbout("payment", "nobody", [{ id: "E1" }, { id: "E2" }]);
  const late = "update watches set ask_at = now() - interval '61 minutes' where id = 'E1'";
  await runPrepared("t-late", late, []);
  const detail = expect.stringContaining("payment at nobody, due since ");
  expect(await reconcile({ inFlightMs: 0 })).toEqual([{ fault: "watch_overdue", id: "E1", detail }]);
});

test("a payment younger than what a callback takes is left to its callback", async () => {
  const seller = await makeAccount({ feeBasisPoints: 0 });
  const receipt = await pay(await askFor(seller));
  expect(await pollRail(simulator, 60_000)).toBe(0);
  await completeDeposit({ provider: "simulator", ...receipt });
});
