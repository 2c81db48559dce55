import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { forAccount } from "@/lib/db";
import { blockMissing } from "@/lib/disputes/block";
import { disputesAt } from "@/lib/disputes/report";
import { collectEarnings } from "@/lib/earnings/collect";
import { eventsConsumer } from "@/lib/events/consume";
import type { CrashPoint } from "@/lib/process/crash-points";
import { reconcile } from "@/lib/reconcile/reconcile";
import { countEvents } from "@/lib/rollups/count";
import { aDispute, disputed, disputesOf, heard } from "@/lib/testing/disputes";
import { fund, type Made, makeAccount } from "@/lib/testing/make";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { crashAt } from "@/lib/testing/program";
import { openRail } from "@/lib/testing/rail";
import { aCardSale, aPixSale, aSeller, balances } from "@/lib/testing/refunds";
import { saleOf } from "@/lib/testing/subscriptions";

/** reconcile() reads the whole ledger and the loops take all that is due, so these tests have a database of their own. */
let drop: () => Promise<void>;
openRail();
beforeAll(async () => {
  drop = await openOwnDatabase();
});
afterAll(async () => {
  const { consume } = eventsConsumer({ counts: countEvents, earnings: collectEarnings });
  while (await consume());
  expect(await reconcile({ inFlightMs: -1_000 })).toEqual([]);
  await drop();
});

/** Run in a process of its own, which crashes at CRASH_AT. */
const HEAR = `import { disputesAt, writeReported } from "@/lib/disputes/report";
  const { method, id } = JSON.parse(process.env.CASE);
  const truth = await disputesAt(method, "simulator").read(id);
  await writeReported(method, "simulator", truth);
  process.exit(0);`;
const BLOCK = `import { blockMissing } from "@/lib/disputes/block";
  await blockMissing();
  process.exit(0);`;

const crash = (point: CrashPoint, source: string, given: object = {}) =>
  crashAt(point, source, { CASE: JSON.stringify(given) });

const end = async (method: "pix" | "card", id: string, status: "won" | "lost", lostAmount?: number) =>
  disputesAt(method, "simulator").end?.({ id, status, ...(lostAmount && { lostAmount }) });

const dueNow = ({ accountId }: Made) =>
  forAccount(accountId, (tx) =>
    tx.dispute.updateMany({ where: { accountId, blockAt: { not: null } }, data: { blockAt: new Date(0) } }),
  );

describe.each(["pix", "card"] as const)("a dispute by %s", (method) => {
  const sold = async () => {
    const [seller, recipient] = [await aSeller(), await makeAccount()];
    const split = [{ user_id: recipient.clientId, percentage: 30 }];
    const sale = method === "pix" ? await aPixSale(seller, split) : await aCardSale(seller, split);
    return { seller, recipient, sale };
  };

  test("whose opening is cut off leaves nothing, and is opened once when it is reported again", async () => {
    const { seller, sale } = await sold();
    const before = await balances(seller);
    const { id } = await aDispute(seller, sale);
    await crash("dispute.opened", HEAR, { method, id });
    expect([await balances(seller), await disputesOf(seller)]).toEqual([before, []]);
    await heard(seller, sale, { id });
    expect((await disputesOf(seller)).map(({ status }) => status)).toEqual(["open"]);
  });

  test("whose block of later credits is cut off blocks them once", async () => {
    const { seller, sale } = await sold();
    await disputed(seller, sale);
    await fund(seller.accountId, 50_000);
    await dueNow(seller);
    await crash("dispute.blocked", BLOCK);
    await dueNow(seller);
    while (await blockMissing());
    const held = method === "pix" ? 0 : 2_940;
    expect((await balances(seller))[2]).toBe(10_000 - held);
  });

  test("whose end is cut off is lost once: the money, the shares and the sale say the same", async () => {
    const { seller, recipient, sale } = await sold();
    const { id } = await disputed(seller, sale);
    const before = [await balances(seller), await balances(recipient)];
    await end(method, id, "lost", 4_000);
    await crash("dispute.ended", HEAR, { method, id });
    expect([await balances(seller), await balances(recipient)]).toEqual(before);
    await heard(seller, sale, { id });
    await heard(seller, sale, { id });
    expect(await saleOf(seller.accountId, sale)).toMatchObject({ status: "completed", lostAmount: 4_000n });
    expect((await disputesOf(seller))[0]).toMatchObject({ status: "lost", lost_amount: "40.00" });
    expect((await balances(seller))[2]).toBe(0);
  });
});
