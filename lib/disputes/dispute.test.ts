import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { postAdjustment } from "@/lib/adjustments/post";
import { forAccount, runPrepared, transactionFor } from "@/lib/db";
import { blockMissing } from "@/lib/disputes/block";
import { followDisputes } from "@/lib/disputes/follow";
import { lookForDisputes } from "@/lib/disputes/look";
import { chargebackWatch, medWatch, writeReported } from "@/lib/disputes/report";
import { collectEarnings } from "@/lib/earnings/collect";
import { eventsConsumer } from "@/lib/events/consume";
import { newId } from "@/lib/ids";
import { platforms } from "@/lib/ledger/chart";
import { post } from "@/lib/ledger/post";
import { move } from "@/lib/move";
import { finishCall, writeCalls } from "@/lib/outside/calls";
import { askDue } from "@/lib/outside/watch";
import { reconcile } from "@/lib/reconcile/reconcile";
import { refundCall } from "@/lib/refunds/call";
import { refundNoun } from "@/lib/refunds/noun";
import { countEvents } from "@/lib/rollups/count";
import { sendCardNotices } from "@/lib/simulators/cards/notify";
import { sendNotices } from "@/lib/simulators/pix/notify";
import { aDispute, disputed, disputesOf, ended, heard } from "@/lib/testing/disputes";
import { call, fund, type Made, makeAccount } from "@/lib/testing/make";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { openRail } from "@/lib/testing/rail";
import { aCardSale, aPixSale, approve, aSeller, ask, balances, FEE, keyOf, settleNow } from "@/lib/testing/refunds";
import { saleOf } from "@/lib/testing/subscriptions";
import { readTransactionV1 } from "@/lib/transactions/read";

const { consume } = eventsConsumer({ counts: countEvents, earnings: collectEarnings, disputes: followDisputes });

/** reconcile() reads the whole ledger and the loops take all that is due, so these tests have a database of their own. */
let drop: () => Promise<void>;
openRail();
beforeAll(async () => {
  drop = await openOwnDatabase();
});
afterAll(async () => {
  while (await consume());
  expect(await reconcile({ inFlightMs: -1_000 })).toEqual([]);
  await drop();
});

const statusOf = async ({ accountId }: Made, sale: string) => (await saleOf(accountId, sale)).status;
const payee = (recipient: Made, percentage = 30) => [{ user_id: recipient.clientId, percentage }];

/** Takes from what is available, as an adjustment does. */
const drain = ({ accountId }: Made, amount: number) =>
  forAccount([accountId, platforms.sandbox], async (tx) => {
    const owners = { account: accountId, platform: platforms.sandbox };
    const row = { id: newId(), accountId, direction: "debit", amount, reason: "x", createdAt: new Date() } as const;
    await tx.adjustment.create({ data: row });
    await post(tx, { type: "adjustment_debited", sourceId: row.id, owners, amounts: { amount } });
  });

/** Has the loop look at what is short now. */
async function blockNow({ accountId }: Made) {
  await forAccount(accountId, (tx) =>
    tx.dispute.updateMany({ where: { accountId, blockAt: { not: null } }, data: { blockAt: new Date(0) } }),
  );
  while (await blockMissing());
}

