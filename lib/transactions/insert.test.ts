import fc from "fast-check";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { asSystem, forAccount, pool } from "@/lib/db";
import { newAlphanumeric, newId, sha256 } from "@/lib/ids";
import { MAX_AMOUNT, sharesOf } from "@/lib/money";
import { readShares } from "@/lib/splits/read";
import { restOf } from "@/lib/splits/share";
import { type Made, makeAccount } from "@/lib/testing/make";
import { historyOf, tracesOf } from "@/lib/testing/traces";
import { insertSale, insertSales, type NewSale } from "@/lib/transactions/insert";
import { saleOf } from "@/lib/transactions/sale";

let one: Made;
let two: Made;
let recipient: Made;
beforeAll(async () => {
  [one, two, recipient] = (await Promise.all([1, 2, 3].map(() => makeAccount()))) as [Made, Made, Made];
});

/** Half a surrogate pair and a null character are refused before a sale is written (`lib/http/check.ts`). */
const text = fc.string({ unit: "grapheme", maxLength: 30 }).filter((value) => !value.includes("\0"));

/** A sale of one of two accounts, by Pix or card, with up to three shares. */
const anySale = fc
  .record({
    ofTwo: fc.boolean(),
    method: fc.constantFrom("pix" as const, "card" as const),
    amount: fc.integer({ min: 1, max: MAX_AMOUNT }),
    points: fc.array(fc.integer({ min: 1, max: 3_333 }), { maxLength: 3 }),
    description: fc.option(text),
    utm: fc.option(fc.dictionary(fc.constantFrom("utm_source", "utm_term"), fc.option(text))),
  })
  .map(({ ofTwo, points, utm, amount, ...sale }): NewSale => {
    const shares = sharesOf(amount, points).map((part, place) => {
      const { accountId: recipientId, account } = recipient;
      return { id: newId(), recipientId, name: account.name, basisPoints: points[place] ?? 0, amount: part };
    });
    const known = { accountId: ofTwo ? two.accountId : one.accountId, id: newId(), createdAt: new Date() };
    const legacy = utm && { checkout: { ...utm } };
    return { ...known, ...sale, amount, fee: 0, net: amount, shares, legacy, txid: newAlphanumeric(25) };
  });

test("any number of sales at once are each written as given, with shares in order, one event in the outbox", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anySale, { maxLength: 8 }), async (sales) => {
      const accounts = [one.accountId, two.accountId];
      const written = await forAccount(accounts, (tx) => insertSales(tx, sales));
      expect(written.map(({ id }) => id)).toEqual(sales.map(({ id }) => id));
      for (const [at, { shares, ...sale }] of sales.entries()) {
        const { accountId, id, amount, net, fee } = sale;
        const where = { accountId_id: { accountId, id } };
        const row = await forAccount(accountId, (tx) => tx.transaction.findUniqueOrThrow({ where }));
        expect(written[at]).toEqual(row);
        const cents = { amount: BigInt(amount), net: BigInt(net), fee: BigInt(fee) };
        expect(row).toMatchObject({ ...sale, ...cents, status: "pending", origin: "api", late: false });
        const kept = await forAccount(accountId, (tx) => readShares(tx, [id]));
        expect(kept).toEqual(shares.map((share) => ({ planId: null, ...share, accountId, transactionId: id })));
        expect(restOf(net, kept) + kept.reduce((sum, share) => sum + share.amount, 0)).toBe(amount);
        const events = await forAccount(accountId, (tx) => tx.event.findMany({ where: { subjectId: id } }));
        expect(events).toMatchObject([{ type: "transaction.created", subject: "transaction" }]);
        expect(saleOf(events[0]?.record as Parameters<typeof saleOf>[0])).toEqual(row);
        const queued = { where: { eventId: events[0]?.id ?? "" } };
        expect(await forAccount(accountId, (tx) => tx.outbox.count(queued))).toBe(1);
      }
    }),
    { numRuns: 15 },
  );
});

