import { expect, test } from "vitest";
import { readWithdrawalDetail } from "@/lib/dashboard/withdrawal";
import { forAccount, prisma, transactionFor } from "@/lib/db";
import { newAlphanumeric, newId } from "@/lib/ids";
import { move } from "@/lib/move";
import { finishCall } from "@/lib/outside/calls";
import { call, type Made, makeAccount } from "@/lib/testing/make";
import { openRail } from "@/lib/testing/rail";
import { aMember } from "@/lib/testing/team";
import { askedWithdrawal, awaitingWithdrawal, cashOut, setLimits } from "@/lib/testing/withdrawals";
import { withdrawalCall } from "@/lib/withdrawals/call";
import { approveWithdrawal } from "@/lib/withdrawals/decide";
import { withdrawalNoun } from "@/lib/withdrawals/noun";
import { requestWithdrawal } from "@/lib/withdrawals/request";
import { readWithdrawalTerms } from "@/lib/withdrawals/terms";

openRail();

/** A seller in its sandbox, with the ids of its owner and of its live account. */
async function aSeller(available = 100_000) {
  const made = await makeAccount({ available });
  const { accountId: liveId, userId } = await prisma().membership.findFirstOrThrow({
    where: { sandboxId: made.accountId },
  });
  const member = (role: "finance" | "viewer") => aMember({ accountId: liveId, sandboxId: made.accountId }, role);
  return { ...made, liveId, userId, member };
}

const by = ({ liveId }: { liveId: string }, userId: string) => ({ kind: "session", liveId, userId }) as const;

/** Has a person ask for a withdrawal above what one person may. Returns its id. */
async function askedBy(seller: Awaited<ReturnType<typeof aSeller>>, userId: string) {
  await setLimits(seller, { approvalAbove: 0 });
  const input = { ...cashOut(), by: by(seller, userId) };
  return (await requestWithdrawal(seller.account, input, call())).reference_id;
}

const mayBeDecided = async ({ account }: Made, id: string, userId: string) =>
  (await readWithdrawalDetail(account, id, userId)).may_decide;

test("a page offers a decision to whom the verb lets decide, and to nobody else", async () => {
  const seller = await aSeller();
  const [bia, viewer] = [await seller.member("finance"), await seller.member("viewer")];
  const id = await askedBy(seller, seller.userId);
  const late = await seller.member("finance");
  for (const userId of [seller.userId, viewer, late]) {
    expect(await mayBeDecided(seller, id, userId)).toBe(false);
    await expect(approveWithdrawal(seller.account, { id, by: by(seller, userId) }, call())).rejects.toMatchObject({
      code: expect.stringMatching(/own_request|insufficient_scope/),
    });
  }
  expect(await mayBeDecided(seller, id, bia)).toBe(true);
  await approveWithdrawal(seller.account, { id, by: by(seller, bia) }, call());
  const { asked_by, approved_by, may_decide, is_stopped } = await readWithdrawalDetail(
    seller.account,
    id,
    seller.userId,
  );
  expect([asked_by, approved_by, may_decide, is_stopped]).toEqual([
    ...[{ name: "Teste", is_mine: true }, "Pessoa finance", false, false],
  ]);
});

test("what a program asked for may be decided by its maker only where there is nobody else", async () => {
  const seller = await aSeller();
  await setLimits(seller, { approvalAbove: 0 });
  const where = { clientId: seller.clientId };
  await forAccount(seller.accountId, (tx) => tx.credential.updateMany({ where, data: { madeBy: seller.userId } }));
  const id = await askedWithdrawal(seller);
  expect(await mayBeDecided(seller, id, seller.userId)).toBe(true);
  const bia = await seller.member("finance");
  expect(await mayBeDecided(seller, id, seller.userId)).toBe(false);
  expect(await mayBeDecided(seller, await awaitingWithdrawal(seller), bia)).toBe(true);
});

test("another account's withdrawal is not found", async () => {
  const [mine, other] = [await aSeller(), await aSeller()];
  const id = await askedWithdrawal(other);
  await expect(readWithdrawalDetail(mine.account, id, mine.userId)).rejects.toMatchObject({
    code: "withdrawal_not_found",
  });
});

test("the form is told what is left of each limit, who was paid, and that payouts are stopped", async () => {
  const seller = await aSeller();
  await setLimits(seller, { withdrawalFee: 150, withdrawalDayLimit: 50_000, newKeyLimit: 20_000 });
  const person = { userId: seller.userId, liveId: seller.liveId };
  const key = "123e4567-e89b-42d3-a456-426614174000";
  const [old, fresh] = [await askedWithdrawal(seller), await askedWithdrawal(seller, { pix_key: newKey() })];
  const paid = async (id: string, hours: number) => {
    const key = { accountId: seller.accountId, id };
    await transactionFor(seller.accountId, (query) => move(query, withdrawalNoun, "send", [key]));
    const paidAt = new Date(Date.now() - hours * 3_600_000);
    await finishCall(withdrawalCall, key, { status: "paid", endToEndId: `E${newAlphanumeric(31)}`, paidAt });
    await forAccount(seller.accountId, (tx) => tx.withdrawal.updateMany({ where: { id }, data: { paidAt } }));
  };
  await paid(old, 25);
  await paid(fresh, 1);
  const terms = await readWithdrawalTerms(seller.account, person);
  expect(terms).toMatchObject({ fee: 1.5, day_limit: 500, day_left: 480, new_key_limit: 200, new_key_left: 180 });
  expect(terms).toMatchObject({ is_new: true, stopped_since: null, approval_above: null });
  expect(terms.payees.map(({ pix_key, is_known }) => [pix_key === key, is_known])).toEqual([
    [false, false],
    [true, true],
  ]);
  const stop = { scope: "account", target: seller.accountId, reason: "Suspeita.", stoppedBy: seller.userId } as const;
  await prisma().payoutStop.create({ data: stop });
  expect((await readWithdrawalTerms(seller.account, person)).stopped_since).toMatch(/^\d{4}-/);
  expect((await readWithdrawalDetail(seller.account, old, seller.userId)).is_stopped).toBe(true);
});

const newKey = () => newId();