describe("a MED of a Pix", () => {
  test("opens, blocks what is disputed, and is lost: the money leaves, and recipients give back their part", async () => {
    const [seller, recipient] = [await aSeller(), await makeAccount()];
    const sale = await aPixSale(seller, payee(recipient));
    await fund(seller.accountId, 5_000);
    const before = await balances(seller);
    const opened = await disputed(seller, sale);
    expect(await statusOf(seller, sale)).toBe("disputed");
    expect(await balances(seller)).toEqual([before[0] - 10_000, 0, 10_000]);
    const [one] = await disputesOf(seller);
    expect(one).toMatchObject({
      status: "open",
      kind: "med",
      reason: "fraud",
      amount: "100.00",
      allowed_actions: ["defend"],
    });

    expect(await ended(seller, sale, opened, "lost")).toBe("over");
    expect(await statusOf(seller, sale)).toBe("refunded");
    expect(await balances(recipient)).toEqual([0, 0, 0]);
    expect(await balances(seller)).toEqual([before[0] - 10_000 + 2_940, 0, 0]);
    expect((await readTransactionV1(seller.accountId, sale)).data.status).toBe("med");
    expect((await disputesOf(seller))[0]).toMatchObject({
      status: "lost",
      lost_amount: "100.00",
      blocked_amount: "0.00",
    });
  });

  test.each(["won", "cancelled"] as const)("that is %s gives back all that it blocked", async (end) => {
    const [seller, recipient] = [await aSeller(), await makeAccount()];
    const sale = await aPixSale(seller, payee(recipient));
    await fund(seller.accountId, 5_000);
    const before = [await balances(seller), await balances(recipient)];
    const opened = await disputed(seller, sale);
    await ended(seller, sale, opened, end);
    expect([await balances(seller), await balances(recipient)]).toEqual(before);
    expect(await statusOf(seller, sale)).toBe("completed");
    const again = await disputed(seller, sale);
    await ended(seller, sale, again, "lost");
    expect(await statusOf(seller, sale), "a sale can be disputed twice").toBe("refunded");
  });

  test("lost in part releases the rest, and the sale goes on with what is left of it", async () => {
    const [seller, recipient] = [await aSeller(), await makeAccount()];
    const sale = await aPixSale(seller, payee(recipient));
    await fund(seller.accountId, 5_000);
    const before = await balances(seller);
    await ended(seller, sale, await disputed(seller, sale), "lost", 4_000);
    expect(await balances(seller)).toEqual([before[0] - 4_000 + 1_176, 0, 0]);
    expect(await balances(recipient)).toEqual([2_940 - 1_176, 0, 0]);
    expect(await saleOf(seller.accountId, sale)).toMatchObject({
      status: "completed",
      refundedAmount: 4_000n,
      lostAmount: 4_000n,
    });
    expect((await ask(seller, sale)).amount, "what is left can be refunded").toBe("60.00");
  });

  test("of which a provider took more than the sale has takes what the sale has", async () => {
    const seller = await aSeller();
    const sale = await aPixSale(seller);
    await fund(seller.accountId, 5_000);
    const before = await balances(seller);
    const opened = await disputed(seller, sale, 6_000);
    await writeReported("pix", "simulator", { ...opened, status: "lost", lostAmount: 12_000 });
    expect(await balances(seller)).toEqual([before[0] - 10_000, 0, 0]);
    expect(await statusOf(seller, sale)).toBe("refunded");
    expect((await disputesOf(seller))[0]).toMatchObject({ amount: "100.00", lost_amount: "100.00" });
  });

  test("blocks only what is there, the rest as credits come, and what never came is taken when it is lost", async () => {
    const seller = await aSeller();
    const sale = await aPixSale(seller);
    await drain(seller, 9_000);
    const opened = await disputed(seller, sale);
    expect(await balances(seller)).toEqual([0, 0, 800]);
    await blockNow(seller);
    expect(await balances(seller), "nothing is invented").toEqual([0, 0, 800]);
    await fund(seller.accountId, 5_000);
    await blockNow(seller);
    expect(await balances(seller)).toEqual([0, 0, 5_800]);
    await ended(seller, sale, opened, "lost");
    expect(await balances(seller)).toEqual([-4_200, 0, 0]);
    await fund(seller.accountId, 6_000);
    await blockNow(seller);
    expect(await balances(seller)).toEqual([1_800, 0, 0]);
  });

  test("that stays short is looked at ever less often, and at once when an event tells of a credit", async () => {
    const seller = await aSeller();
    const { accountId } = seller;
    const sale = await aPixSale(seller);
    await drain(seller, 9_000);
    await disputed(seller, sale);
    const opened = new Date(Date.now() - 30 * 60_000);
    await forAccount(accountId, (tx) => tx.dispute.updateMany({ where: { accountId }, data: { createdAt: opened } }));
    await blockNow(seller);
    const { blockAt } = await forAccount(accountId, (tx) => tx.dispute.findFirstOrThrow({ where: { accountId } }));
    expect(Math.round(((blockAt?.getTime() ?? 0) - Date.now()) / 60_000)).toBe(1);
    await postAdjustment({ accountId, direction: "credit", amount: 5_000, reason: "x" }, call());
    while (await consume());
    while (await blockMissing());
    expect(await balances(seller)).toEqual([0, 0, 5_800]);
  });

  test("stops a refund that its rail was not asked for, and leaves one that is under way", async () => {
    const seller = await aSeller();
    await fund(seller.accountId, 20_000);
    const [sale, other] = [await aPixSale(seller), await aPixSale(seller)];
    const before = await balances(seller);
    await approve(seller, await ask(seller, sale));
    const opened = await disputed(seller, sale);
    expect(await balances(seller)).toEqual([before[0] - 10_000, 0, 10_000]);
    await expect(ask(seller, sale)).rejects.toMatchObject({ code: "refund_sale_disputed" });
    await ended(seller, sale, opened, "won");
    expect(await balances(seller)).toEqual(before);
    expect((await ask(seller, other)).total).toBe(`${(10_000 + FEE) / 100}0`);
  });

  test("that cannot be opened while a refund of all is under way is watched until it can, and is lost by what its provider took", async () => {
    const [seller, recipient] = [await aSeller(), await makeAccount()];
    await fund(seller.accountId, 20_000);
    const sale = await aPixSale(seller, payee(recipient));
    const before = [await balances(seller), await balances(recipient)];
    const [{ id, paymentId }, refund] = [await aDispute(seller, sale), keyOf(seller, await ask(seller, sale))];
    await letGo(seller, refund);
    const reported = { id, paymentId, reason: "fraud", amount: 10_000, status: "open", lostAmount: 0 } as const;
    expect(await writeReported("pix", "simulator", reported)).toBe("open");
    expect(await disputesOf(seller)).toEqual([]);
    const watched = "select ends_at from watches where id = $1";
    expect(await runPrepared("t-watched", watched, [id])).toEqual([{ ends_at: null }]);

    await finishCall(refundCall, refund, { status: "failed", reason: "x" });
    expect(await writeReported("pix", "simulator", { ...reported, amount: 6_000 })).toBe("open");
    expect((await disputesOf(seller))[0]).toMatchObject({ status: "open", amount: "60.00" });
    await writeReported("pix", "simulator", { ...reported, amount: 6_000, status: "lost", lostAmount: 10_000 });
    expect((await disputesOf(seller))[0]).toMatchObject({ amount: "100.00", lost_amount: "100.00" });
    expect(await saleOf(seller.accountId, sale)).toMatchObject({ status: "refunded", refundedAmount: 10_000n });
    expect(await balances(recipient)).toEqual([0, 0, 0]);
    expect(await balances(seller)).toEqual([(before[0]?.[0] ?? 0) - 10_000 + (before[1]?.[0] ?? 0), 0, 0]);
  });

  /** Has a refund be under way: its rail was asked, and has not answered. */
  const letGo = async (seller: Made, refund: ReturnType<typeof keyOf>) => {
    await forAccount(seller.accountId, (tx) => move(tx, refundNoun, "approve", [refund]));
    await forAccount(seller.accountId, (tx) => move(tx, refundNoun, "process", [refund]));
    await transactionFor(seller.accountId, (query) =>
      writeCalls(query, [{ ...refund, kind: refundCall.name, provider: "simulator" }]),
    );
  };

  test("whose callback is lost is found in the list of its provider; a callback wakes at once", async () => {
    const seller = await aSeller();
    await fund(seller.accountId, 20_000);
    const [sale, other] = [await aPixSale(seller), await aCardSale(seller)];
    await aDispute(seller, sale);
    await aDispute(seller, other);
    await lookForDisputes();
    while (await askDue([medWatch, chargebackWatch]));
    expect((await disputesOf(seller)).map(({ kind }) => kind).sort()).toEqual(["chargeback", "med"]);
    const third = await aPixSale(seller);
    const fourth = await aCardSale(seller);
    await aDispute(seller, third);
    await aDispute(seller, fourth);
    while (await sendNotices());
    while (await sendCardNotices());
    while (await askDue([medWatch, chargebackWatch]));
    expect([await statusOf(seller, third), await statusOf(seller, fourth)]).toEqual(["disputed", "disputed"]);
  });

  test("reported twice at once is one dispute, and its end moves the money once", async () => {
    const seller = await aSeller();
    const sale = await aPixSale(seller);
    const opened = await aDispute(seller, sale);
    await Promise.all([1, 2, 3].map(() => heard(seller, sale, opened)));
    expect(await disputesOf(seller)).toHaveLength(1);
    await Promise.all([1, 2, 3].map(() => ended(seller, sale, opened, "won")));
    expect(await balances(seller)).toEqual([9_800, 0, 0]);
  });
});

