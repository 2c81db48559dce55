import { expect, onTestFinished, test, vi } from "vitest";
import { forAccount } from "@/lib/db";
import { expireDeposit, expireDueDeposits } from "@/lib/deposits/expire";
import { requestDeposit } from "@/lib/deposits/request";
import { newId } from "@/lib/ids";
import { log } from "@/lib/log";
import { call, cashIn, type Made, makeAccount } from "@/lib/testing/make";
import { historyOf, tracesOf } from "@/lib/testing/traces";

/** Makes a sale that expires `dueInMs` from now, on the account's clock. */
async function askFor({ account }: Made, dueInMs = 60_000): Promise<string> {
  const expiresAt = new Date(Date.now() + account.clockOffsetMs + dueInMs);
  const deposit = await requestDeposit(account, { ...cashIn(), expiresAt }, call());
  return deposit.identifier;
}

const statusOf = ({ accountId }: Made, id: string) =>
  forAccount(accountId, async (tx) => {
    const sale = await tx.transaction.findUniqueOrThrow({ where: { accountId_id: { accountId, id } } });
    return sale.status;
  });

test("of many calls at once one expires an open sale and notifies its webhooks", async () => {
  const seller = await makeAccount();
  const id = await askFor(seller);
  const race = await Promise.allSettled(Array.from({ length: 8 }, () => expireDeposit(seller.account, { id }, call())));
  const refusals = race.filter((outcome) => outcome.status === "rejected");
  expect(refusals).toHaveLength(7);
  for (const { reason } of refusals) expect(reason).toMatchObject({ code: "invalid_transition" });
  expect(await historyOf(seller.accountId, id)).toEqual(["pending", "pending → expired"]);
  expect(await tracesOf(seller.accountId)).toMatchObject({ outbox: 2, postings: 0 });
});

test("another account's sale is not found, like one that does not exist", async () => {
  const [seller, other] = [await makeAccount(), await makeAccount()];
  const id = await askFor(seller);
  const before = await tracesOf(other.accountId);
  for (const unknown of [id, newId()]) {
    await expect(expireDeposit(other.account, { id: unknown }, call())).rejects.toMatchObject({
      code: "transaction_not_found",
    });
  }
  expect(await tracesOf(other.accountId)).toEqual(before);
  expect(await statusOf(seller, id)).toBe("pending");
});

test("two loops at once expire each due sale once, and no other", async () => {
  const seller = await makeAccount();
  const [due, open] = [await askFor(seller, -1_000), await askFor(seller, 60_000)];
  await Promise.all([expireDueDeposits(), expireDueDeposits()]);
  expect(await historyOf(seller.accountId, due)).toEqual(["pending", "pending → expired"]);
  expect(await statusOf(seller, open)).toBe("pending");
});

test("a sale that cannot be expired is reported, does not stop the others and is not tried again at once", async () => {
  const [broken, seller] = [await makeAccount(), await makeAccount()];
  const [stuck, due] = [await askFor(broken, -2_000), await askFor(seller, -1_000)];
  const where = { id: broken.accountId };
  const setClock = (clockOffsetMs: bigint) =>
    forAccount(broken.accountId, (tx) => tx.account.update({ where, data: { clockOffsetMs } }));
  const report = vi.spyOn(log, "error").mockImplementation(() => {});
  onTestFinished(() => report.mockRestore());
  await setClock(-9_000_000_000_000_000n); // a time that the database cannot write
  for (let look = 0; look < 2; look += 1) expect(await expireDueDeposits()).toBe(false);
  await setClock(0n);
  expect([await statusOf(broken, stuck), await statusOf(seller, due)]).toEqual(["pending", "expired"]);
  expect(report.mock.calls).toEqual([[expect.objectContaining({ id: stuck }), expect.any(String)]]);
});

test("the loop reads each account's own clock", async () => {
  const seller = await makeAccount();
  const id = await askFor(seller, 60 * 60_000);
  const real = await makeAccount();
  const kept = await askFor(real, 60 * 60_000);
  await forAccount(seller.accountId, (tx) =>
    tx.account.update({ where: { id: seller.accountId }, data: { clockOffsetMs: 2n * 60n * 60_000n } }),
  );
  await expireDueDeposits();
  expect([await statusOf(seller, id), await statusOf(real, kept)]).toEqual(["expired", "pending"]);
});
