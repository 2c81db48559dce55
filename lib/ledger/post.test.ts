import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { forAccount, pool, type Tx } from "@/lib/db";
import { newId } from "@/lib/ids";
import { readBalances } from "@/lib/ledger/balance";
import { kinds, PLATFORM, type PostingType, postings } from "@/lib/ledger/chart";
import { foldTails } from "@/lib/ledger/fold";
import { type Fact, post } from "@/lib/ledger/post";
import { connected, openOwnDatabase, ownerUrl } from "@/lib/testing/own-database";

/** These postings have no sales, so they are in a database that the run's last reconcile does not read. */
let drop: () => Promise<void>;
beforeAll(async () => {
  drop = await openOwnDatabase();
});
afterAll(() => drop());

const postOnce = (fact: Fact) =>
  forAccount([...Object.values<string | null>(fact.owners).filter((owner) => owner !== null), PLATFORM], (tx) =>
    post(tx, fact),
  );

const deposit = (account: string, net: number, fee = 0, sourceId = newId()): Fact<"deposit_completed"> => ({
  type: "deposit_completed",
  sourceId,
  owners: { account, platform: PLATFORM, rail: null },
  amounts: { net, fee },
});

const split = (account: string, recipient: string, share: number): Fact<"split_paid"> => ({
  type: "split_paid",
  sourceId: newId(),
  owners: { account, recipient },
  amounts: { share },
});

type Entry = { kind: string; amount: bigint };

/** All entries of a posting. */
const entriesOf = (sourceId: string, accounts: string[]) =>
  forAccount(
    [...accounts, PLATFORM],
    (tx) =>
      tx.$queryRaw<Entry[]>`select e.kind, e.amount from ledger_postings p join ledger_entries e on e.posting_id = p.id
        where p.source_id = ${sourceId}::uuid order by e.id`,
  );

test("a deposit debits the gross to clearing and credits net and fee", async () => {
  const fact = deposit(newId(), 9_801, 199);
  await postOnce(fact);
  expect(await entriesOf(fact.sourceId, [fact.owners.account])).toEqual([
    { kind: "clearing", amount: -9_801n },
    { kind: "available", amount: 9_801n },
    { kind: "clearing", amount: -199n },
    { kind: "fees", amount: 199n },
  ]);
});

const AGAIN = /ledger_postings_type_source_id_key|[Uu]nique constraint/;

test("each of several facts has its own posting, and none is made where one was made before", async () => {
  const [account, recipient] = [newId(), newId()];
  const [sale, share] = [deposit(account, 1_000, 10), split(account, recipient, 300)];
  const both = (...facts: Fact[]) => forAccount([account, recipient, PLATFORM], (tx) => post(tx, ...facts));
  await both(sale, share);
  await expect(both(sale, split(account, recipient, 300))).rejects.toThrow(AGAIN);
  expect(await readBalances(account)).toMatchObject({ available: 700 });
  expect(await readBalances(recipient)).toMatchObject({ available: 300 });
});

test("an entry carries the type and source of its posting, which its own account can read", async () => {
  const [account, recipient] = [newId(), newId()];
  const share = split(account, recipient, 300);
  await postOnce(share);
  const entries = await forAccount(recipient, (tx) => tx.ledgerEntry.findMany());
  expect(entries).toMatchObject([{ kind: "available", amount: 300n, type: "split_paid", sourceId: share.sourceId }]);
  expect(await forAccount(recipient, (tx) => tx.ledgerPosting.count())).toBe(0);
});

