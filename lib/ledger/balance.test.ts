import fc from "fast-check";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { forAccount, type Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { readBalances, reserve } from "@/lib/ledger/balance";
import { PLATFORM } from "@/lib/ledger/chart";
import { foldTails } from "@/lib/ledger/fold";
import { post } from "@/lib/ledger/post";
import { openOwnDatabase } from "@/lib/testing/own-database";

/** These postings have no sales, so they are in a database that the run's last reconcile does not read. */
let drop: () => Promise<void>;
beforeAll(async () => {
  drop = await openOwnDatabase();
});
afterAll(() => drop());

const available = async (account: string) => (await readBalances(account)).available;

const credit = (tx: Tx, account: string, net: number, fee = 0, sourceId = newId()) =>
  post(tx, {
    type: "deposit_completed",
    sourceId,
    owners: { account, platform: PLATFORM, rail: null },
    amounts: { net, fee },
  });

const deposit = (account: string, net: number, fee?: number, sourceId?: string) =>
  forAccount([account, PLATFORM], (tx) => credit(tx, account, net, fee, sourceId));

const split = (account: string, recipient: string, share: number) =>
  forAccount([account, recipient], (tx) =>
    post(tx, { type: "split_paid", sourceId: newId(), owners: { account, recipient }, amounts: { share } }),
  );

/** Makes a debit that the owner asks for. Returns whether there was money enough. */
async function debit(account: string, recipient: string, share: number): Promise<boolean> {
  try {
    await forAccount([account, recipient], async (tx) => {
      await reserve(tx, account, share);
      await post(tx, { type: "split_paid", sourceId: newId(), owners: { account, recipient }, amounts: { share } });
    });
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === "insufficient_balance") return false;
    throw error;
  }
}

const tailOf = (account: string) =>
  forAccount(account, (tx) => tx.ledgerTail.count({ where: { accountId: account, kind: "available" } }));

/** Folds until the account's tail is empty. Other tests fold too, and may hold rows for a moment. */
async function foldAll(account: string) {
  await vi.waitFor(async () => {
    await foldTails();
    expect(await tailOf(account)).toBe(0);
  });
}

test("an account without postings has a balance of 0", async () => {
  expect(await readBalances(newId())).toEqual({ available: 0, pending: 0, blocked: 0, held: 0 });
});

const amount = fc.integer({ min: 0, max: 5_000 });
const seller = fc.constantFrom(0, 1, 2);
const operation = fc.oneof(
  { weight: 4, arbitrary: fc.record({ op: fc.constant("deposit" as const), seller, amount }) },
  { weight: 3, arbitrary: fc.record({ op: fc.constant("debit" as const), seller, amount }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant("split" as const), seller, amount }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant("repeat" as const), seller, amount }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant("fold" as const), seller, amount }) },
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

const done = { accepted: 0, refused: 0, folds: 0 };

/** Plays operations one after the other on three sellers, and checks each outcome against plain sums. */
async function play(operations: Operation[]) {
  const sellers = [newId(), newId(), newId()];
  const model = [0, 0, 0];
  const first = newId(); // the fact that `repeat` tries to post again and again
  let isPosted = false;
  for (const { op, seller: at, amount: cents } of operations) {
    const [from, to, other] = [sellers[at] ?? "", sellers[(at + 1) % 3] ?? "", (at + 1) % 3];
    const move = (enough = true) => {
      if (!enough) return;
      model[at] = (model[at] ?? 0) - cents;
      model[other] = (model[other] ?? 0) + cents;
    };
    if (op === "deposit") {
      await deposit(from, cents, 7);
      model[at] = (model[at] ?? 0) + cents;
    } else if (op === "repeat") {
      const again = deposit(from, cents, 7, first);
      await (isPosted ? expect(again).rejects.toThrow(/ledger_postings_type_source_id_key|[Uu]nique/) : again);
      if (!isPosted) model[at] = (model[at] ?? 0) + cents;
      isPosted = true;
    } else if (op === "split") {
      await split(from, to, cents); // forced: may go below zero
      move();
    } else if (op === "debit") {
      const enough = cents <= (model[at] ?? 0);
      expect(await debit(from, to, cents)).toBe(enough);
      move(enough);
      done[enough ? "accepted" : "refused"] += 1;
    } else {
      await foldTails(20);
      done.folds += 1;
    }
    if (op !== "fold") done.accepted += op === "debit" ? 0 : 1;
  }
  expect(await Promise.all(sellers.map(available))).toEqual(model);
}

