import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { asSystem, forAccount, type Query, transactionOverAll } from "@/lib/db";
import { checks } from "@/lib/earnings/checks";
import { collectEarnings } from "@/lib/earnings/collect";
import { exportEarnings, listEarnings, listTotals } from "@/lib/earnings/read";
import { EarningQuery } from "@/lib/earnings/schema";
import { eventsConsumer, type Happened } from "@/lib/events/consume";
import { newAlphanumeric, newId } from "@/lib/ids";
import { PageQuery } from "@/lib/lists/pagination";
import { sharesOf } from "@/lib/money";
import { createPlan } from "@/lib/plans/create";
import { PlanInput } from "@/lib/plans/schema";
import { completionOf } from "@/lib/splits/postings";
import { call, type Made, makeAccount } from "@/lib/testing/make";
import { connected, openOwnDatabase, ownerUrl } from "@/lib/testing/own-database";
import { thisMonth } from "@/lib/time/calendar";
import { insertSales } from "@/lib/transactions/insert";
import { moveSalesNow } from "@/lib/transactions/move";

let drop: () => Promise<void>;
let seller: Made;
let guests: Made[];
let plan: string;
beforeAll(async () => {
  drop = await openOwnDatabase();
  seller = await makeAccount();
  guests = [await makeAccount(), await makeAccount()];
  const input = PlanInput.parse({ name: "Mensal", amount: 100, billing_method: "qr_code" });
  plan = (await createPlan(seller.account, input, call())).data.token;
});
afterAll(() => drop());

const { consume } = eventsConsumer({ earnings: collectEarnings });
const consumeAll = async () => {
  while (await consume());
};

/** Sells 100 reais, shared by these basis points with the guests in their order. */
async function sell(points: readonly number[], { isOfPlan = true, paidAt = new Date(), isPaid = true } = {}) {
  const net = 10_000;
  const amounts = sharesOf(net, points);
  const planId = isOfPlan ? plan : null;
  const shares = points.map((basisPoints, at) => {
    const { accountId: recipientId, account } = guests[at] as Made;
    return { id: newId(), recipientId, name: account.name, basisPoints, amount: amounts[at] ?? 0, planId };
  });
  const { accountId } = seller;
  const known = { accountId, id: newId(), method: "pix" as const, createdAt: new Date(), planId };
  const sale = { ...known, amount: net, fee: 0, net, shares, txid: newAlphanumeric(25), pixCode: "000201" };
  const [written] = await forAccount(accountId, (tx) => insertSales(tx, [sale]));
  if (!written || !isPaid) return sale.id;
  const posts = completionOf({ ...written, mode: "sandbox" }, shares);
  const payer = { name: "Ana", document: null, ispb: null };
  await moveSalesNow("pay", [{ accountId, id: sale.id, paidAt, endToEndId: `E${newAlphanumeric(31)}`, payer, posts }]);
  return sale.id;
}

const earned = async (guest: Made, query: object = {}) =>
  (await listEarnings(guest.account, EarningQuery.parse({ per_page: 100, ...query }))).data;
const totals = async (guest: Made) => (await listTotals(guest.account, PageQuery.parse({ per_page: 100 }))).data;
const sum = (amounts: readonly { amount: string }[]) =>
  amounts.reduce((cents, { amount }) => cents + Number(amount.replace(".", "")), 0);

test("a recipient sees what each paid sale gave it, with plan, seller and month, and nothing of an unpaid one", async () => {
  const [ana, bia] = guests as [Made, Made];
  await sell([1_250, 3_000], { paidAt: new Date("2026-02-01T02:59:59Z") }); // still January in Brasília
  await sell([1_000], { paidAt: new Date("2026-02-01T03:00:00Z"), isOfPlan: false });
  await sell([5_000], { isPaid: false });
  await consumeAll();
  const from = { seller: { name: seller.account.name, email: seller.email } };
  const ofPlan = { ...from, plan: { token: plan, name: "Mensal", product: null } };
  const direct = { ...from, plan: null };
  expect(await totals(ana)).toEqual([
    { month: "2026-02", sales: 1, amount: "10.00", returned: "0.00", left: "10.00", ...direct },
    { month: "2026-01", sales: 1, amount: "12.50", returned: "0.00", left: "12.50", ...ofPlan },
  ]);
  expect(await earned(ana, { month: "2026-01" })).toEqual([
    {
      ...{ id: expect.any(String), amount: "12.50", percentage: "12.50", method: "pix", cause: "plan" },
      ...{ paid_at: "2026-02-01T02:59:59.000000Z", returned: "0.00", left: "12.50", ...ofPlan },
    },
  ]);
  expect(await earned(ana, { month: "2026-02" }), "its first instant is its own").toHaveLength(1);
  expect(await earned(ana)).toHaveLength(2);
  expect(await earned(ana, { plan })).toHaveLength(1);
  expect(sum(await earned(bia))).toBe(3_000);
  expect(await earned(seller)).toEqual([]);
});