test("the same fact again is refused and moves nothing, also with other amounts and 20 times at once", async () => {
  const fact = deposit(newId(), 1_000, 10);
  const posted = await Promise.allSettled(Array.from({ length: 20 }, () => postOnce(fact)));
  expect(posted.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  await expect(postOnce(fact)).rejects.toThrow(AGAIN);
  await expect(postOnce({ ...fact, amounts: { net: 999_999, fee: 0 } })).rejects.toThrow(AGAIN);

  expect(await readBalances(fact.owners.account)).toMatchObject({ available: 1_000 });
  expect(await entriesOf(fact.sourceId, [fact.owners.account])).toHaveLength(4);
});

test("one source has one fact of each type, so a split may share its sale's id", async () => {
  const [account, recipient] = [newId(), newId()];
  const fact = deposit(account, 1_000);
  await postOnce(fact);
  await postOnce({ ...split(account, recipient, 300), sourceId: fact.sourceId });
  expect(await readBalances(account)).toMatchObject({ available: 700 });
  expect(await readBalances(recipient)).toMatchObject({ available: 300 });
});

test("the entries of every type of posting sum to zero", async () => {
  const owners = { account: newId(), recipient: newId(), platform: PLATFORM };
  const amounts = { net: 970, fee: 30, share: 77, amount: 12_345, total: 12_375, rest: 5, pending: 7, settled: 9 };
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
  await expect(attempt).rejects.toThrow(/account \S+ is not in scope/);
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

test("accounts that pay each other in a ring, in every order and during folds, never deadlock", async () => {
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

describe("the ledger's own functions", () => {
  type Entry = { account_id: string; kind: string; amount: number };

  const rowOf = (account_id: string, entries: Entry[], sourceId = newId(), id = newId()) => ({
    ...{ id, account_id, type: "split_paid", source_id: sourceId },
    accounts: entries.map((entry) => entry.account_id),
    kinds: entries.map(({ kind }) => kind),
    amounts: entries.map(({ amount }) => amount),
  });

  /** Sends postings that the chart does not have, as a faulty program could. Returns how many were new. */
  async function send(accounts: string[], rows: object[]): Promise<number> {
    const facts = JSON.stringify(rows);
    return forAccount(accounts, async (tx) => {
      const [row] = await tx.$queryRaw<{ posted: number }[]>`select ledger_post(${facts}::json) as posted`;
      return row?.posted ?? 0;
    });
  }

  const from = (account_id: string, amount: number, kind = "available") => ({ account_id, kind, amount });
  const leaveNothing = async (accounts: string[]) =>
    expect(await forAccount(accounts, (tx) => Promise.all([tx.ledgerPosting.count(), tx.ledgerEntry.count()]))).toEqual(
      [0, 0],
    );

  test("a posting with one side, or with two that differ, is refused as a whole", async () => {
    const [a, b] = [newId(), newId()];
    for (const rows of [[from(a, 5)], [from(a, -5), from(b, 6)], [from(a, -5), from(b, 5), from(b, 1)]]) {
      await expect(send([a, b], [rowOf(a, rows)])).rejects.toThrow(/do not sum to zero/);
    }
    await leaveNothing([a, b]);
    expect(await send([a, b], [rowOf(a, [from(a, -5), from(b, 5)])])).toBe(1);
  });

  test("two postings that are out of balance in opposite ways are refused", async () => {
    const a = newId();
    const attempt = send([a], [rowOf(a, [from(a, 5)]), rowOf(a, [from(a, -5)])]);
    await expect(attempt).rejects.toThrow(/do not sum to zero/);
    await leaveNothing([a]);
  });

  test("a kind that the chart does not have is refused", async () => {
    const [a, b] = [newId(), newId()];
    const attempt = send([a, b], [rowOf(a, [from(a, -5, "pocket"), from(b, 5, "pocket")])]);
    await expect(attempt).rejects.toThrow(/ledger_entries_kind/);
    await leaveNothing([a, b]);
  });

  test("an entry without an owner, a kind or an amount is refused", async () => {
    const a = newId();
    const whole = rowOf(a, [from(a, -5), from(a, 5)]);
    for (const part of ["accounts", "kinds", "amounts"] as const) {
      const attempt = send([a], [{ ...whole, [part]: whole[part].slice(1) }]);
      await expect(attempt, part).rejects.toThrow(/not in scope|violates not-null/);
    }
    await leaveNothing([a]);
  });

  test("the kinds of the database are those of the chart", async () => {
    const { rows } = await pool().query(
      "select pg_get_constraintdef(oid) as text from pg_constraint where conname = 'ledger_entries_kind'",
    );
    const known = [...rows[0].text.matchAll(/'(\w+)'/g)].map(([, kind]) => kind);
    expect(known.sort()).toEqual(Object.keys(kinds).sort());
  });

  test("a posting, an entry or a hold for an account out of scope is refused", async () => {
    const [mine, theirs] = [newId(), newId()];
    const outside = /account \S+ is not in scope/;
    await expect(send([mine], [rowOf(mine, [from(mine, 5), from(theirs, -5)])])).rejects.toThrow(outside);
    await expect(send([mine], [rowOf(theirs, [])])).rejects.toThrow(outside);
    for (const call of [
      (tx: Tx) => tx.$executeRaw`select ledger_reserve(${theirs}::uuid)`,
      (tx: Tx) => tx.$executeRaw`select ledger_reserve(null)`,
    ]) {
      await expect(forAccount(mine, call)).rejects.toThrow(/is not in scope/);
    }
    await leaveNothing([mine, theirs]);
    expect(await forAccount(theirs, (tx) => tx.ledgerSnapshot.count())).toBe(0);
  });

  test("a fold counts only the entries of accounts in scope", async () => {
    const [mine, theirs] = [newId(), newId()];
    await postOnce(deposit(mine, 100));
    await postOnce(deposit(theirs, 100));
    await forAccount(mine, (tx) => tx.$executeRaw`select ledger_fold(1000)`);
    const tails = (account: string) => forAccount(account, (tx) => tx.ledgerTail.count());
    expect([await tails(mine), await tails(theirs)]).toEqual([0, 1]);
    expect(await readBalances(mine)).toMatchObject({ available: 100 });
  });

  test("an existing posting gets no more entries", async () => {
    const [a, b] = [newId(), newId()];
    const fact = split(a, b, 10);
    await postOnce(fact);
    const more = [from(a, -5), from(b, 5)];
    await expect(send([a, b], [rowOf(a, more, fact.sourceId)])).rejects.toThrow(AGAIN);
    const [{ id } = { id: "" }] = await forAccount(a, (tx) => tx.ledgerPosting.findMany());
    await expect(send([a, b], [rowOf(a, more, newId(), id)])).rejects.toThrow(/ledger_postings_pkey|[Uu]nique/);
    expect(await entriesOf(fact.sourceId, [a, b])).toHaveLength(2);
    expect(await readBalances(b)).toMatchObject({ available: 10 });
  });

  test("the owner cannot write a posting out of balance either", async () => {
    const account = newId();
    const insert = (amounts: string) =>
      connected(ownerUrl(), async (client) => {
        await client.query("begin");
        await client.query("select set_config('app.accounts', '*', true)");
        await client.query(
          `insert into ledger_entries (account_id, posting_id, type, source_id, kind, amount)
           select $1, '00000000-0000-7000-8000-000000000001', 'x', $1, 'available', unnest($2::bigint[])`,
          [account, amounts],
        );
      });
    await expect(insert("{5}")).rejects.toMatchObject({ code: "23514" });
    await expect(insert("{5,-4}")).rejects.toMatchObject({ code: "23514" });
    await insert("{5,-5}"); // and is not committed
  });
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
  const programs = [
    ...changes,
    ["insert into ledger_postings (id, account_id, type, source_id) select id, $1, 'x', id from gen_random_uuid() id"],
    ["insert into ledger_entries (account_id, posting_id, kind, amount) values ($1, $1, 'available', 0)"],
    ...["ledger_tail", "ledger_snapshots", "ledger_days"].flatMap((table) => [
      [`insert into ${table} select * from ${table} where account_id = $1`],
      [`update ${table} set amount = amount + 1 where account_id = $1`],
      [`delete from ${table} where account_id = $1`],
      [`select from ${table} where account_id = $1 for update`],
      [`truncate ${table}`],
    ]),
  ] as [string][];

  test.each(programs)("by the program, which has no right to: %s", async (text) => {
    const account = newId();
    await postOnce(deposit(account, 100));
    const client = await pool().connect();
    await client.query("begin");
    await client.query("select set_config('app.accounts', $1, true)", [account]);
    const attempt = client.query(text, text.includes("$1") ? [account] : []);
    await expect(attempt).rejects.toMatchObject({
      code: "42501",
      message: expect.stringMatching(/^permission denied for table/),
    });
    await client.query("rollback");
    client.release();
  });

  test.each(changes)("by the owner, because a trigger refuses: %s", async (text) => {
    const account = newId();
    await postOnce(deposit(account, 100));
    await connected(ownerUrl(), async (client) => {
      await client.query("begin");
      await client.query("select set_config('app.accounts', '*', true), set_config('lock_timeout', '15s', true)");
      const attempt = client.query(text, text.includes("$1") ? [account] : []);
      await expect(attempt).rejects.toMatchObject({ code: "42501", message: expect.stringMatching(/is append-only$/) });
      await client.query("rollback");
    });
    expect(await readBalances(account)).toMatchObject({ available: 100 });
  });

  test("by turning the triggers off, which the program cannot", async () => {
    for (const text of [
      "set session_replication_role = replica",
      "alter table ledger_entries disable trigger append_only",
      "drop trigger append_only on ledger_entries",
    ]) {
      await expect(pool().query(text), text).rejects.toMatchObject({ code: "42501" });
    }
  });
});