describe("a chargeback of a card", () => {
  const withFee = async (made: Made) => {
    await forAccount(made.accountId, (tx) =>
      tx.account.update({ where: { id: made.accountId }, data: { chargebackFee: 2_000 } }),
    );
    return made;
  };

  test("of a sale that is not settled takes its own money first, holds what recipients have of it, and costs its fee when it is lost", async () => {
    const [seller, recipient] = [await withFee(await aSeller()), await makeAccount()];
    const sale = await aCardSale(seller, payee(recipient));
    await fund(seller.accountId, 5_000);
    const opened = await disputed(seller, sale);
    expect(await balances(recipient)).toEqual([0, 0, 2_940]);
    expect(await balances(seller)).toEqual([4_800, 0, 7_060]);
    await ended(seller, sale, opened, "lost");
    expect([await balances(seller), await balances(recipient)]).toEqual([
      [2_800, 0, 0],
      [0, 0, 0],
    ]);
    expect(await statusOf(seller, sale)).toBe("chargedback");
  });

  test("that is lost in part leaves the rest of the sale to be settled", async () => {
    const [seller, recipient] = [await aSeller(), await makeAccount()];
    const sale = await aCardSale(seller, payee(recipient));
    await ended(seller, sale, await disputed(seller, sale), "lost", 5_000);
    await settleNow(seller);
    expect([await balances(seller), await balances(recipient)]).toEqual([
      [9_800 - 2_940 - (5_000 - 1_470), 0, 0],
      [1_470, 0, 0],
    ]);
  });

  test("and the settlement of its sale at once leave each cent where it belongs", async () => {
    const seller = await aSeller();
    const sale = await aCardSale(seller);
    const opened = await aDispute(seller, sale, 3_000);
    await Promise.all([settleNow(seller), heard(seller, sale, opened)]);
    await ended(seller, sale, opened, "won");
    await settleNow(seller);
    expect(await balances(seller)).toEqual([9_800, 0, 0]);
  });

  test("and a refund of its sale at once are one of both", async () => {
    const seller = await aSeller();
    await fund(seller.accountId, 1_000);
    const sale = await aCardSale(seller);
    const opened = await aDispute(seller, sale);
    const [refund] = await Promise.allSettled([ask(seller, sale), heard(seller, sale, opened)]);
    if (refund.status === "rejected") expect(refund.reason).toMatchObject({ code: "refund_sale_disputed" });
    expect((await disputesOf(seller)).map(({ amount }) => amount)).toEqual(["100.00"]);
    await ended(seller, sale, opened, "lost");
    expect((await balances(seller))[2]).toBe(0);
  });
});
