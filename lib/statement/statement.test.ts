import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { asSystem, readFor } from "@/lib/db";
import { newId } from "@/lib/ids";
import { readBalances } from "@/lib/ledger/balance";
import { ownKinds, PLATFORM, postings } from "@/lib/ledger/chart";
import { checks } from "@/lib/ledger/checks";
import { foldTails } from "@/lib/ledger/fold";
import { decimal } from "@/lib/money";
import { askIn } from "@/lib/statement/ask";
import { balancesBefore } from "@/lib/statement/balances";
import { exportStatement } from "@/lib/statement/export";
import { abouts, lineOf, lines } from "@/lib/statement/lines";
import { readMonths } from "@/lib/statement/months";
import { readStatement } from "@/lib/statement/read";
import { MonthsQuery, StatementExport, type StatementLine, StatementQuery, Topic } from "@/lib/statement/schema";
import { makeAccount } from "@/lib/testing/make";
import { openOwnDatabase, ownerUrl } from "@/lib/testing/own-database";
import { locales } from "@/messages";
import { catalogues } from "@/messages/catalogues";

/** These postings have no sales, so they are in a database that the run's last reconcile does not read. */
let drop: () => Promise<void>;
let owner: pg.Client;
beforeAll(async () => {
  drop = await openOwnDatabase();
  owner = new pg.Client({ connectionString: ownerUrl() });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await drop();
});

type Entered = { type: string; at: Date; moves: { kind: string; amount: number }[] };

/** Writes postings as they were made at these instants, the other side of each with the platform. */
async function enter(client: pg.Client, accountId: string, entered: readonly Entered[]) {
  const rows = entered.map(({ type, at, moves }) => {
    const [kinds, amounts] = [moves.map(({ kind }) => kind), moves.map(({ amount }) => amount)];
    return { id: newId(), type, at: at.toISOString(), kinds, amounts, source: newId() };
  });
  await client.query(
    `with fact as materialized (
       select * from json_to_recordset($1::json) as f(id uuid, type text, at timestamptz, kinds text[], amounts bigint[], source uuid)
     ), posting as (
       insert into ledger_postings (id, account_id, type, source_id, created_at) select id, $2, type, source, at from fact
     ), entry as (
       insert into ledger_entries (account_id, posting_id, type, source_id, kind, amount, created_at)
       select e.account, f.id, f.type, f.source, e.kind, e.amount, f.at
       from fact f cross join lateral (
         select $2::uuid as account, kind, amount, place from unnest(f.kinds, f.amounts) with ordinality m(kind, amount, place)
         union all select '${PLATFORM}', 'clearing', -(select sum(a) from unnest(f.amounts) a), 99
       ) e order by f.at, f.id, e.place
       returning id, account_id, kind, amount
     )
     insert into ledger_tail (account_id, kind, entry_id, amount) select account_id, kind, id, amount from entry`,
    [JSON.stringify(rows), accountId],
  );
}

const daysDiffer = checks.days_differ as string;
const foldAll = async () => {
  while (await foldTails());
};
const read = (account: Awaited<ReturnType<typeof makeAccount>>["account"], query: object = {}) =>
  readStatement(account, StatementQuery.parse({ per_page: 11, ...query }));

/** All lines, page by page, from the first page on or from the last page back. */
async function pages(account: Parameters<typeof read>[0], query: object = {}, way: "cursor" | "newer" = "cursor") {
  const found: StatementLine[][] = [];
  let page = await read(account, way === "cursor" ? query : { ...query, newer: "0" });
  for (;;) {
    found.push(page.data);
    const next = way === "cursor" ? page.meta.next_cursor : page.meta.previous_cursor;
    if (!next) return (way === "cursor" ? found : found.reverse()).flat();
    page = await read(account, { ...query, [way]: next });
  }
}

async function exported(account: Parameters<typeof read>[0], query: object = {}) {
  const records = [];
  for await (const batch of exportStatement(account, StatementExport.parse(query))) records.push(...batch);
  return records;
}

const cents = (amount: string) => Number(amount.replace(".", ""));
const DAY = 86_400_000;
const NOON = Date.parse("2026-11-20T15:00:00Z");

