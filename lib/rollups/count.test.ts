import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { asSystem, forAccount, type Query, transactionOverAll } from "@/lib/db";
import type { Happened } from "@/lib/events/consume";
import { newId } from "@/lib/ids";
import { checks } from "@/lib/rollups/checks";
import { countEvents } from "@/lib/rollups/count";
import { countByDay, countByStatus } from "@/lib/rollups/read";
import { rebuildAccounts } from "@/lib/rollups/rebuild";
import { type Made, makeAccount } from "@/lib/testing/make";
import { localTime } from "@/lib/time/calendar";
import { insertSales } from "@/lib/transactions/insert";
import { moveSales, writePixCodes } from "@/lib/transactions/move";
import type { Sale } from "@/lib/transactions/sale";
import { paid, type SaleTransition, transitions } from "@/lib/transactions/states";

const METHODS = ["pix", "card"] as const;
const DAY_MS = 86_400_000;

/** Takes some events of one account from the outbox and counts them, as the consumer of all events does. */
const count = ({ accountId }: Made, limit = 1_000, also: () => void = () => {}) =>
  transactionOverAll(async (query: Query) => {
    const events = await query<Happened>(
      `take_${limit}`,
      `with gone as (
        delete from outbox o using (
          select account_id, event_id from outbox where account_id = $1::uuid limit ${limit} for update skip locked
        ) t where o.account_id = t.account_id and o.event_id = t.event_id returning o.account_id, o.event_id
      )
      select e.account_id as "accountId", e.id, e.subject from gone g
      join events e on e.account_id = g.account_id and e.id = g.event_id`,
      [accountId],
    );
    await countEvents(query, events, () => {});
    also();
    return events.length;
  });

/** The faults that reconcile finds in an account's counts. */
const faultsOf = ({ accountId }: Made) =>
  asSystem((tx) =>
    tx.$queryRawUnsafe(`select * from (${checks.count_differs}) f where account_id = $1::text`, accountId),
  );

const keptBy = async ({ accountId }: Made) => Number(await forAccount(accountId, (tx) => tx.rollup.count()));

async function sell({ accountId }: Made, given: { method?: "pix" | "card"; createdAt?: Date; amount?: number } = {}) {
  const { method = "pix", createdAt = new Date(), amount = 100 } = given;
  const sale = { accountId, id: newId(createdAt), method, amount, fee: 1, net: amount - 1, createdAt, shares: [] };
  const [made] = await forAccount(accountId, (tx) => insertSales(tx, [sale]));
  return made as Sale;
}

const move = ({ accountId }: Made, name: SaleTransition, { id }: Pick<Sale, "id">, paidAt = new Date()) =>
  forAccount(accountId, (tx) => {
    const one = { accountId, id, paidAt, reason: "x", refunded: 0 };
    return moveSales(tx, name, [one]);
  });

/** The counts that the rows themselves give, by the same names as `countByStatus` and `countByDay`. */
function model(sales: Sale[], basis: "created" | "paid", methods: readonly string[], from = "", to = "9") {
  const counted = sales
    .filter(({ status, method }) => methods.includes(method) && (basis === "created" || paid.includes(status)))
    .map((sale) => ({
      ...sale,
      day: localTime((basis === "paid" ? sale.paidAt : sale.createdAt) as Date).slice(0, 10),
    }))
    .filter(({ day }) => from <= day && day <= to);
  const by = (group: "status" | "day") =>
    [...new Set(counted.map((sale) => sale[group]))].map((name) => {
      const mine = counted.filter((sale) => sale[group] === name);
      const sum = (column: "amount" | "net") => mine.reduce((total, sale) => total + sale[column], 0n);
      return { [group]: name, number: mine.length, gross: sum("amount"), net: sum("net") };
    });
  return { statuses: by("status"), days: by("day") };
}

