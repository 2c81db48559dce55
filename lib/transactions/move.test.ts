import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { forAccount, pool, type Query, transactionOverAll } from "@/lib/db";
import { newAlphanumeric, newId } from "@/lib/ids";
import { readBalances } from "@/lib/ledger/balance";
import { platforms } from "@/lib/ledger/chart";
import type { Fact } from "@/lib/ledger/post";
import { completionOf, settlementOf } from "@/lib/splits/postings";
import { type Made, makeAccount } from "@/lib/testing/make";
import { rowsRead } from "@/lib/testing/rows-read";
import { historyOf, tracesOf } from "@/lib/testing/traces";
import { insertSales, type NewSale } from "@/lib/transactions/insert";
import { type Move, markSettled, moveSales, moveSalesNow } from "@/lib/transactions/move";
import { saleOf } from "@/lib/transactions/sale";
import { mayMove, type SaleTransition, transitions } from "@/lib/transactions/states";
import type { TransactionStatus } from "@/prisma/client/enums";

let seller: Made;
beforeAll(async () => {
  seller = await makeAccount({ mode: "live" }); // other tests' sweeps leave a live account alone
});

async function make(changes: Partial<NewSale> = {}, { accountId } = seller) {
  const sale: NewSale = {
    ...{ accountId, id: newId(), method: "pix", amount: 100, fee: 1, net: 99, shares: [], createdAt: new Date() },
    txid: newAlphanumeric(25),
    ...changes,
  };
  await forAccount(accountId, (tx) => insertSales(tx, [sale]));
  return { accountId, id: sale.id };
}

type Named = { accountId: string; id: string };

/** Moves a sale, with every field that a transition may need. */
const moveBy = (transition: SaleTransition, sale: Named, changes: object = {}) =>
  forAccount(sale.accountId, (tx) => {
    const move = { ...sale, paidAt: new Date(), reason: "lost_card", refunded: 0, ...changes } as Move<SaleTransition>;
    return moveSales(tx, transition, [move]);
  });

const names = Object.keys(transitions) as SaleTransition[];

test("of any transitions by two callers at once exactly the allowed ones happen, each with one event", {
  timeout: 60_000,
}, async () => {
  const some = fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom("pix" as const, "card" as const), some, some, async (method, mine, theirs) => {
      const sale = await make({ method });
      const run = async (wanted: SaleTransition[]) => {
        const moved: { name: SaleTransition; previous: TransactionStatus }[] = [];
        for (const name of wanted) {
          for (const { previous, sale: now } of await moveBy(name, sale)) {
            expect(now.status).toBe(transitions[name].to);
            moved.push({ name, previous });
          }
        }
        return moved;
      };
      const moved = (await Promise.all([run(mine), run(theirs)])).flat();
      const [first, ...history] = await historyOf(sale.accountId, sale.id);
      expect(first).toBe("pending");
      expect(history.toSorted()).toEqual(
        moved.map(({ name, previous }) => `${previous} → ${transitions[name].to}`).sort(),
      );
      for (const { name, previous } of moved) expect(mayMove(name, { method, status: previous })).toBe(true);
      // Each move begins at the status where the one before ended, and the last one ends at the sale's status.
      const chain = history.map((line) => line.split(" → "));
      for (const [at, [from]] of chain.entries()) expect(from).toBe(at === 0 ? "pending" : chain[at - 1]?.[1]);
      const where = { accountId_id: sale };
      const { status } = await forAccount(sale.accountId, (tx) => tx.transaction.findUniqueOrThrow({ where }));
      expect(status).toBe(chain.at(-1)?.[1] ?? "pending");
      await put(sale, "failed"); // a sale without a posting must not stay paid
    }),
    { numRuns: 60 },
  );
});

