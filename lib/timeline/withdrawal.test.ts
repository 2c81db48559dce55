import { expect, test } from "vitest";
import { forAccount } from "@/lib/db";
import { makeAccount } from "@/lib/testing/make";
import { openRail } from "@/lib/testing/rail";
import { askedWithdrawal } from "@/lib/testing/withdrawals";
import { readTimeline, readTimelineForReview } from "@/lib/timeline/read";

openRail();

test("a withdrawal's timeline has its events and the lines of what it holds, also for the staff, and no other account's", async () => {
  const [seller, other] = [await makeAccount(), await makeAccount()];
  const id = await askedWithdrawal(seller, { amount: 40 });
  const scopes = ["withdrawals:read"] as const;
  const { data } = await readTimeline(seller.account, scopes, "withdrawal", id);
  const told = data.map(({ kind, title, status, detail }) => [kind, title, status, detail]);
  expect(told).toEqual(
    expect.arrayContaining([
      ["event", "withdrawal.created", "requested", "40.00"],
      ["ledger", "withdrawal_requested", "held", "40.00"],
      ["ledger", "withdrawal_requested", "available", "-40.00"],
    ]),
  );
  expect((await readTimelineForReview(seller.accountId, "withdrawal", id)).data).toHaveLength(data.length);
  await expect(readTimeline(other.account, scopes, "withdrawal", id)).rejects.toMatchObject({
    code: "withdrawal_not_found",
  });
  await expect(readTimeline(seller.account, ["refunds:read"], "withdrawal", id)).rejects.toMatchObject({
    code: "insufficient_scope",
  });
  expect(await forAccount(other.accountId, (tx) => tx.withdrawal.count({ where: { id } }))).toBe(0);
});