/** A posting of any line of a statement, its fee beside it where it has one, within ten days. */
const history = fc.array(
  fc.record({
    line: fc.nat(lines.length - 1),
    at: fc.integer({ min: -10 * DAY, max: 0 }),
    amount: fc.integer({ min: 1, max: 100_000 }),
    isLate: fc.boolean(),
  }),
  { minLength: 12, maxLength: 40, size: "max" },
);

test("a statement's lines sum to the balance at every moment, forward, backward, by month and as a file", {
  timeout: 60_000,
}, async () => {
  const property = fc.asyncProperty(history, fc.integer({ min: -10 * DAY, max: 0 }), async (made, cut) => {
    const { account, accountId } = await makeAccount();
    const all = made.map(({ line, at, amount, isLate }) => {
      const { type, kind, isCredit, part } = lines[line] as (typeof lines)[number];
      const sign = isCredit ? 1 : -1;
      const moves = Array.from({ length: part }, (_, place) => ({ kind, amount: sign * (amount + place) }));
      return { type, at: new Date(NOON + at), moves, isLate };
    });
    await enter(
      owner,
      accountId,
      all.filter(({ isLate }) => !isLate),
    );
    await foldAll();
    await enter(
      owner,
      accountId,
      all.filter(({ isLate }) => isLate),
    );

    const data = await pages(account);
    expect(data).toHaveLength(all.flatMap(({ moves }) => moves).length);
    const balances = await readBalances(accountId);
    const running = { ...balances } as Record<string, number>;
    for (const line of data) {
      expect(line.balance_after).toBe(decimal(running[line.balance] ?? 0));
      running[line.balance] = (running[line.balance] ?? 0) - cents(line.amount);
    }
    expect(Object.values(running)).toEqual([0, 0, 0, 0]);
    expect(await pages(account, {}, "newer")).toEqual(data);

    const at = new Date(NOON + cut);
    const known = await readFor(accountId, (tx) => balancesBefore(askIn(tx), accountId, at));
    const before = all.filter(({ at: then }) => then < at).flatMap(({ moves }) => moves);
    for (const kind of ownKinds) {
      expect(known[kind]).toBe(before.filter((move) => move.kind === kind).reduce((sum, move) => sum + move.amount, 0));
    }
    const since = await read(account, { from: at.toISOString(), per_page: 100 });
    expect(since.meta.opening?.total).toBe(decimal(ownKinds.reduce((sum, kind) => sum + known[kind], 0)));
    expect(since.meta.total).toBe(data.length - before.length);
    const later = data.filter(({ created_at }) => new Date(created_at) >= at);
    expect(since.data).toEqual(later.map((line) => ({ ...line, balance_after: null })));

    for (const about of Topic.options) {
      const some = await pages(account, { about });
      expect(some).toEqual(
        data.filter((line) => topicOf(line) === about).map((line) => ({ ...line, balance_after: null })),
      );
    }
    for (const balance of ownKinds) {
      expect(await pages(account, { balance })).toEqual(data.filter((line) => line.balance === balance));
    }

    const file = await exported(account);
    expect(file.map(([id]) => id)).toEqual(data.map(({ id }) => id));
    expect(file.map((record) => record.slice(-3))).toEqual(
      data.map((line) => [line.balance, { decimal: line.amount }, { decimal: line.balance_after }]),
    );

    const months = (await readMonths(account, MonthsQuery.parse({}))).data.reverse();
    let total = { available: 0, pending: 0, blocked: 0, held: 0, total: 0 } as Record<string, number>;
    for (const { opening, sums, closing } of months) {
      for (const kind of [...ownKinds, "total"] as const) {
        expect(cents(opening[kind])).toBe(total[kind]);
        expect(cents(closing[kind])).toBe(sums.reduce((sum, one) => sum + cents(one[kind]), cents(opening[kind])));
      }
      total = Object.fromEntries(Object.entries(closing).map(([kind, amount]) => [kind, cents(amount)]));
    }
    expect(total).toMatchObject(balances);
    await foldAll();
    expect(await pages(account)).toEqual(data);
  });
  await fc.assert(property, { numRuns: 5, endOnFailure: true });
  expect(await asSystem((tx) => tx.$queryRawUnsafe(daysDiffer))).toEqual([]);
});