/** Whether what is read, of every basis and method and of the days, is what the rows give. */
const expectCounts = ({ accountId }: Made, days: { from?: string; to?: string }) =>
  forAccount(accountId, async (tx) => {
    const sales = await tx.transaction.findMany();
    for (const basis of ["created", "paid"] as const) {
      for (const methods of [METHODS, ["card"]] as const) {
        const which = { accountId, basis, methods: [...methods], ...days };
        const read = { statuses: await countByStatus(tx, which), days: await countByDay(tx, which) };
        const expected = model(sales, basis, methods, days.from, days.to);
        expect(new Set(read.statuses)).toEqual(new Set(expected.statuses));
        expect(new Set(read.days)).toEqual(new Set(expected.days));
        expect(read.days.map(({ day }) => day)).toEqual(read.days.map(({ day }) => day).toSorted());
      }
    }
  });

const names = Object.keys(transitions) as SaleTransition[];
const START = Date.UTC(2026, 2, 1, 2); // 23:00 of the day before in São Paulo
const anyInstant = fc.integer({ min: 0, max: 5 * 24 }).map((hours) => new Date(START + hours * 3_600_000));
const anyStep = fc.oneof(
  fc.record({ make: fc.constantFrom(...METHODS), at: anyInstant, amount: fc.integer({ min: 2, max: 10_000_000 }) }),
  fc.record({ move: fc.constantFrom(...names), nth: fc.nat(7), at: anyInstant }),
  fc.record({ count: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ code: fc.nat(7) }),
);

test("a sale whose event the counts were left with counts like any other, and no rebuild counts it twice", async () => {
  const seller = await makeAccount();
  await sell(seller);
  await count(seller);
  await sell(seller, { amount: 700 });
  const leave = `with gone as (delete from outbox where account_id = $1::uuid returning account_id, event_id)
    insert into outbox_of_consumers (consumer, account_id, event_id) select $2, account_id, event_id from gone`;
  await asSystem((tx) => tx.$executeRawUnsafe(leave, seller.accountId, "counts"));
  await expectCounts(seller, {});
  await rebuildAccounts([seller.accountId]);
  await expectCounts(seller, {});
  expect(await faultsOf(seller)).toEqual([]);
  await asSystem(
    (tx) =>
      tx.$executeRaw`update outbox_of_consumers set consumer = 'receipts' where account_id = ${seller.accountId}::uuid`,
  );
  expect(await faultsOf(seller), "what waits for another is missing here").not.toEqual([]);
  await asSystem((tx) => tx.$executeRaw`delete from outbox_of_consumers where account_id = ${seller.accountId}::uuid`);
  await rebuildAccounts([seller.accountId]);
});

test("in whatever order sales are made, moved and counted, the counts are those of the rows at every moment", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 5, maxLength: 25 }), anyInstant, async (steps, from) => {
      const seller = await makeAccount();
      const sales: Sale[] = [];
      for (const step of steps) {
        if ("make" in step)
          sales.push(await sell(seller, { method: step.make, createdAt: step.at, amount: step.amount }));
        if ("count" in step) await count(seller, step.count);
        const sale = sales.at("nth" in step ? step.nth % sales.length : "code" in step ? step.code % sales.length : 0);
        if ("move" in step && sale) await move(seller, step.move, sale, step.at);
        if ("code" in step && sale) {
          await forAccount(seller.accountId, (tx) => writePixCodes(tx, [{ ...sale, pixCode: "x" }]));
        }
      }
      expect(await faultsOf(seller)).toEqual([]);
      const day = localTime(from).slice(0, 10);
      await expectCounts(seller, {});
      await expectCounts(seller, { from: day });
      await expectCounts(seller, { from: "2026-03-01", to: day });
      while ((await count(seller)) > 0);
      expect(await faultsOf(seller)).toEqual([]);
      await expectCounts(seller, { to: day });
      await withdraw(seller);
    }),
    { numRuns: 8 },
  );
});

/** Undoes payments that nothing posted, which no transition does; such a sale must not stay paid. */
async function withdraw({ accountId }: Made) {
  const unposted = { where: { status: { in: [...paid] } }, data: { status: "failed" as const } };
  await forAccount(accountId, (tx) => tx.transaction.updateMany(unposted));
  await rebuildAccounts([accountId]);
}