test.each(names)("%s: of ten at once one moves the sale, and only from an allowed status", async (transition) => {
  const { from, to } = transitions[transition];
  for (const status of ["pending", "completed", "disputed", "expired", "refused", "refunded"] as const) {
    const sale = await make();
    await put(sale, status);
    const moved = (await Promise.all(Array.from({ length: 10 }, () => moveBy(transition, sale)))).flat();
    const allowed = (from as readonly string[]).includes(status);
    expect(
      moved.map(({ previous }) => previous),
      status,
    ).toEqual(allowed ? [status] : []);
    expect(await historyOf(sale.accountId, sale.id)).toEqual(["pending", ...(allowed ? [`${status} → ${to}`] : [])]);
    await put(sale, "failed");
  }
});

test("a sale does not move a second time by a fact whose money was moved before", async () => {
  const sale = await make();
  const fact: Fact = {
    ...{ type: "deposit_completed", sourceId: sale.id },
    ...{ owners: { account: sale.accountId, platform: platforms.live, rail: null }, amounts: { net: 99, fee: 1 } },
  };
  const pay = () => moveSalesNow("pay", [{ ...sale, paidAt: new Date(), posts: [fact] }]);
  await pay();
  const { available } = await readBalances(sale.accountId);
  await put(sale, "pending");
  await expect(pay()).rejects.toThrow(/ledger_postings_type_source_id_key/);
  expect(await historyOf(sale.accountId, sale.id)).toEqual(["pending", "pending → completed"]);
  expect(await readBalances(sale.accountId)).toMatchObject({ available });
  await put(sale, "completed");
});

const put = ({ accountId, id }: Named, status: TransactionStatus) =>
  forAccount(accountId, (tx) => tx.transaction.updateMany({ where: { accountId, id }, data: { status } }));

test("a transition writes times on the account's clock, and its event keeps the sale as it is then", async () => {
  const ahead = await makeAccount();
  const { accountId } = ahead;
  const data = { clockOffsetMs: 86_400_000n };
  await forAccount(accountId, (tx) => tx.account.update({ where: { id: accountId }, data }));
  const at = new Date("2026-03-01T12:00:00.000Z");
  const sale = await make({ expiresAt: new Date("2026-03-02T11:59:59Z") }, ahead);
  const payer = { name: "Ana", document: "52998224725", ispb: "99999999" };
  const [moved] = await moveBy("pay", sale, {
    paidAt: at,
    settleAt: at,
    endToEndId: newId(),
    payer,
    requestId: newId(),
  });
  expect(moved?.sale).toMatchObject({
    ...{ paidAt: new Date("2026-03-02T12:00:00Z"), settleAt: new Date("2026-03-02T12:00:00Z"), late: true, payer },
    refusedReason: null,
  });
  expect(Math.abs(Number(moved?.sale.updatedAt) - Date.now() - 86_400_000)).toBeLessThan(10_000);
  const event = await forAccount(accountId, (tx) =>
    tx.event.findFirstOrThrow({ where: { subjectId: sale.id, type: "transaction.updated" } }),
  );
  expect(event).toMatchObject({ occurredAt: moved?.sale.updatedAt, requestId: expect.any(String) });
  expect(saleOf(event.record as Parameters<typeof saleOf>[0])).toEqual(moved?.sale);
  await put(sale, "failed");
});

test("several sales move in one call, except those that may not move and those out of scope", async () => {
  const other = await makeAccount({ mode: "live" });
  const [mine, refused, theirs] = [await make(), await make(), await make({}, other)];
  await moveBy("refuse", refused);
  const moved = await forAccount(seller.accountId, (tx) =>
    moveSales(tx, "expire", [mine, refused, theirs, { ...mine, id: newId() }]),
  );
  expect(moved.map(({ sale }) => sale.id)).toEqual([mine.id]);
  expect(await historyOf(other.accountId, theirs.id)).toEqual(["pending"]);
  expect(await historyOf(seller.accountId, refused.id)).toEqual(["pending", "pending → refused"]);
});

