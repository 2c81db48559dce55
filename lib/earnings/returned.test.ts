import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { asSystem, forAccount, type Query, transactionOverAll } from "@/lib/db";
import { checks } from "@/lib/earnings/checks";
import { collectEarnings } from "@/lib/earnings/collect";
import { exportEarnings, listEarnings, listTotals, readThisMonth } from "@/lib/earnings/read";
import { EarningQuery } from "@/lib/earnings/schema";
import { eventsConsumer, type Happened } from "@/lib/events/consume";
import { PageQuery } from "@/lib/lists/pagination";
import { fund, type Made, makeAccount } from "@/lib/testing/make";
import { connected, openOwnDatabase, ownerUrl } from "@/lib/testing/own-database";
import { ask, completeRefund, soldBy } from "@/lib/testing/refunds";
import { DAY_MS, monthOf } from "@/lib/time/calendar";

let drop: () => Promise<void>;
let seller: Made;
beforeAll(async () => {
  drop = await openOwnDatabase();
  seller = await makeAccount();
  await fund(seller.accountId, 100_000_000);
});
afterAll(async () => {
  await consumeAll();
  for (const [fault, check] of Object.entries(checks)) expect(await faultsOf(check as string), fault).toEqual([]);
  await drop();
});

const { consume } = eventsConsumer({ earnings: collectEarnings });
const consumeAll = async () => {
  while (await consume());
};
const faultsOf = (check: string) =>
  asSystem((tx) => tx.$queryRawUnsafe<{ id: string | null; detail: string }[]>(check));

type Guest = { made: Made; share: number };
const PAID_AT = new Date(Date.now() - 80 * DAY_MS);

/** A paid sale of so many cents, of which new recipients have these. */
async function sell(amount: number, shares: readonly number[], paidAt = new Date()) {
  const guests: Guest[] = [];
  for (const share of shares) guests.push({ made: await makeAccount(), share });
  return { id: await soldBy(seller, { amount, shares: guests, paidAt }), guests };
}

const giveBack = async (id: string, amount?: string) =>
  completeRefund(seller, await ask(seller, id, amount === undefined ? {} : { amount }));

/** The events of a sale and of its refunds. */
const eventsOf = (id: string) =>
  forAccount(seller.accountId, async (tx) => {
    const refunds = await tx.refund.findMany({ where: { accountId: seller.accountId, transactionId: id } });
    const subjectId = { in: [id, ...refunds.map((refund) => refund.id)] };
    return (await tx.event.findMany({ where: { accountId: seller.accountId, subjectId } })) as Happened[];
  });

const collect = (events: readonly Happened[], leave: (left: readonly Happened[]) => void = () => {}) =>
  transactionOverAll((query: Query) => collectEarnings(query, events, leave));

const read = async ({ account }: Made) => {
  const { data: earnings } = await listEarnings(account, EarningQuery.parse({}));
  const { data: totals } = await listTotals(account, PageQuery.parse({}));
  const amounts = ({ amount, returned, left }: (typeof earnings | typeof totals)[number]) => [amount, returned, left];
  return { earnings: earnings.map(amounts), totals: totals.map(amounts) };
};

test("a recipient sees what went back of each sale and what is left, in the month of the sale, the file and the month's figure too", async () => {
  const { id, guests } = await sell(10_000, [3_000], PAID_AT);
  const { made } = guests[0] as Guest;
  await consumeAll();
  expect(await read(made)).toEqual({
    earnings: [["30.00", "0.00", "30.00"]],
    totals: [["30.00", "0.00", "30.00"]],
  });
  await giveBack(id, "33.33");
  await consumeAll();
  expect(await read(made)).toEqual({
    earnings: [["30.00", "10.00", "20.00"]],
    totals: [["30.00", "10.00", "20.00"]],
  });
  expect((await listTotals(made.account, PageQuery.parse({}))).data[0]?.month).toBe(monthOf(PAID_AT));
  const rows: unknown[] = [];
  for await (const batch of exportEarnings(made.account, {})) rows.push(...batch.map((row) => row.slice(-3)));
  expect(rows).toEqual([[{ decimal: "30.00" }, { decimal: "10.00" }, { decimal: "20.00" }]]);
  expect(await readThisMonth(made.account)).toMatchObject({ sales: 0, amount: "0.00", returned: "0.00", left: "0.00" });
  await giveBack(id);
  await consumeAll();
  expect(await read(made)).toEqual({
    earnings: [["30.00", "30.00", "0.00"]],
    totals: [["30.00", "30.00", "0.00"]],
  });
});

