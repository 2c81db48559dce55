import { afterAll, beforeAll, expect, test } from "vitest";
import { forAccount, type Query } from "@/lib/db";
import { newId } from "@/lib/ids";
import { PLATFORM } from "@/lib/ledger/chart";
import { foldTails } from "@/lib/ledger/fold";
import { type Fact, post } from "@/lib/ledger/post";
import { connected, openOwnDatabase, ownerUrl } from "@/lib/testing/own-database";
import { rowsRead } from "@/lib/testing/rows-read";

let close: () => Promise<void>;
beforeAll(async () => {
  close = await openOwnDatabase();
});
afterAll(() => close());

async function deposit(count: number) {
  const owners = { account: newId(), platform: PLATFORM, rail: null };
  const facts = Array.from(
    { length: count },
    (): Fact => ({ type: "deposit_completed", sourceId: newId(), owners, amounts: { net: 95, fee: 5 } }),
  );
  await forAccount([owners.account, PLATFORM], (tx) => post(tx, ...facts));
}

test("a fold reads only what it folds, also by a plan from when nothing waited", async () => {
  await deposit(100);
  while (await foldTails());
  await connected(ownerUrl(), (owner) => owner.query("vacuum analyze ledger_tail"));
  const fold = (query: Query) => query("", "select ledger_fold(100)", []);
  const [, , read] = await rowsRead("ledger_tail", [fold, () => deposit(1_000), fold]);
  expect(read).toBeGreaterThanOrEqual(200);
  expect(read).toBeLessThan(400);
});
