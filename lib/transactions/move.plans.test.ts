import { afterAll, beforeAll, expect, test } from "vitest";
import { forAccount } from "@/lib/db";
import { newId } from "@/lib/ids";
import { makeAccount } from "@/lib/testing/make";
import { connected, openOwnDatabase, ownerUrl } from "@/lib/testing/own-database";
import { insertSales } from "@/lib/transactions/insert";
import { moveSalesNow } from "@/lib/transactions/move";

/** Its tables are small, and PostgreSQL knows it. */
let drop: () => Promise<void>;
beforeAll(async () => {
  drop = await openOwnDatabase();
});
afterAll(() => drop());

test("sales move also where PostgreSQL would rather read a small table as a whole", async () => {
  const { accountId } = await makeAccount();
  const [paid, expired] = [newId(), newId()];
  const now = new Date();
  const sales = [paid, expired].map((id) => {
    return { accountId, id, method: "pix" as const, amount: 100, fee: 1, net: 99, shares: [], createdAt: now };
  });
  await forAccount(accountId, (tx) => insertSales(tx, sales));
  await connected(ownerUrl(), (owner) => owner.query("analyze transactions"));
  expect(await moveSalesNow("expire", [{ accountId, id: expired }])).toHaveLength(1);
  expect(await moveSalesNow("pay", [{ accountId, id: paid, paidAt: now }])).toHaveLength(1);
});
