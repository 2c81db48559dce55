import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { asSystem, forAccount } from "@/lib/db";
import { newId } from "@/lib/ids";
import { methods } from "@/lib/methods/methods";
import { rebuildAccounts } from "@/lib/rollups/rebuild";
import { type Made, makeAccount } from "@/lib/testing/make";
import { endOfDay, startOfDay } from "@/lib/time/calendar";
import { exportTransactions } from "@/lib/transactions/export";
import { listTransactions } from "@/lib/transactions/list";
import { presentListItem } from "@/lib/transactions/present";
import type { Sale } from "@/lib/transactions/sale";
import { TransactionExport, TransactionQuery } from "@/lib/transactions/schema";
import { paid, statuses } from "@/lib/transactions/states";
import type { Prisma } from "@/prisma/client/client";
import { TransactionMethod, TransactionStatus } from "@/prisma/client/enums";

const MINUTE_MS = 60_000;
const START = Date.UTC(2026, 2, 1, 12);
const [ANA, CNPJ, END_TO_END_ID] = ["52998224725", "12ABC34501DE35", `E12345678${"2026030112"}${"abcdefghijklm"}`];

let seller: Made;
let sales: Sale[];

/**
 * Sales of some days, of every status and method, newest first. Each fifth has an id a little beside its time, as sales
 * of before have, and names repeat across fields.
 */
beforeAll(async () => {
  seller = await makeAccount();
  const other = await makeAccount();
  for (const { accountId } of [seller, other]) {
    const data = Array.from({ length: 120 }, (_, at): Prisma.TransactionCreateManyInput => {
      const createdAt = new Date(START + at * 37 * MINUTE_MS);
      const beside = at % 5 === 0 ? ((at % 7) - 3) * 15 * MINUTE_MS : 0;
      const method = at % 3 === 0 ? "card" : "pix";
      return {
        ...{ accountId, id: newId(new Date(createdAt.getTime() + beside)), method, createdAt, updatedAt: createdAt },
        ...{
          amount: 100 + at,
          fee: 1,
          net: 99 + at,
          status: statuses[(at * 5 + (at % 2)) % statuses.length] ?? "failed",
        },
        externalId: at % 4 === 0 ? (["pedido-7", ANA, "1234", "ana@example.com"][(at / 4) % 4] ?? null) : null,
        clientEmail: at % 2 === 0 ? "ana@example.com" : "bia@example.com",
        clientDocument: at % 3 === 0 ? ANA : CNPJ,
        ...(method === "card" ? { cardLast4: at % 2 === 0 ? "1234" : "4242" } : {}),
        ...(method === "pix" ? { txid: `${at}x${accountId.replaceAll("-", "").slice(0, 20)}`.slice(0, 25) } : {}),
      };
    });
    await forAccount(accountId, (tx) => tx.transaction.createMany({ data }));
    await rebuildAccounts([accountId]);
  }
  const { id } = await forAccount(seller.accountId, (tx) =>
    tx.transaction.findFirstOrThrow({ where: { method: "pix" } }),
  );
  await forAccount(seller.accountId, (tx) =>
    tx.transaction.updateMany({ where: { id }, data: { endToEndId: END_TO_END_ID } }),
  );
  sales = await forAccount(seller.accountId, (tx) => tx.transaction.findMany({ orderBy: { id: "desc" } }));
});

/** No verb made these sales: without a posting none may stay paid. */
afterAll(async () => {
  const made = { createdAt: { lt: new Date(START + 90 * 86_400_000) }, status: { in: [...paid] }, paidAt: null };
  const accounts = await asSystem((tx) => tx.transaction.findMany({ where: made, distinct: ["accountId"] }));
  await asSystem((tx) => tx.transaction.updateMany({ where: made, data: { status: "failed" } }));
  await rebuildAccounts(accounts.map(({ accountId }) => accountId));
});

const list = (query: object) => listTransactions(seller.account, TransactionQuery.parse(query));

const at = (text: string, day: (text: string) => Date) => (text.length === 10 ? day(text) : new Date(text)).getTime();