test("a file that is written in more than one read has one running balance", async () => {
  const { account, accountId } = await makeAccount();
  const moves = [{ kind: "available", amount: 3 }];
  const made = Array.from({ length: 2_600 }, (_, nth) => ({ type: "demo_funded", at: new Date(NOON + nth), moves }));
  await enter(owner, accountId, made);
  const after = (await exported(account)).map((record) => (record.at(-1) as { decimal: string }).decimal);
  expect(after).toEqual(made.map((_, nth) => decimal(3 * (nth + 1))).reverse());
});

const topicOf = ({ type, balance: kind, amount, is_fee }: StatementLine) =>
  lineOf({ type, kind, amount: cents(amount), part: is_fee ? 2 : 1 })?.topic;

test("a commit that is late is counted once, in the day on which it began, also across that day's end", async () => {
  const { account, accountId } = await makeAccount();
  const late = new pg.Client({ connectionString: ownerUrl() });
  await late.connect();
  const [evening, night] = [new Date("2026-11-20T02:59:59.500Z"), new Date("2026-11-20T03:00:01Z")]; // 19 and 20 in Brasília
  const sale = (at: Date, amount: number) => ({
    type: "deposit_completed",
    at,
    moves: [{ kind: "available", amount }],
  });
  const endOf19 = () =>
    readFor(accountId, (tx) => balancesBefore(askIn(tx), accountId, new Date("2026-11-20T03:00:00Z")));
  try {
    await enter(owner, accountId, [sale(evening, 100)]);
    await late.query("begin");
    await enter(late, accountId, [sale(evening, 20)]);
    await enter(owner, accountId, [sale(night, 3)]);
    await foldAll();
    expect((await endOf19()).available).toBe(100);
    await late.query("commit");
    expect((await endOf19()).available).toBe(120);
    await foldAll();
    expect((await endOf19()).available).toBe(120);
    expect((await read(account)).data.map(({ amount, balance_after }) => [amount, balance_after])).toEqual([
      ["0.03", "1.23"],
      ["0.20", "1.20"],
      ["1.00", "1.00"],
    ]);
    expect(await asSystem((tx) => tx.$queryRawUnsafe(daysDiffer))).toEqual([]);
  } finally {
    await late.end();
  }
});

test("every posting of the chart that moves an owner's money has words for each side, in both languages", () => {
  const owned = Object.entries<readonly (readonly string[])[]>(postings)
    .filter(([, moves]) => moves.flat().some((side) => /^(account|recipient)\./.test(side)))
    .map(([type]) => type);
  expect(Object.keys(abouts).sort()).toEqual(owned.sort());
  for (const locale of locales) {
    const texts: Record<string, Record<string, string>> = catalogues[locale].statement.lines;
    const told = Object.entries(texts).flatMap(([type, words]) => Object.keys(words).map((line) => `${type}.${line}`));
    expect(told.sort()).toEqual([...new Set(lines.map(({ name }) => name))].sort());
  }
});

test("a line tells whose side of its posting it is: no posting debits or credits the same kind of both", () => {
  const sides = new Map<string, string>();
  for (const { type, kind, isCredit, side } of lines) {
    const key = `${type} ${kind} ${isCredit}`;
    expect([key, sides.get(key) ?? side]).toEqual([key, side]);
    sides.set(key, side);
  }
});

test("the ledger's days that are changed by hand are found by reconcile", async () => {
  const { accountId } = await makeAccount({ available: 100 });
  await foldAll();
  const found = () => asSystem((tx) => tx.$queryRawUnsafe<object[]>(daysDiffer));
  expect(await found()).toEqual([]);
  await owner.query("update ledger_days set amount = amount + 1 where account_id = $1", [accountId]);
  expect(await found()).toMatchObject([{ account_id: accountId }]);
  await owner.query("update ledger_days set amount = amount - 1, last_id = first_id - 1 where account_id = $1", [
    accountId,
  ]);
  expect(await found()).toMatchObject([{ account_id: accountId }]);
});