test("a refund that is asked for, or that ends otherwise, gives back nothing", async () => {
  const { id, guests } = await sell(10_000, [3_000]);
  await ask(seller, id);
  await consumeAll();
  expect((await read((guests[0] as Guest).made)).earnings).toEqual([["30.00", "0.00", "30.00"]]);
});

const reais = (cents: number) => (cents / 100).toFixed(2);
const anySteps = fc.array(
  fc.oneof(
    fc.record({ refund: fc.integer({ min: 1, max: 60 }) }),
    fc.record({ collect: fc.array(fc.nat(), { minLength: 1 }) }),
  ),
  { minLength: 1, maxLength: 8 },
);

test("in whatever order and how often events are collected, as much went back as refunds took, in earnings and totals", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 100, max: 50_000 }),
      fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 2 }),
      anySteps,
      async (gross, parts, steps) => {
        const { id, guests } = await sell(
          gross,
          parts.map((part) => Math.ceil((gross * part) / 100)),
        );
        let refunded = 0;
        for (const step of steps) {
          if ("refund" in step) {
            const amount = Math.min(Math.ceil((gross * step.refund) / 100), gross - refunded);
            if (amount > 0) await giveBack(id, reais(amount));
            refunded += amount;
          } else {
            const events = await eventsOf(id);
            await collect(step.collect.map((nth) => events[nth % events.length] as Happened));
          }
        }
        await consumeAll();
        for (const { made, share } of guests) {
          const taken = await forAccount(seller.accountId, (tx) =>
            tx.refundShare.aggregate({ where: { recipientId: made.accountId }, _sum: { amount: true } }),
          );
          const back = Number(taken._sum.amount ?? 0);
          const known = [[reais(share), reais(back), reais(share - back)]];
          expect(await read(made)).toEqual({ earnings: known, totals: known });
          if (refunded === gross) expect(back).toBe(share);
        }
      },
    ),
    { numRuns: 8 },
  );
});

test.each([
  ["before its sale's payment", [["refund"], ["transaction"]]],
  ["after it", [["transaction"], ["refund"]]],
  ["together with it", [["refund", "transaction"]]],
])("a refund that is collected %s gives back the same", async (_, batches) => {
  const { id, guests } = await sell(10_000, [3_000]);
  await giveBack(id, "50.00");
  const events = await eventsOf(id);
  for (const subjects of batches) {
    await collect(subjects.flatMap((subject) => events.filter((event) => event.subject === subject)));
  }
  const known = [["30.00", "15.00", "15.00"]];
  expect(await read((guests[0] as Guest).made)).toEqual({ earnings: known, totals: known });
});

test("what was read before another refund was done takes nothing of it back", async () => {
  const { id, guests } = await sell(10_000, [3_000]);
  const { made } = guests[0] as Guest;
  await consumeAll();
  await giveBack(id, "20.00");
  const first = await eventsOf(id);
  let late: Promise<unknown> = Promise.resolve();
  await transactionOverAll(async (query: Query) => {
    await query("", "select from earnings where account_id = $1::uuid for update", [made.accountId]);
    late = collect(first);
    await expect.poll(waiting).toBe(1);
    await giveBack(id, "30.00");
    await collectEarnings(query, await eventsOf(id), () => {});
  });
  await late;
  const known = [["30.00", "15.00", "15.00"]];
  expect(await read(made)).toEqual({ earnings: known, totals: known });
});

