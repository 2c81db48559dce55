import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { forAccount, type Query, transactionOverAll } from "@/lib/db";
import { newId } from "@/lib/ids";
import { log } from "@/lib/log";
import { type Made, makeAccount } from "@/lib/testing/make";
import { connected, openOwnDatabase, ownerUrl } from "@/lib/testing/own-database";
import { tracesOf } from "@/lib/testing/traces";
import { salesDue } from "@/lib/transactions/due";
import { moveSales } from "@/lib/transactions/move";

/** The loops do what is due of every account, so these tests have a database of their own. */
let drop: () => Promise<void>;
beforeAll(async () => {
  drop = await openOwnDatabase();
});
afterAll(() => drop());

/** Writes open deposits that are due since one instant. Returns their ids. */
async function makeDue({ accountId }: Made, count: number, expiresAt: Date): Promise<string[]> {
  const sale = { accountId, method: "pix" as const, amount: 100n, fee: 1n, net: 99n, expiresAt };
  const now = new Date();
  const data = Array.from({ length: count }, () => ({ ...sale, id: newId(), createdAt: now, updatedAt: now }));
  await forAccount(accountId, (tx) => tx.transaction.createMany({ data }));
  return data.map(({ id }) => id);
}

type Act = Parameters<typeof salesDue>[0]["act"];

const expiry = (act: Act) =>
  salesDue({ name: "test", column: "expires_at", isOpen: "t.status = 'pending' and t.method = 'pix'", act });

const expire: Act = (query, due) => moveSales(query, "expire", due);

const expiredOf = ({ accountId }: Made) =>
  forAccount(accountId, (tx) => tx.transaction.count({ where: { status: "expired" } }));

/** How many entries of the index of what is due have been read in all, as far as that is counted yet. */
const entriesRead = () =>
  connected(ownerUrl(), async (client) => {
    const text = "select pg_stat_get_tuples_returned('transactions_due'::regclass)::int as entries";
    return (await client.query<{ entries: number }>(text)).rows[0]?.entries ?? Number.NaN;
  });

/** Has what this transaction read counted at its end. */
const countReads = (query: Query) => query("count_reads", "select pg_stat_force_next_flush()::text", []);

test("a batch is bounded and reads nothing again that was done, also what an old reader still sees", async () => {
  const seller = await makeAccount();
  await makeDue(seller, 1_700, new Date(Date.now() - 60_000));
  const before = await entriesRead();
  const batches: number[] = [];
  const run = expiry(async (query, due) => {
    batches.push(due.length);
    await countReads(query);
    await expire(query, due);
  });
  await connected(ownerUrl(), async (reader) => {
    await reader.query("begin isolation level repeatable read");
    await reader.query("select from transactions limit 1");
    while (await run());
  });
  expect(batches).toEqual([500, 500, 500, 200]);
  const read = async () => (await entriesRead()) - before;
  await vi.waitFor(async () => expect(await read()).toBeGreaterThanOrEqual(1_700), 10_000);
  expect(await read()).toBeLessThanOrEqual(1_700 + batches.length);
  expect(await expiredOf(seller)).toBe(1_700);
});

test("loops at once do each sale once, and one account's crowd keeps back only what became due after it", async () => {
  const [crowd, earlier, later] = [await makeAccount(), await makeAccount(), await makeAccount()];
  const at = Date.now() - 60_000;
  await makeDue(crowd, 1_200, new Date(at));
  await makeDue(later, 1, new Date(at + 1));
  await makeDue(earlier, 1, new Date(at - 1));
  const order: string[] = [];
  const run = expiry(async (query, due) => {
    order.push(...due.map(({ accountId }) => accountId));
    await expire(query, due);
  });
  expect(await run()).toBe(true);
  expect(order[0]).toBe(earlier.accountId);
  const loops = [run, expiry(expire), expiry(expire)];
  await Promise.all(
    loops.map(async (loop) => {
      while (await loop());
    }),
  );
  for (const made of [crowd, earlier, later]) {
    const { events, outbox, transactions } = await tracesOf(made.accountId);
    expect({ events, outbox }).toEqual({ events: transactions, outbox: transactions });
    expect(await expiredOf(made)).toBe(transactions);
  }
});

test("a set that fails is done by halves, and the sale that fails alone is not tried again at once", async () => {
  const [broken, seller] = [await makeAccount(), await makeAccount()];
  const at = new Date(Date.now() - 60_000);
  const [stuck] = await makeDue(broken, 1, at);
  await makeDue(seller, 20, at);
  const report = vi.spyOn(log, "error").mockImplementation(() => {});
  onTestFinished(() => report.mockRestore());
  const tried: number[] = [];
  const run = expiry(async (query, due) => {
    tried.push(due.length);
    await expire(query, due);
    if (due.some(({ id }) => id === stuck)) throw new Error("not this one");
  });
  expect(await run()).toBe(false);
  expect(tried).toEqual([21, 11, 6, 3, 2, 1, 1, 1, 3, 5, 10]);
  expect([await expiredOf(broken), await expiredOf(seller)]).toEqual([0, 20]);
  expect(report.mock.calls).toEqual([[expect.objectContaining({ id: stuck }), expect.any(String)]]);
  expect(await run()).toBe(false);
  expect(tried).toHaveLength(11);
  expect(await expiry(expire)()).toBe(false); // another process tries it
  expect(await expiredOf(broken)).toBe(1);
});

test("a sale that another transaction holds is left for later, and nobody waits for it", async () => {
  const seller = await makeAccount();
  const [held] = await makeDue(seller, 3, new Date(Date.now() - 60_000));
  const run = expiry(expire);
  await transactionOverAll(async (query) => {
    await query("hold", "select from transactions where id = $1 for update", [held]);
    expect(await run()).toBe(false);
    expect(await expiredOf(seller)).toBe(2);
  });
  expect(await run()).toBe(false);
  expect(await expiredOf(seller)).toBe(3);
});

test("a clock that runs ahead makes its own account's sales due, in batches, and no other's", async () => {
  const [ahead, real] = [await makeAccount(), await makeAccount()];
  const tomorrow = new Date(Date.now() + 86_400_000);
  await makeDue(ahead, 600, tomorrow);
  await makeDue(real, 3, tomorrow);
  const where = { id: ahead.accountId };
  const data = { clockOffsetMs: 2n * 86_400_000n };
  await forAccount(ahead.accountId, (tx) => tx.account.update({ where, data }));
  const run = expiry(expire);
  expect([await run(), await run(), await run()]).toEqual([true, false, false]);
  expect([await expiredOf(ahead), await expiredOf(real)]).toEqual([600, 0]);
});