/** The sales that pass the filters, each compared by itself. */
function passing({ status, type, method, from, to, search }: Record<string, string | undefined>): Sale[] {
  const bare = search?.replace(/[.\-/\s]/g, "").toUpperCase();
  return sales.filter(
    (sale) =>
      (!status || sale.status === status) &&
      (!type || methods[sale.method].type === type) &&
      (!method || sale.method === (method === "pix" ? "pix" : "card")) &&
      (!from || sale.createdAt.getTime() >= at(from, startOfDay)) &&
      (!to || sale.createdAt.getTime() < at(to, endOfDay)) &&
      (!search ||
        [sale.id, sale.clientEmail].includes(search.toLowerCase()) ||
        [sale.endToEndId, sale.txid, sale.externalId].includes(search) ||
        [sale.clientDocument, sale.cardLast4].includes(bare ?? "")),
  );
}

const countsOf = (some: Sale[]) => {
  const counts = statuses.map((status) => [status, some.filter((sale) => sale.status === status).length] as const);
  return { all: some.length, ...Object.fromEntries(counts.filter(([, count]) => count > 0)) };
};

const anyTime = fc.integer({ min: -100, max: 120 * 37 + 100 }).chain((minutes) => {
  const instant = new Date(START + minutes * MINUTE_MS).toISOString();
  return fc.constantFrom(instant, instant.slice(0, 10));
});
const anySearch = fc.constantFrom("pedido-7", "529.982.247-25", "12.abc.345/01de-35", "1234", "ANA@example.com", "x");
const anyFilters = fc.record(
  {
    status: fc.constantFrom(...statuses),
    type: fc.constantFrom("cash_in", "card", "cash_out"),
    method: fc.constantFrom("pix", "credit_card", "card"),
    from: anyTime,
    to: anyTime,
    search: anySearch,
  },
  { requiredKeys: [] },
);

describe("the list", () => {
  test("under any filters, by page and by cursor, is what each sale by itself gives, and so are its counts", async () => {
    await fc.assert(
      fc.asyncProperty(anyFilters, fc.integer({ min: 1, max: 40 }), fc.nat(6), async (filters, per_page, page) => {
        const expected = passing(filters).map(presentListItem);
        const read = await list({ ...filters, per_page, page: page + 1 });
        expect(read.data).toEqual(expected.slice(page * per_page, (page + 1) * per_page));
        expect(read.meta).toEqual({
          ...{ total: expected.length, total_is_exact: true, current_page: page + 1, per_page },
          last_page: Math.max(1, Math.ceil(expected.length / per_page)),
          next_cursor: expected.length > (page + 1) * per_page ? read.data.at(-1)?.reference_id : null,
          counts: countsOf(passing({ ...filters, status: undefined })),
        });
        const first = await list({ ...filters, per_page });
        const cursor = first.meta.next_cursor;
        if (!cursor) return;
        expect((await list({ ...filters, per_page, cursor })).data).toEqual(expected.slice(per_page, 2 * per_page));
      }),
      { numRuns: 25 },
    );
  });

  test("finds a sale by each field that names one, and once where two fields do", async () => {
    const one = sales.find(({ txid }) => txid);
    for (const search of [one?.id ?? "", one?.id.toUpperCase() ?? "", one?.txid ?? "", END_TO_END_ID]) {
      expect((await list({ search })).data, search).toEqual(passing({ search }).map(presentListItem));
      expect((await list({ search })).data, search).toHaveLength(1);
    }
    for (const search of ["1234", ANA, "ana@example.com"]) {
      const { data, meta } = await list({ search, per_page: 100 });
      expect(new Set(data.map(({ reference_id }) => reference_id)).size).toBe(meta.total);
      expect(meta.total).toBe(passing({ search }).length);
    }
  });

  test("a page that starts more than 10,000 records from the first is 422 and names the cursor, which has no end", async () => {
    const tooFar = { options: { faults: { page: [expect.stringContaining("cursor")] } } };
    await expect(async () => list({ page: 102, per_page: 100 })).rejects.toMatchObject(tooFar);
    expect((await list({ page: 101, per_page: 100 })).data).toEqual([]);
    const cursor = sales[5]?.id;
    expect((await list({ page: 102, per_page: 100, cursor })).data[0]?.reference_id).toBe(sales[6]?.id);
  });

  test("of a sandbox whose clock is ahead, finds also sales whose ids have real time", async () => {
    const sandbox = await makeAccount();
    const { accountId } = sandbox;
    const createdAt = new Date(START + 30 * 86_400_000);
    const sale = { accountId, method: "pix", amount: 1, fee: 0, net: 1, createdAt, updatedAt: createdAt } as const;
    const ids = [newId(new Date(START)), newId(createdAt)];
    await forAccount(accountId, (tx) => tx.transaction.createMany({ data: ids.map((id) => ({ ...sale, id })) }));
    await rebuildAccounts([accountId]);
    const day = createdAt.toISOString().slice(0, 10);
    const ahead = { ...sandbox.account, clockOffsetMs: 30 * 86_400_000 };
    const read = await listTransactions(ahead, TransactionQuery.parse({ from: day, to: day }));
    expect(read.data.map(({ reference_id }) => reference_id)).toEqual(ids.toReversed());
    expect(read.meta).toMatchObject({ total: 2 });
  });
});