test("as many sales that come as go still change the sums", async () => {
  const seller = await makeAccount();
  const first = await sell(seller, { amount: 100 });
  await count(seller);
  await move(seller, "expire", first);
  await sell(seller, { amount: 700 });
  await count(seller);
  expect(await faultsOf(seller)).toEqual([]);
  await expectCounts(seller, {});
});

test("events of one account that many count at once are each counted once, and nobody waits for ever", async () => {
  const sellers = await Promise.all([makeAccount(), makeAccount()]);
  for (const seller of sellers) {
    for (let at = 0; at < 12; at++) {
      const sale = await sell(seller, {
        method: METHODS[at % 2] ?? "pix",
        createdAt: new Date(Date.now() - (at % 4) * DAY_MS),
      });
      if (at % 3 === 0) await move(seller, "fail", sale);
    }
  }
  const counted = await Promise.all(Array.from({ length: 12 }, (_, at) => count(sellers[at % 2] as Made, 3)));
  expect(counted.reduce((sum, one) => sum + one, 0)).toBeGreaterThan(20);
  for (const seller of sellers) {
    expect(await faultsOf(seller)).toEqual([]);
    await count(seller);
    expect(await faultsOf(seller)).toEqual([]);
  }
});

test("counting that ends before its commit leaves every event to the next, which counts it once", async () => {
  const seller = await makeAccount();
  await sell(seller);
  const crash = () => {
    throw new Error("crashed");
  };
  await expect(count(seller, 10, crash)).rejects.toThrow("crashed");
  expect(await keptBy(seller)).toBe(0);
  await expectCounts(seller, {});
  expect([await count(seller), await count(seller)]).toEqual([1, 0]);
  await expectCounts(seller, {});
});

describe("a rebuild", () => {
  test("while sales are written and counted is exact", async () => {
    const seller = await makeAccount();
    let isWriting = true;
    const write = async () => {
      for (let at = 0; at < 25; at++) {
        const sale = await sell(seller);
        if (at % 2) await move(seller, "expire", sale);
      }
    };
    const repeat = async (work: () => Promise<unknown>) => {
      while (isWriting) await work();
    };
    const rebuilding = [repeat(() => rebuildAccounts([seller.accountId])), repeat(() => count(seller, 3))];
    await Promise.all([write(), write()]);
    isWriting = false;
    await Promise.all(rebuilding);
    expect(await faultsOf(seller)).toEqual([]);
    while ((await count(seller)) > 0);
    expect(await faultsOf(seller)).toEqual([]);
    await expectCounts(seller, {});
  });

  test("waits for nobody who counts, and two at once mend counts once", async () => {
    const [seller, other] = [await makeAccount(), await makeAccount()];
    const sale = await sell(seller);
    await count(seller);
    await move(seller, "expire", sale);
    await count(seller);
    await sell(other);
    await forAccount(seller.accountId, (tx) => tx.rollup.updateMany({ data: { number: 7n } }));
    await transactionOverAll(async (query) => {
      const [event] = await query<Happened>("event_of", EVENT, [other.accountId]);
      if (event) await countEvents(query, [event], () => {});
      await Promise.all([1, 2].map(() => rebuildAccounts([seller.accountId])));
    });
    expect(await faultsOf(seller)).toEqual([]);
    await rebuildAccounts([other.accountId]);
    expect(await faultsOf(other), "counted twice, and mended").toEqual([]);
  });

  test("mends counts that are wrong, and reconcile names them until then", async () => {
    const [seller, other] = [await makeAccount(), await makeAccount()];
    await sell(seller);
    await sell(other);
    await count(seller);
    await count(other);
    await forAccount(seller.accountId, (tx) => tx.rollup.updateMany({ data: { number: 7n } }));
    const wrong = { detail: expect.stringContaining("pix pending: 6 sales of 0 cents too many") };
    expect(await faultsOf(seller)).toMatchObject([wrong, wrong]); // of the day, and of all days
    await rebuildAccounts([seller.accountId]);
    expect(await faultsOf(seller)).toEqual([]);
    expect(await keptBy(other)).toBe(2);
  });
});

const EVENT = `select account_id as "accountId", id, subject from events where account_id = $1::uuid limit 1`;