test("balances agree with plain sums over a thousand operations, with folds among them", {
  timeout: 60_000,
}, async () => {
  const operations = fc.array(operation, { minLength: 25, maxLength: 40, size: "max" });
  const property = fc.asyncProperty(operations, play);
  const lanes = Array.from({ length: 9 }, () => fc.assert(property, { numRuns: 5 }));
  await Promise.all(lanes);
  expect(done.accepted + done.refused + done.folds).toBeGreaterThan(1_000);
  expect(done.accepted).toBeGreaterThan(800); // fewer would prove little
  expect(done.refused).toBeGreaterThan(20);
  expect(done.folds).toBeGreaterThan(50);
});

test("of ten debits at once with money for four exactly four succeed, and a cent more is refused", async () => {
  const [account, recipient] = [newId(), newId()];
  await deposit(account, 9_999);
  const race = await Promise.all(Array.from({ length: 10 }, () => debit(account, recipient, 2_400)));
  expect(race.filter(Boolean)).toHaveLength(4);
  expect(await debit(account, recipient, 400)).toBe(false);
  expect(await debit(account, recipient, 399)).toBe(true);
  expect([await available(account), await available(recipient)]).toEqual([0, 9_999]);
});

test("money that is folded while debits race is not spent twice", async () => {
  const [account, recipient] = [newId(), newId()];
  await Promise.all(Array.from({ length: 20 }, () => deposit(account, 100)));
  const folds = (async () => {
    for (let time = 0; time < 10; time += 1) await foldTails();
  })();
  const race = await Promise.all(Array.from({ length: 30 }, () => debit(account, recipient, 100)));
  await folds;
  expect(race.filter(Boolean)).toHaveLength(20);
  expect(await available(account)).toBe(0);
});

test("credits do not wait for a debit that holds the account", async () => {
  const account = newId();
  await deposit(account, 500);
  await forAccount(account, async (tx) => {
    await reserve(tx, account, 500);
    await Promise.all(Array.from({ length: 5 }, () => deposit(account, 100)));
  });
  expect(await available(account)).toBe(1_000);
});

test("a credit that is open during a fold is counted once it commits, and never twice", async () => {
  const account = newId();
  await deposit(account, 1_000);
  await forAccount([account, PLATFORM], async (tx) => {
    await credit(tx, account, 50); // its entry has a lower number than those that commit before it
    await deposit(account, 7);
    await foldAll(account);
    expect(await available(account)).toBe(1_007);
  });
  expect(await available(account)).toBe(1_057);
  expect(await tailOf(account)).toBe(1);
  await foldAll(account);
  expect(await available(account)).toBe(1_057);
});

test("a credit that is rolled back during a fold is never counted", async () => {
  const account = newId();
  await deposit(account, 10);
  const open = forAccount([account, PLATFORM], async (tx) => {
    await credit(tx, account, 50);
    await foldAll(account);
    throw new Error("rolled back");
  });
  await expect(open).rejects.toThrow("rolled back");
  await foldAll(account);
  expect(await available(account)).toBe(10);
});

test("a balance that is read while folds run stays the same", async () => {
  const account = newId();
  await Promise.all(Array.from({ length: 40 }, () => deposit(account, 25)));
  let folding = true;
  const folds = (async () => {
    for (let time = 0; time < 40; time += 1) await foldTails(1 + (time % 5));
    await foldAll(account);
    folding = false;
  })();
  const seen = new Set<number>();
  while (folding) seen.add(await available(account));
  await folds;
  expect([...seen]).toEqual([1_000]);
});
