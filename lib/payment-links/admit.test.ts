import { expect, test } from "vitest";
import { forAccount } from "@/lib/db";
import type { AppError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { admitPayment } from "@/lib/payment-links/admit";
import { makeLink, personOf } from "@/lib/testing/checkout";
import { type Made, makeAccount } from "@/lib/testing/make";
import { insertSales } from "@/lib/transactions/insert";

/** Asks for a code of a link in a transaction of its own, as another process would. */
async function ask({ account, accountId }: Made, linkId: string, person: number, ip: string): Promise<string> {
  const now = new Date();
  const { name, email, document } = personOf(person);
  const payer = { name, email, document, phone: null, deliveryAddress: null, ip };
  const code = { accountId, method: "pix" as const, amount: 13_200, fee: 0, net: 13_200, shares: [], createdAt: now };
  return forAccount(accountId, async (tx) => {
    const own = await admitPayment(tx, account, { linkId, amount: 13_200, method: "pix", payer });
    if (own) return own.id;
    const id = newId(now);
    const of = { clientName: name, clientEmail: email, clientDocument: document, clientPhone: null, clientIp: ip };
    const expiresAt = new Date(now.getTime() + 600_000);
    const written = { ...code, ...of, id, pixCode: id, paymentLinkId: linkId, expiresAt };
    await insertSales(tx, [{ ...written, origin: "payment_link" }]);
    return id;
  }).catch((error: AppError) => error.code);
}

const twenty = (one: (at: number) => Promise<string>) => Promise.all(Array.from({ length: 20 }, (_, at) => one(at)));
const busyOf = (answers: string[]) => answers.filter((answer) => answer === "checkout_busy").length;

test("of many transactions at once, as of several processes, no more are admitted than the link has payments left", async () => {
  const seller = await makeAccount();
  const token = await makeLink(seller, { max_payments: 3 });
  const answers = await twenty((at) => ask(seller, token, at, `203.0.113.${at}`));
  expect([new Set(answers).size, busyOf(answers)]).toEqual([4, 17]);
});

test("of many transactions at once one visitor gets one code, and one network no more than three", async () => {
  const seller = await makeAccount();
  const token = await makeLink(seller, { max_payments: 8 });
  const same = await twenty(() => ask(seller, token, 1, "203.0.113.1"));
  expect([new Set(same).size, busyOf(same)]).toEqual([1, 0]);
  const near = await twenty((at) => ask(seller, token, 10 + at, `2001:db8:1:2::${at + 1}`));
  expect([new Set(near).size, busyOf(near)]).toEqual([4, 17]);
});