test("each status of each method has an index in the order of ids, which the list reads", async () => {
  const indexes = await asSystem(
    (tx) => tx.$queryRaw<{ text: string }[]>`select indexdef as text from pg_indexes where tablename = 'transactions'`,
  );
  const missing = Object.values(TransactionMethod).flatMap((method) =>
    Object.values(TransactionStatus)
      .map(
        (status) => `(account_id, id) WHERE ((method = '${method}'::"TransactionMethod") AND (status = '${status}'::`,
      )
      .filter((index) => !indexes.some(({ text }) => text.includes(index))),
  );
  expect(missing).toEqual([]);
});

test("more sales than 10,000 under a search are not counted to the end, and the list says so", async () => {
  const crowded = await makeAccount();
  const { accountId } = crowded;
  await forAccount(
    accountId,
    (tx) => tx.$executeRaw`
      insert into transactions (account_id, id, method, status, amount, fee, net, client_email, created_at, updated_at)
      select ${accountId}::uuid, new_id(), case n % 10 when 0 then 'card' else 'pix' end::"TransactionMethod",
        case n % 4 when 0 then 'failed' else 'pending' end::"TransactionStatus", 1, 0, 1, 'ana@example.com', now(), now()
      from generate_series(1, 10100) n`,
  );
  await rebuildAccounts([accountId]);
  const ask = (query: object) => listTransactions(crowded.account, TransactionQuery.parse({ per_page: 1, ...query }));
  const search = "ana@example.com";
  const instant = new Date(Date.now() - 3_600_000).toISOString();
  const most = { total: 10_000, total_is_exact: false, last_page: 10_000, next_cursor: expect.any(String) };
  expect((await ask({ search })).meta).toMatchObject({ ...most, counts: { all: 10_000 } });
  expect((await ask({ from: instant })).meta).toMatchObject(most);
  const failed = await ask({ search, status: "failed" });
  expect(failed.meta).toMatchObject({ total_is_exact: false, counts: { failed: failed.meta.total } });
  expect(failed.meta.total).toBeGreaterThan(2_400);
  const cards = await ask({ search, method: "card" });
  expect(cards.meta).toMatchObject({ total_is_exact: false });
  expect(cards.meta.total).toBeGreaterThanOrEqual(1_000);
  expect((await ask({})).meta).toMatchObject({ total: 10_100, total_is_exact: true });
  expect((await ask({ status: "failed", method: "pix" })).meta).toMatchObject({ total: 2_020, total_is_exact: true });
});

test("the export has every sale of the list once, newest first, over batches", async () => {
  const one = await makeAccount();
  const number = 2_501;
  const data = Array.from({ length: number }, (_, at): Prisma.TransactionCreateManyInput => {
    const [id, createdAt] = [newId(new Date(START + at)), new Date(START + at)];
    return {
      accountId: one.accountId,
      id,
      method: "card",
      createdAt,
      updatedAt: createdAt,
      amount: 100,
      fee: 0,
      net: 100,
    };
  });
  await forAccount(one.accountId, (tx) => tx.transaction.createMany({ data }));
  const found: string[] = [];
  for await (const batch of exportTransactions(one.account, TransactionExport.parse({ method: "credit_card" })))
    found.push(...batch.map(({ transaction }) => transaction.reference_id));
  expect(found).toEqual(data.map(({ id }) => id).reverse());
  const none = exportTransactions(one.account, TransactionExport.parse({ status: "refunded" }));
  expect((await none.next()).value).toEqual([]);
});
