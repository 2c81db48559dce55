import { afterAll, beforeAll, expect, test } from "vitest";
import { postAdjustment } from "@/lib/adjustments/post";
import { forAccount } from "@/lib/db";
import { newId } from "@/lib/ids";
import { platforms } from "@/lib/ledger/chart";
import { type Fact, post } from "@/lib/ledger/post";
import { readRevenue } from "@/lib/revenue/read";
import { call, makeAccount } from "@/lib/testing/make";
import { connected, openOwnDatabase, ownerUrl } from "@/lib/testing/own-database";
import { lastDays } from "@/lib/time/calendar";
import { realNow } from "@/lib/time/clock";

/** What is earned is read over the whole database. */
let drop: () => Promise<void>;
beforeAll(async () => {
  drop = await openOwnDatabase();
});
afterAll(() => drop());

const asOwner = (text: string) => connected(ownerUrl(), (client) => client.query(text));

test("what the platform earned is told by day, account and method, of live accounts alone, with what it gave back", async () => {
  const [one, two, sandbox] = [
    await makeAccount({ mode: "live" }),
    await makeAccount({ mode: "live" }),
    await makeAccount(),
  ];
  const [before, yesterday, today] = lastDays(realNow(), 3) as [string, string, string];
  const counted = (account: string, day: string, method: string, gross: number, net: number, basis = "paid") =>
    `('${account}', '${basis}', '${day}', '${method}', 'completed', 1, ${gross}, ${net})`;
  await asOwner(`insert into rollups (account_id, basis, day, method, status, number, gross, net) values
    ${[
      counted(one.accountId, before, "pix", 10_000, 9_000),
      counted(one.accountId, yesterday, "pix", 10_000, 9_801),
      counted(one.accountId, today, "card", 20_000, 19_000),
      counted(one.accountId, today, "card", 20_000, 1, "created"),
      counted(one.accountId, "-infinity", "pix", 90_000, 1),
      counted(two.accountId, today, "pix", 500, 490),
      counted(sandbox.accountId, today, "pix", 10_000, 1),
    ].join(", ")}`);
  await postAdjustment({ accountId: one.accountId, direction: "credit", amount: 300, reason: "Taxa errada." }, call());
  const sandboxes = { accountId: sandbox.accountId, direction: "credit", amount: 700, reason: "Taxa errada." } as const;
  await postAdjustment(sandboxes, call());
  expect(await readRevenue({ from: yesterday, to: today })).toEqual({
    ...{ from: yesterday, to: today },
    total: { sales: { card: "10.00", pix: "2.09" }, others: "-3.00", total: "9.09" },
    kinds: [{ type: "adjustment_credited", amount: "-3.00" }],
    months: expect.any(Array),
    days: [
      { day: today, sales: { card: "10.00", pix: "0.10" }, others: "-3.00", total: "7.10" },
      { day: yesterday, sales: { pix: "1.99" }, others: "0.00", total: "1.99" },
    ],
    accounts: [
      {
        ...{ id: one.accountId, name: one.account.name },
        ...{ sales: { card: "10.00", pix: "1.99" }, others: "-3.00", total: "8.99" },
      },
      { id: two.accountId, name: two.account.name, sales: { pix: "0.10" }, others: "0.00", total: "0.10" },
    ],
  });
  expect(await readRevenue({})).toMatchObject({ to: today, total: { total: "19.09" } });
  await expect(readRevenue({ from: today, to: yesterday })).rejects.toMatchObject({ code: "validation_failed" });
});

test("every posting to the platform's fees is told by its kind and month, and the fee of a matched sale once", async () => {
  const { accountId: account } = await makeAccount({ mode: "live" });
  const [platform, month] = [platforms.live, lastDays(realNow(), 1)[0]?.slice(0, 7)];
  const owners = { account, platform, rail: null };
  const facts: Fact[] = [
    { type: "withdrawal_requested", sourceId: newId(), owners: { account }, amounts: { total: 1_000 } },
    { type: "withdrawal_paid", sourceId: newId(), owners, amounts: { amount: 900, fee: 100 } },
    { type: "withdrawal_paid_late", sourceId: newId(), owners, amounts: { amount: 900, fee: 11 } },
    { type: "chargeback_fee", sourceId: newId(), owners, amounts: { fee: 1_500 } },
    { type: "unmatched_matched", sourceId: newId(), owners, amounts: { net: 98, fee: 2 } },
  ];
  const before = await readRevenue({});
  await forAccount([account, platform], (tx) => post(tx, ...facts));
  const { kinds, months, total } = await readRevenue({});
  const kindsOf = (of: typeof kinds) => Object.fromEntries(of.map(({ type, amount }) => [type, amount]));
  expect(kindsOf(kinds)).toEqual({
    ...kindsOf(before.kinds),
    ...{ withdrawal_paid: "1.00", withdrawal_paid_late: "0.11", chargeback_fee: "15.00" },
  });
  expect(Number(total.others) - Number(before.total.others)).toBeCloseTo(16.11);
  expect(months.at(0)).toMatchObject({ month });
  expect(months.reduce((sum, one) => sum + Number(one.total), 0)).toBeCloseTo(Number(total.total));
});
