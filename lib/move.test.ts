import { afterAll, beforeAll, expect, test } from "vitest";
import { actAs } from "@/lib/actor";
import { forAccount } from "@/lib/db";
import { newId } from "@/lib/ids";
import { readBalances } from "@/lib/ledger/balance";
import { platforms } from "@/lib/ledger/chart";
import type { Fact } from "@/lib/ledger/post";
import { begin, changesBy, move, type Noun } from "@/lib/move";
import { makeAccount } from "@/lib/testing/make";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { historyOf, tracesOf } from "@/lib/testing/traces";

/** These records are no sales, so they are in a database that the run's last reconcile does not read. */
let drop: () => Promise<void>;
beforeAll(async () => {
  drop = await openOwnDatabase();
});
afterAll(() => drop());

/** They have names that sales' own have not, because a statement is kept by its table and transition. */
const transitions = {
  close: { from: ["pending"], to: "completed" },
  lose: { from: ["pending"], to: "failed" },
} as const;
const noun: Noun<keyof typeof transitions> = {
  ...{ subject: "transaction", table: "transactions", facts: { reason: "text" }, record: (row) => `to_jsonb(${row})` },
  changes: changesBy(transitions, { lose: ", refused_reason = old.reason" }),
};

const rowOf = (account_id: string) => ({
  ...{ account_id, id: newId(), method: "pix", status: "pending", amount: 500, fee: 0, net: 500 },
  ...{ created_at: new Date(), updated_at: new Date() },
});
const creditOf = (account: string, sourceId: string): Fact => ({
  ...{ type: "demo_funded", sourceId, owners: { account, platform: platforms.sandbox }, amounts: { amount: 500 } },
});

test("a record begins with its event, by whom and for which request, and its money, and moves on from there", async () => {
  const { accountId } = await makeAccount();
  const [row, requestId, actor] = [rowOf(accountId), newId(), { kind: "credential", id: "c" } as const];
  const { id } = row;
  const posts = [creditOf(accountId, id)];
  const begun = await forAccount([accountId, platforms.sandbox], (tx) =>
    actAs(actor, () => begin(tx, noun, { row, posts }), requestId),
  );
  expect(begun).toMatchObject({ id, status: "pending", amount: 500, refused_reason: null });
  const [event] = await forAccount(accountId, (tx) => tx.event.findMany({ where: { accountId, subjectId: id } }));
  expect(event).toMatchObject({ type: "transaction.created", requestId, actor, record: begun });
  expect(event?.occurredAt).toEqual(row.created_at);
  expect(await readBalances(accountId)).toMatchObject({ available: 500 });
  const facts = { reason: "lost_card" };
  const moved = await forAccount(accountId, (tx) =>
    actAs(actor, () => move(tx, noun, "lose", [{ accountId, id, facts }]), requestId),
  );
  expect(moved).toMatchObject([{ previous: "pending", record: { status: "failed", refused_reason: "lost_card" } }]);
  expect(await forAccount(accountId, (tx) => move(tx, noun, "close", [{ accountId, id }]))).toEqual([]);
  expect(await historyOf(accountId, id)).toEqual(["pending", "pending → failed"]);
  expect(await forAccount(accountId, (tx) => tx.event.count({ where: { accountId, requestId } }))).toBe(2);
});

test("a record whose money cannot be posted, or of an account out of scope, does not begin", async () => {
  const [{ accountId }, other] = [await makeAccount(), await makeAccount()];
  const row = rowOf(accountId);
  const before = await tracesOf(accountId);
  const withMoney = { row, posts: [creditOf(accountId, row.id)] };
  await expect(forAccount(accountId, (tx) => begin(tx, noun, withMoney))).rejects.toThrow(/scope/);
  await expect(forAccount(other.accountId, (tx) => begin(tx, noun, { row }))).rejects.toThrow(/row-level security/);
  expect(await tracesOf(accountId)).toEqual(before);
});
