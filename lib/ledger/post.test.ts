import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { forAccount, pool } from "@/lib/db";
import { newId } from "@/lib/ids";
import { readBalances } from "@/lib/ledger/balance";
import { PLATFORM, type PostingType, postings } from "@/lib/ledger/chart";
import { foldTails } from "@/lib/ledger/fold";
import { type Fact, post } from "@/lib/ledger/post";
import { connected, openOwnDatabase, ownerUrl } from "@/lib/testing/own-database";

/** Postings without sales: these books are not those that the run compares at its end. */
let drop: () => Promise<void>;
beforeAll(async () => {
  drop = await openOwnDatabase();
});
afterAll(() => drop());

const postOnce = <T extends PostingType>(fact: Fact<T>) =>
  forAccount([...Object.values<string>(fact.owners), PLATFORM], (tx) => post(tx, fact));

const deposit = (account: string, net: number, fee = 0, sourceId = newId()): Fact<"deposit_completed"> => ({
  type: "deposit_completed",
  sourceId,
  owners: { account },
  amounts: { net, fee },
});

const split = (account: string, recipient: string, share: number): Fact<"split_paid"> => ({
  type: "split_paid",
  sourceId: newId(),
  owners: { account, recipient },
  amounts: { share },
});

type Entry = { kind: string; amount: bigint };

/** The entries of a posting, whoever they belong to. */
const entriesOf = (sourceId: string, accounts: string[]) =>
  forAccount(
    [...accounts, PLATFORM],
    (tx) =>
      tx.$queryRaw<Entry[]>`select e.kind, e.amount from ledger_postings p join ledger_entries e on e.posting_id = p.id
        where p.source_id = ${sourceId}::uuid order by e.id`,
  );

test("a deposit takes the gross from the rail and gives net and fee", async () => {
  const fact = deposit(newId(), 9_801, 199);
  await postOnce(fact);
  expect(await entriesOf(fact.sourceId, [fact.owners.account])).toEqual([
    { kind: "clearing", amount: -9_801n },
    { kind: "available", amount: 9_801n },
    { kind: "clearing", amount: -199n },
    { kind: "fees", amount: 199n },
  ]);
});

test("posting the same fact again does nothing, also with other amounts and with 20 at once", async () => {
  const fact = deposit(newId(), 1_000, 10);
  await Promise.all(Array.from({ length: 20 }, () => postOnce(fact)));
  await postOnce(fact);
  await postOnce({ ...fact, amounts: { net: 999_999, fee: 0 } });

  expect(await readBalances(fact.owners.account)).toMatchObject({ available: 1_000 });
  expect(await entriesOf(fact.sourceId, [fact.owners.account])).toHaveLength(4);
});

test("one source is one fact of each type: a split may share its sale's id", async () => {
  const [account, recipient] = [newId(), newId()];
  const fact = deposit(account, 1_000);
  await postOnce(fact);
  await postOnce({ ...split(account, recipient, 300), sourceId: fact.sourceId });
  expect(await readBalances(account)).toMatchObject({ available: 700 });
  expect(await readBalances(recipient)).toMatchObject({ available: 300 });
});

test("the entries of every posting the chart knows sum to zero", async () => {
  const owners = { account: newId(), recipient: newId() };
  const amounts = { net: 970, fee: 30, share: 77, amount: 12_345 };
  for (const type of Object.keys(postings) as PostingType[]) {
    const fact = { type, sourceId: newId(), owners, amounts } as Fact;
    await postOnce(fact);
    const entries = await entriesOf(fact.sourceId, Object.values(owners));
    expect(entries.length, type).toBe(2 * postings[type].length);
    expect(
      entries.reduce((sum, { amount }) => sum + amount, 0n),
      type,
    ).toBe(0n);
  }
});

test.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, undefined])(
  "an amount of %s is refused and nothing is written",
  async (net) => {
    const fact = deposit(newId(), net as number, 1);
    await expect(postOnce(fact)).rejects.toThrow("not a whole number of cents");
    expect(await entriesOf(fact.sourceId, [fact.owners.account])).toEqual([]);
  },
);

test("a posting needs a transaction of every account whose money it moves", async () => {
  const fact = split(newId(), newId(), 5);
  const attempt = forAccount(fact.owners.account, (tx) => post(tx, fact));
  await expect(attempt).rejects.toThrow(/row-level security/);
  expect(await entriesOf(fact.sourceId, Object.values(fact.owners))).toEqual([]);
});

test("a posting whose transaction fails leaves nothing", async () => {
  const fact = deposit(newId(), 100);
  const attempt = forAccount([fact.owners.account, PLATFORM], async (tx) => {
    await post(tx, fact);
    throw new Error("afterwards");
  });
  await expect(attempt).rejects.toThrow("afterwards");
  expect(await readBalances(fact.owners.account)).toMatchObject({ available: 0 });
});

test("accounts that pay each other round a ring, in every order and during folds, never deadlock", async () => {
  const ring = Array.from({ length: 6 }, () => newId());
  await Promise.all(ring.map((account) => postOnce(deposit(account, 10_000))));
  const pay = (start: number, step: number) =>
    forAccount([...ring, PLATFORM], async (tx) => {
      for (let hop = 0; hop < 3; hop += 1) {
        const [from, to] = [start + hop * step, start + (hop + 1) * step].map((at) => ring[(at + 12) % 6] ?? "");
        await post(tx, split(from ?? "", to ?? "", 10));
      }
    });
  const folds = (async () => {
    for (let time = 0; time < 8; time += 1) await foldTails();
  })();
  await Promise.all(ring.flatMap((_, at) => [pay(at, 1), pay(at, -1), pay(at, 2), pay(at, -2)]));
  await folds;

  const balances = await Promise.all(ring.map(readBalances));
  expect(balances.map(({ available }) => available)).toEqual(ring.map(() => 10_000));
});

describe("history cannot be changed", () => {
  const changes = [
    ["update ledger_entries set amount = amount + 1 where account_id = $1"],
    ["delete from ledger_entries where account_id = $1"],
    ["update ledger_postings set type = 'x' where account_id = $1"],
    ["delete from ledger_postings where account_id = $1"],
    ["truncate ledger_entries"],
    ["truncate ledger_postings"],
  ] as const;

  test.each(changes)("by the program, who was never given the right: %s", async (text) => {
    const account = newId();
    await postOnce(deposit(account, 100));
    const client = await pool().connect();
    await client.query("begin");
    await client.query("select set_config('app.accounts', $1, true)", [account]);
    const attempt = client.query(text, text.includes("$1") ? [account] : []);
    await expect(attempt).rejects.toMatchObject({ code: "42501", message: /^permission denied for table/ });
    await client.query("rollback");
    client.release();
  });

  test.each(changes)("by the owner, whom a trigger refuses: %s", async (text) => {
    const account = newId();
    await postOnce(deposit(account, 100));
    await connected(ownerUrl(), async (client) => {
      await client.query("begin");
      await client.query("select set_config('app.accounts', '*', true), set_config('lock_timeout', '15s', true)");
      const attempt = client.query(text, text.includes("$1") ? [account] : []);
      await expect(attempt).rejects.toMatchObject({ code: "42501", message: /is append-only$/ });
      await client.query("rollback");
    });
    expect(await readBalances(account)).toMatchObject({ available: 100 });
  });

  test("nor can the program turn the triggers off", async () => {
    for (const text of [
      "set session_replication_role = replica",
      "alter table ledger_entries disable trigger append_only",
      "drop trigger append_only on ledger_entries",
    ]) {
      await expect(pool().query(text), text).rejects.toMatchObject({ code: "42501" });
    }
  });
});