test("a sale that is named twice in one call moves once, with one event", async () => {
  const sale = await make();
  const moved = await forAccount(sale.accountId, async (tx) => {
    await tx.$executeRaw`set local enable_nestloop = off`; // the other plan that PostgreSQL may choose
    return moveSales(tx, "expire", [sale, sale]);
  });
  expect(moved).toHaveLength(1);
  expect(await historyOf(sale.accountId, sale.id)).toEqual(["pending", "pending → expired"]);
});

test("ids of events are in the order in which they were made, also within one millisecond", async () => {
  const { rows } = await pool().query<{ id: string }>(
    "select new_id() as id, (select sum(x) from generate_series(0, 200 + n % 2) x) as pause from generate_series(1, 500) n",
  );
  const ids = rows.map(({ id }) => id);
  expect(ids).toEqual(ids.toSorted());
  expect(ids.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id))).toBe(
    true,
  );
  expect(Math.abs(Number.parseInt(ids[0]?.replace("-", "").slice(0, 12) ?? "", 16) - Date.now())).toBeLessThan(60_000);
});

test("a transition that is not committed leaves nothing", async () => {
  const account = await makeAccount();
  const sale = await make({}, account);
  const before = await tracesOf(sale.accountId);
  const undone = forAccount(sale.accountId, async (tx) => {
    await moveSales(tx, "expire", [sale]);
    throw new Error("undone");
  });
  await expect(undone).rejects.toThrow("undone");
  expect(await tracesOf(sale.accountId)).toEqual(before);
});

test("of many calls at once one marks a card sale's money as available and posts it, and no other sale's", async () => {
  const made = await makeAccount();
  const { accountId } = made;
  const card = { method: "card" as const };
  const [paid, open, pix] = [await make(card, made), await make(card, made), await make({}, made)];
  await forAccount([accountId, platforms.sandbox], async (tx) => {
    const completion = { ...paid, method: "card", net: 99n, fee: 1n, mode: "sandbox" } as const;
    await moveSales(tx, "pay", [{ ...paid, paidAt: new Date(), posts: completionOf(completion, []) }]);
    await moveSales(tx, "pay", [{ ...pix, paidAt: new Date(), posts: depositOf(pix) }]);
  });
  const mark = (sale: Named) =>
    transactionOverAll((query) =>
      markSettled(query, [{ ...sale, posts: settlementOf({ ...sale, method: "card", net: 99n }, [], new Map()) }]),
    );
  const marked = (await Promise.all([...Array(5).fill(paid), open, pix].map(mark))).flat();
  expect(marked).toMatchObject([{ sale: { id: paid.id, settledAt: expect.any(Date) }, previous: "completed" }]);
  expect(await readBalances(accountId)).toMatchObject({ available: 99 + 99, pending: 0 });
  expect(await historyOf(accountId, paid.id)).toEqual(["pending", "pending → completed"]);
});

/** The facts of a deposit of R$ 1.00 with a fee of one cent. */
const depositOf = ({ accountId, id }: Named, platform = platforms.sandbox): Fact[] => [
  {
    type: "deposit_completed",
    sourceId: id,
    owners: { account: accountId, platform, rail: null },
    amounts: { net: 99, fee: 1 },
  },
];

