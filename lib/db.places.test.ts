import { availableParallelism } from "node:os";
import { expect, onTestFinished, test, vi } from "vitest";
import { admit, forAccount, inQueueOf, readFor, runPrepared, transactionFor } from "@/lib/db";
import { makeAccount } from "@/lib/testing/make";

/** More than the pool has connections. */
const MANY = 40;

const one = () => runPrepared<{ one: number }>("one", "select 1 as one", []);

/** Something that work can wait for, until it is opened. */
function barrier() {
  let open = () => {};
  const opened = new Promise<void>((done) => (open = done));
  return { open, opened };
}

test("an account whose transactions fill its line keeps no other account and no look-up waiting", async () => {
  const [busy, quiet] = [await makeAccount(), await makeAccount()];
  const { open, opened } = barrier();
  const { accountId } = busy;
  const kinds: (() => Promise<unknown>)[] = [
    () => forAccount(accountId, () => opened),
    () => transactionFor(accountId, () => opened),
  ];
  const all = Array.from({ length: MANY }, (_, nth) => admit(accountId, kinds[nth % 2] ?? one));
  const reads = [1, 2, 3].map(() => admit(accountId, () => readFor(accountId, () => opened)));
  const served = await admit(quiet.accountId, async () => [
    await one(),
    await readFor(quiet.accountId, (tx) => tx.account.count()),
    await transactionFor(quiet.accountId, (query) => query("two", "select 2 as two", [])),
  ]);
  expect(served).toEqual([[{ one: 1 }], 1, [{ two: 2 }]]);
  expect(await one()).toEqual([{ one: 1 }]);
  open();
  await Promise.all([...all, ...reads]);
});

test("a place is given back after an error, and what runs inside a transaction needs no place of its own", async () => {
  const { accountId } = await makeAccount();
  const failing = (nth: number) =>
    admit(accountId, () =>
      forAccount(accountId, async () => {
        await one(); // every place is held by a transaction that asks for another connection
        throw new Error(`failed ${nth}`);
      }),
    ).catch((error: Error) => error.message);
  const failed = await Promise.all(Array.from({ length: MANY }, (_, nth) => failing(nth)));
  expect(failed).toEqual(failed.map((_, nth) => `failed ${nth}`));
  expect(await admit(accountId, one)).toEqual([{ one: 1 }]);
});

test("requests that wait for something outside hold no place, and one too many is refused as unavailable", async () => {
  const { accountId } = await makeAccount();
  const { open, opened } = barrier();
  const outside = Array.from({ length: 199 }, () => admit(accountId, () => opened));
  expect(await admit(accountId, one)).toEqual([{ one: 1 }]);
  const last = admit(accountId, () => opened);
  await expect(admit(accountId, one)).rejects.toMatchObject({ code: "53300" });
  open();
  await Promise.all([...outside, last]);
  expect(await admit(accountId, one)).toEqual([{ one: 1 }]);
});

test("work in another line does not take an account's places", async () => {
  const { accountId } = await makeAccount();
  const { open, opened } = barrier();
  const other = Array.from({ length: MANY }, () => inQueueOf("other", () => transactionFor(accountId, () => opened)));
  expect(await admit(accountId, one)).toEqual([{ one: 1 }]);
  open();
  await Promise.all(other);
});

test("an account has eight places while it is alone, and half the cores within two seconds of another's request", async () => {
  const [busy, other] = [await makeAccount(), await makeAccount()];
  const real = performance.now.bind(performance);
  let ahead = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => real() + ahead);
  onTestFinished(() => void clock.mockRestore());
  const placesOf = async (count: number) => {
    const { open, opened } = barrier();
    let inside = 0;
    const hold = () =>
      transactionFor(busy.accountId, () => {
        inside += 1;
        return opened;
      });
    const all = Array.from({ length: MANY }, () => admit(busy.accountId, hold));
    await vi.waitFor(() => expect(inside).toBe(count));
    await one();
    expect(inside).toBe(count);
    open();
    await Promise.all(all);
  };
  ahead = 3_000;
  await placesOf(8);
  await admit(other.accountId, one);
  await placesOf(Math.min(8, Math.max(1, Math.floor(availableParallelism() / 2))));
  ahead += 3_000;
  await placesOf(8);
});
