import { expect, test } from "vitest";
import { forAccount } from "@/lib/db";
import type { AppError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { admitPayment } from "@/lib/payment-links/admit";
import { makeLink } from "@/lib/testing/checkout";
import { makeAccount } from "@/lib/testing/make";
import { insertSales } from "@/lib/transactions/insert";

test("of many transactions at once, as of several processes, no more are admitted than the link has payments left", async () => {
  const seller = await makeAccount();
  const { account, accountId } = seller;
  const token = await makeLink(seller, { max_payments: 3 });
  const now = new Date();
  const code = { accountId, method: "pix" as const, amount: 13_200, fee: 0, net: 13_200, shares: [], createdAt: now };
  const ask = () =>
    forAccount(accountId, async (tx) => {
      await admitPayment(tx, account, { linkId: token, amount: 13_200 });
      const expiresAt = new Date(now.getTime() + 60_000);
      await insertSales(tx, [{ ...code, id: newId(), origin: "payment_link", paymentLinkId: token, expiresAt }]);
      return "admitted";
    }).catch((error: AppError) => error.code);
  const answers = await Promise.all(Array.from({ length: 20 }, ask));
  expect(answers.sort()).toEqual([...Array(3).fill("admitted"), ...Array(17).fill("checkout_busy")]);
});