describe("a move with postings", () => {
  const pay = (sale: Named) => ({ ...sale, paidAt: new Date(), posts: depositOf(sale) });
  const available = async ({ accountId }: { accountId: string }) => (await readBalances(accountId)).available;

  test("of ten at once posts once, with one event", async () => {
    const { accountId } = await makeAccount();
    const sale = await make({}, { ...seller, accountId });
    const moved = await Promise.all(Array.from({ length: 10 }, () => moveSalesNow("pay", [pay(sale)])));
    expect(moved.flat().map(({ previous }) => previous)).toEqual(["pending"]);
    expect(await historyOf(accountId, sale.id)).toEqual(["pending", "pending → completed"]);
    expect(await available(sale)).toBe(99);
    expect(await tracesOf(accountId)).toMatchObject({ postings: 1, entries: 1, outbox: 2 });
  });

  test("posts what belongs to the sales that moved, and nothing of the others", async () => {
    const made = await makeAccount();
    const [paid, refused, open] = [await make({}, made), await make({}, made), await make({}, made)];
    await moveBy("refuse", refused);
    const silent = { ...open, paidAt: new Date(), posts: [] };
    const moved = await moveSalesNow("pay", [pay(paid), pay(refused), silent, pay({ ...paid, id: newId() })]);
    expect(moved.map(({ sale }) => sale.id).sort()).toEqual([paid.id, open.id].sort());
    expect(await available(made)).toBe(99);
    expect(await moveSalesNow("pay", [pay(paid), pay(refused)])).toEqual([]);
    expect(await available(made)).toBe(99);
    expect(await tracesOf(made.accountId)).toMatchObject({ postings: 1 });
    await put(open, "failed");
  });

  test("whose posting is refused moves nothing, and neither do the moves with it", async () => {
    const made = await makeAccount();
    const [sale, other] = [await make({}, made), await make({}, made)];
    const before = await tracesOf(made.accountId);
    const [fact] = depositOf(sale);
    const ownerless = { ...pay(sale), posts: [{ ...fact, owners: {} } as unknown as Fact] };
    await expect(moveSalesNow("pay", [pay(other), ownerless])).rejects.toThrow(/violates not-null/);
    await expect(
      forAccount(made.accountId, (tx) => moveSales(tx, "pay", [pay(sale)])),
      "the platform is not in scope",
    ).rejects.toThrow(/not in scope/);
    expect(await tracesOf(made.accountId)).toEqual(before);
  });

  test("in sets that share sales in every order, each posts once and none waits for ever", async () => {
    const accounts = [await makeAccount(), await makeAccount()];
    const sales = await Promise.all(Array.from({ length: 40 }, (_, at) => make({}, accounts[at % 2])));
    const moves = sales.map(pay);
    const sets = [moves, moves.toReversed(), moves.slice(10), moves.slice(0, 30).toReversed()];
    const moved = await Promise.all(sets.map((set) => moveSalesNow("pay", set)));
    expect(moved.flat().map(({ sale }) => sale.id)).toHaveLength(40);
    expect(await Promise.all(accounts.map(available))).toEqual([20 * 99, 20 * 99]);
  });
});

test("a move reads its own sale alone, however many its account has and whenever its plan was made", async () => {
  const { accountId } = await makeAccount({ mode: "live" });
  const amounts = { amount: 100n, fee: 1n, net: 99n };
  const now = new Date();
  const sales = Array.from({ length: 1_000 }, () => {
    return { accountId, id: newId(), method: "pix" as const, ...amounts, createdAt: now, updatedAt: now };
  });
  const paid = (sale: Named) => ({ ...sale, paidAt: now, posts: depositOf(sale, platforms.live) });
  const forms: ((query: Query, sale: Named) => Promise<unknown>)[] = [
    (query, sale) => moveSales(query, "fail", [sale]),
    (query, sale) => moveSales(query, "pay", [paid(sale)]),
    (query, sale) => markSettled(query, [sale]),
    (query, sale) => moveSales(query, "expire", Array(20).fill(sale)),
    (_query, sale) => moveSalesNow("refuse", [{ ...sale, reason: "lost_card", isHard: true }]),
    (_query, sale) => moveSalesNow("pay", [paid(sale)]),
  ];
  for (const made of [sales.slice(0, 100), sales.slice(100)]) {
    await forAccount(accountId, (tx) => tx.transaction.createMany({ data: made }));
    const runs = forms.map((move, at) => (query: Query) => move(query, { accountId, id: made[at]?.id ?? "" }));
    expect(Math.max(...(await rowsRead("transactions", runs)))).toBeLessThan(10);
  }
});