test("what a refund finds written only after it began, it leaves, and gives back when it comes again", async () => {
  const { id, guests } = await sell(10_000, [3_000]);
  const { made } = guests[0] as Guest;
  await giveBack(id, "50.00");
  const events = await eventsOf(id);
  const refunds = events.filter(({ subject }) => subject === "refund");
  const left: Happened[] = [];
  let second: Promise<unknown> = Promise.resolve();
  await transactionOverAll(async (query: Query) => {
    await collectEarnings(
      query,
      events.filter(({ subject }) => subject === "transaction"),
      () => {},
    );
    second = collect(refunds, (some) => left.push(...some));
    await expect.poll(waiting).toBe(1);
  });
  await second;
  expect(left.map(({ subject, data }) => [subject, data])).toEqual([
    ["refund", { status: "completed", previous_status: "processing" }],
  ]);
  expect((await read(made)).earnings).toEqual([["30.00", "0.00", "30.00"]]);
  await collect(left);
  const known = [["30.00", "15.00", "15.00"]];
  expect(await read(made)).toEqual({ earnings: known, totals: known });
});

/** How many statements wait for an earning that another transaction has written. */
const waiting = () =>
  connected(ownerUrl(), async (owner) => {
    const text = "select from pg_stat_activity where wait_event_type = 'Lock' and query like '%is_refunded boolean%'";
    return (await owner.query(text)).rowCount;
  });

test("two refunds of a sale that are collected at once give back both, in earnings and totals", async () => {
  const { id, guests } = await sell(100_000, [30_000]);
  await consumeAll();
  for (let nth = 0; nth < 6; nth += 1) {
    await giveBack(id, "10.00");
    const events = (await eventsOf(id)).filter(({ subject }) => subject === "refund");
    await Promise.all(events.map((event) => collect([event])));
  }
  const known = [["300.00", "18.00", "282.00"]];
  expect(await read((guests[0] as Guest).made)).toEqual({ earnings: known, totals: known });
});

test("reconcile finds an earning of another amount, of another returned amount, and totals that differ from them in anything", async () => {
  const { id, guests } = await sell(10_000, [3_000], PAID_AT);
  const { accountId } = (guests[0] as Guest).made;
  await giveBack(id, "50.00");
  await consumeAll();
  const change = (table: string, set: string) =>
    connected(ownerUrl(), (owner) => owner.query(`update ${table} set ${set} where account_id = $1`, [accountId]));
  const faults = async () => {
    const found = [];
    for (const [fault, check] of Object.entries(checks)) {
      for (const { detail } of await faultsOf(check as string)) found.push([fault, detail]);
    }
    return found;
  };
  expect(await faults()).toEqual([]);
  const plan = "plan 00000000-0000-0000-0000-000000000000";
  const total = (number: number, amount: number, returned: number) => [
    "earning_total_differs",
    `${plan}: ${number} earnings of ${amount} cents too many, ${returned} given back`,
  ];
  const planted: [table: string, set: string, undo: string, found: unknown[]][] = [
    [
      ...(["earnings", "amount = 2999", "amount = 3000"] as const),
      [["earning_differs", "earned 2999, share 3000"], total(0, 1, 0)],
    ],
    [
      ...(["earnings", "returned_amount = 1499", "returned_amount = 1500"] as const),
      [["returned_earning_differs", "gave back 1499, refunds took 1500"], total(0, 0, 1)],
    ],
    ["earning_totals", "number = 2", "number = 1", [total(1, 0, 0)]],
    ["earning_totals", "amount = 2999", "amount = 3000", [total(0, -1, 0)]],
    ["earning_totals", "returned_amount = 0", "returned_amount = 1500", [total(0, 0, -1500)]],
    [
      ...(["earning_totals", "month = '2020-01-01'", `month = '${monthOf(PAID_AT)}-01'`] as const),
      expect.arrayContaining([total(1, 3_000, 1_500), total(-1, -3_000, -1_500)]),
    ],
  ];
  for (const [table, set, undo, found] of planted) {
    await change(table, set);
    expect(await faults(), set).toEqual(found);
    await change(table, undo);
  }
  expect(await faults()).toEqual([]);
});
