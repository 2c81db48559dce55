import { expect, test } from "vitest";
import { readOverview } from "@/lib/dashboard/overview";
import { forAccount } from "@/lib/db";
import { cancelRefund } from "@/lib/refunds/cancel";
import { countByStatus } from "@/lib/rollups/read";
import { call, type Made, makeAccount } from "@/lib/testing/make";
import { ask, completeRefund, soldBy } from "@/lib/testing/refunds";
import { createWebhook } from "@/lib/webhooks/create";
import { WebhookInput } from "@/lib/webhooks/schema";

const blockedOf = async ({ account }: Made) => {
  const { balance, refunds } = await readOverview(account);
  return { blocked: balance.blocked, ...refunds };
};

test("says what is blocked and why: by open refunds of the account, and by its parts of sales that others refund", async () => {
  const [seller, other] = [await makeAccount(), await makeAccount()];
  await forAccount(seller.accountId, (tx) =>
    tx.account.update({ where: { id: seller.accountId }, data: { refundFee: 150 } }),
  );
  const nothing = { blocked: "0.00", open: 0, pending: 0, held: "0.00", shares: "0.00" };
  expect(await blockedOf(seller)).toEqual(nothing);
  await soldBy(seller, { amount: 1_000 });
  const byPix = await ask(seller, await soldBy(seller, { amount: 10_000 }), { amount: 40 });
  const shares = [{ made: other, share: 3_000 }];
  await ask(seller, await soldBy(seller, { method: "card", amount: 10_000, shares }), { amount: 50 });
  await ask(other, await soldBy(other, { amount: 700 }));
  // R$ 15.00 of the card sale's refund are the other's, until the decision.
  expect(await blockedOf(seller)).toEqual({ blocked: "78.00", open: 2, pending: 2, held: "78.00", shares: "0.00" });
  expect(await blockedOf(other)).toEqual({ blocked: "22.00", open: 1, pending: 1, held: "7.00", shares: "15.00" });
  await cancelRefund(seller.account, byPix, call());
  expect(await blockedOf(seller)).toEqual({ blocked: "36.50", open: 1, pending: 1, held: "36.50", shares: "0.00" });
});

test("what was paid stays what was paid, whatever of it goes back later; a sale of which all went back is a refunded one", async () => {
  const seller = await makeAccount();
  const sales = [await soldBy(seller, { amount: 10_000 }), await soldBy(seller, { amount: 5_000 })];
  const read = async () => {
    const { today, days } = await readOverview(seller.account);
    const which = { accountId: seller.accountId, basis: "paid", methods: ["pix", "card"] } as const;
    const counts = await forAccount(seller.accountId, (tx) => countByStatus(tx, which));
    return { today, last: days.at(-1), counts: counts.map(({ status, number }) => [status, number]) };
  };
  const volume = {
    today: { count: 2, amount: "150.00" },
    last: expect.objectContaining({ count: 2, amount: "150.00" }),
  };
  for (const [part, counts] of [
    ["30.00", [["completed", 2]]],
    [
      "70.00",
      [
        ["completed", 1],
        ["refunded", 1],
      ],
    ],
  ] as const) {
    await completeRefund(seller, await ask(seller, sales[0] ?? "", { amount: part }));
    expect(await read()).toEqual({ ...volume, counts });
  }
});

test("the webhook that fails is named where it is the only one", async () => {
  const { account, accountId } = await makeAccount();
  const add = (title: string) =>
    createWebhook(account, WebhookInput.parse({ title, url: "http://localhost:9/", event: "transaction" }), call());
  const [first, second] = [await add("Loja"), await add("Estoque")];
  const read = async () => {
    const { failing_webhooks, failing_webhook } = await readOverview(account);
    return [failing_webhooks, failing_webhook];
  };
  const fail = ({ id }: { id: number }) =>
    forAccount(accountId, (tx) => tx.webhook.updateMany({ where: { id }, data: { failuresInRow: 1 } }));
  expect(await read()).toEqual([0, null]);
  await fail(second);
  expect(await read()).toEqual([1, second.id]);
  await fail(first);
  expect(await read()).toEqual([2, null]);
});