test("the totals' meta has all of the current month, on every page, and nothing of another month", async () => {
  const [ana] = guests as [Made];
  const read = (page: number) => listTotals(ana.account, PageQuery.parse({ page, per_page: 1 }));
  const before = (await read(1)).meta.this_month;
  await sell([1_000]);
  await sell([2_000], { isOfPlan: false });
  await sell([4_000], { paidAt: new Date("2025-12-31T12:00:00Z") });
  await consumeAll();
  for (const page of [1, 2]) {
    const { this_month: now } = (await read(page)).meta;
    expect(now.month).toBe(thisMonth());
    expect(now.sales - before.sales).toBe(2);
    expect(sum([now]) - sum([before])).toBe(3_000);
  }
});

test("a page is continued by its cursor, whenever its sales were paid", async () => {
  const [ana] = guests as [Made];
  const same = new Date("2026-03-05T12:00:00Z");
  for (let n = 0; n < 5; n += 1) await sell([100], { paidAt: same });
  await consumeAll();
  const whole = (await earned(ana)).map(({ id }) => id);
  const paged: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await listEarnings(ana.account, EarningQuery.parse({ per_page: 2, ...(cursor && { cursor }) }));
    paged.push(...page.data.map(({ id }) => id));
    cursor = page.meta.next_cursor;
  }
  expect(paged).toEqual(whole);
});

test("an event that is consumed twice gives its shares once", async () => {
  const [ana] = guests as [Made];
  const before = sum(await earned(ana));
  const id = await sell([1_000]);
  const twice = await forAccount(seller.accountId, (tx) => tx.event.findMany({ where: { subjectId: id } }));
  await consumeAll();
  await transactionOverAll((query: Query) => collectEarnings(query, twice as Happened[], () => {}));
  expect(sum(await earned(ana)) - before).toBe(1_000);
  expect(sum(await totals(ana))).toBe(sum(await earned(ana)));
});

test("the export has every earning of the list in its order, however many reads it takes", async () => {
  const [ana] = guests as [Made];
  const rows: string[] = [];
  for await (const batch of exportEarnings(ana.account, {})) rows.push(...batch.map(([id]) => String(id)));
  expect(rows).toEqual((await earned(ana)).map(({ id }) => id));
  const many = await makeAccount();
  const row = { accountId: many.accountId, sellerId: seller.accountId, transactionId: newId(), method: "pix" } as const;
  const data = Array.from({ length: 2_500 }, () => ({
    ...row,
    id: newId(),
    basisPoints: 1,
    amount: 1,
    paidAt: new Date(0),
  }));
  await forAccount(many.accountId, (tx) => tx.earning.createMany({ data }));
  const seen = new Set<unknown>();
  for await (const batch of exportEarnings(many.account, {})) for (const [id] of batch) seen.add(id);
  expect(seen.size).toBe(2_500);
  await forAccount(many.accountId, (tx) => tx.earning.deleteMany()); // no sale gave them
});

const anySale = fc.record({
  points: fc.array(fc.integer({ min: 1, max: 4_999 }), { maxLength: 2 }),
  isOfPlan: fc.boolean(),
  isPaid: fc.boolean(),
  paidAt: fc.date({ min: new Date("2026-01-01"), max: new Date("2026-12-31"), noInvalidDate: true }),
});

test("for any sales earnings, their totals and the ledger are the same to the cent, and reconcile finds nothing", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anySale, { maxLength: 6 }), async (sales) => {
      for (const { points, ...how } of sales) await sell(points, how);
      await Promise.all([consumeAll(), consumeAll()]);
    }),
    { numRuns: 8 },
  );
  await consumeAll();
  for (const guest of guests) {
    const all = await earned(guest);
    expect(sum(await totals(guest))).toBe(sum(all));
    const entries = await forAccount(guest.accountId, (tx) =>
      tx.ledgerEntry.findMany({ where: { type: "split_paid" } }),
    );
    expect(sum(all)).toBe(Number(entries.reduce((cents, { amount }) => cents + amount, 0n)));
  }
  for (const check of Object.values(checks)) {
    expect(await asSystem((tx) => tx.$queryRawUnsafe(check as string))).toEqual([]);
  }
});

test("reconcile finds a total whose amount alone, or whose number alone, is not that of its earnings", async () => {
  await sell([1_000]);
  await consumeAll();
  const { accountId } = guests[0] as Made;
  const faults = () => asSystem((tx) => tx.$queryRawUnsafe<object[]>(checks.earning_total_differs as string));
  expect(await faults()).toEqual([]);
  for (const column of ["amount", "number"]) {
    const add = (by: number) =>
      connected(ownerUrl(), (owner) =>
        owner.query(`update earning_totals set ${column} = ${column} + ${by} where account_id = $1`, [accountId]),
      );
    await add(1);
    expect(await faults(), column).not.toEqual([]);
    await add(-1);
  }
  expect(await faults()).toEqual([]);
});