const aSale = (accountId: string, changes: Partial<NewSale> = {}): NewSale => ({
  ...{ accountId, id: newId(), method: "pix", amount: 100, fee: 1, net: 99, shares: [], createdAt: new Date() },
  txid: newAlphanumeric(25),
  ...changes,
});

test("sales are written together or not at all", async () => {
  const seller = await makeAccount();
  const sale = aSale(seller.accountId);
  const twice = forAccount(seller.accountId, (tx) => insertSales(tx, [sale, aSale(seller.accountId), sale]));
  await expect(twice).rejects.toThrow();
  expect(await tracesOf(seller.accountId)).toMatchObject({ transactions: 0, events: 0, outbox: 0 });
});

test("a sale of an account out of scope is refused, and so are the sales written with it", async () => {
  const [seller, other] = [await makeAccount(), await makeAccount()];
  const forged = forAccount(seller.accountId, (tx) =>
    insertSales(tx, [aSale(seller.accountId), aSale(other.accountId)]),
  );
  await expect(forged).rejects.toThrow(/row-level security/);
  expect(await tracesOf(seller.accountId)).toMatchObject({ transactions: 0 });
  expect(await tracesOf(other.accountId)).toMatchObject({ transactions: 0 });
});

describe("one sale in one statement", () => {
  test("is written with its shares and its event in the account's own scope", async () => {
    const share = { id: newId(), recipientId: recipient.accountId, name: "Bento", basisPoints: 5_000, amount: 49 };
    const sale = aSale(one.accountId, { shares: [share] });
    expect(await insertSale(sale)).toBe(true);
    expect(await historyOf(one.accountId, sale.id)).toEqual(["pending"]);
    expect(await forAccount(recipient.accountId, (tx) => readShares(tx, [sale.id]))).toMatchObject([share]);
  });

  test("is written with those that come at the same moment, and fails alone", async () => {
    const { accountId } = await makeAccount();
    const taken = aSale(accountId);
    await insertSale(taken);
    const asked = vi.spyOn(pool(), "query");
    onTestFinished(() => asked.mockRestore());
    const good = Array.from({ length: 20 }, () => aSale(accountId));
    expect(await Promise.all(good.map((sale) => insertSale(sale)))).toEqual(good.map(() => true));
    const named = asked.mock.calls.map(([query]) => (query as { name?: string }).name);
    expect(named.filter((name) => name === "sales")).toHaveLength(1); // others of this process may ask too

    const some = [aSale(accountId), aSale(accountId, { txid: taken.txid ?? null }), aSale(accountId)];
    const outcomes = await Promise.allSettled(some.map((sale) => insertSale(sale)));
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(await tracesOf(accountId)).toMatchObject({ transactions: 23, events: 23, outbox: 23 });
  });

  test("under a used key writes nothing, however many run at once", async () => {
    const seller = await makeAccount();
    const { accountId } = seller;
    const answer = { status: 200, body: "{}" };
    const idem = { accountId, key: newId(), requestHash: sha256("x"), render: () => answer };
    const written = await Promise.all(Array.from({ length: 10 }, () => insertSale(aSale(accountId), { idem, answer })));
    expect(written.filter(Boolean)).toHaveLength(1);
    expect(await tracesOf(accountId)).toMatchObject({ transactions: 1, events: 1, outbox: 1, keys: 1 });
  });
});

test("a record keeps the nulls within the caller's own members, and no others", async () => {
  const sale = aSale(one.accountId, { legacy: { checkout: { utm_term: null } } });
  await insertSale(sale);
  const where = { subjectId: sale.id };
  const { record } = await asSystem((tx) => tx.event.findFirstOrThrow({ where }));
  expect(record).toMatchObject({ legacy: { checkout: { utm_term: null } } });
  expect(Object.entries(record as object).filter(([, value]) => value === null)).toEqual([]);
});
