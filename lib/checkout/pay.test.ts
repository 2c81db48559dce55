import { describe, expect, onTestFinished, test } from "vitest";
import { findOffer, readCheckout } from "@/lib/checkout/find";
import { CheckoutPay } from "@/lib/checkout/schema";
import { readPayment } from "@/lib/checkout/status";
import { takeLinkSlot } from "@/lib/checkout/take-link-slot";
import { forAccount } from "@/lib/db";
import type { AppError } from "@/lib/errors";
import { replayOf } from "@/lib/idempotency";
import { newId } from "@/lib/ids";
import { listPayments } from "@/lib/payment-links/payments";
import { readPaymentLink } from "@/lib/payment-links/read";
import { PaymentLinkChange } from "@/lib/payment-links/schema";
import { updatePaymentLink } from "@/lib/payment-links/update";
import { createPlan } from "@/lib/plans/create";
import { PlanInput } from "@/lib/plans/schema";
import { createProduct } from "@/lib/products/create";
import { ProductInput } from "@/lib/products/schema";
import { archiveProduct } from "@/lib/products/update";
import type { DynamicCodes } from "@/lib/rails/pix/port";
import { railFor } from "@/lib/rails/pix/rails";
import { countSlots, limits } from "@/lib/rate-limits/spend-slot";
import { aPayer, makeLink, payAs, personOf, settleAs } from "@/lib/testing/checkout";
import { call, type Made, makeAccount } from "@/lib/testing/make";
import { servePsp } from "@/lib/testing/psp";
import { openRail } from "@/lib/testing/rail";
import { aToken } from "@/lib/testing/shop";
import { tracesOf } from "@/lib/testing/traces";
import { readTransactionV2 } from "@/lib/transactions/read";

openRail();

const change = ({ account }: Made, token: string, body: object) =>
  updatePaymentLink(account, { ...PaymentLinkChange.parse(body), id: token }, call());
const statusOf = async (token: string, id: string) => (await readPayment(token, id)).data.status;
const countOf = async ({ account }: Made, token: string) => (await readPaymentLink(account, token)).data.payments_count;
const codeOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => "done",
    (error: AppError) => error.code,
  );

test("a payment of a link is a sale that names the link, or the product that it sells, and is counted once it is paid", async () => {
  const seller = await makeAccount();
  const { data: product } = await createProduct(seller.account, ProductInput.parse({ name: "Clube" }), call());
  const token = await makeLink(seller, { product: product.reference_id });
  const { data } = await payAs(token);
  expect(data).toMatchObject({ status: "pending", pix_code: expect.stringMatching(/^000201/) });
  const { data: sale } = await readTransactionV2(seller.accountId, data.payment);
  expect(sale).toMatchObject({
    transaction: { origin: "payment_link", amount: 132, description: "Assinatura da revista" },
    customer: { name: aPayer.name, document: "52998224725", phone: "11987654321" },
    checkout: { reference_id: product.reference_id, name: "Clube", items: [{ reference_id: token, amount: 132 }] },
    tracking: { client_ip: "203.0.113.9", user_agent: "test" },
    delivery_address: null,
  });
  expect([await statusOf(token, data.payment), await countOf(seller, token)]).toEqual(["pending", 0]);
  await settleAs(seller, data.payment);
  expect([await statusOf(token, data.payment), await countOf(seller, token)]).toEqual(["paid", 1]);
  const { data: payments, meta } = await listPayments(seller.accountId, token, { page: 1, per_page: 15 });
  expect([payments.map(({ reference_id }) => reference_id), meta.total]).toEqual([[data.payment], 1]);

  const bare = await makeLink(seller);
  const unnamed = await payAs(bare);
  const other = await readTransactionV2(seller.accountId, unnamed.data.payment);
  expect(other.data.checkout).toMatchObject({ reference_id: bare, name: "Assinatura da revista" });
});

test("a card pays at once, and a refused one can be followed by another", async () => {
  const seller = await makeAccount();
  const token = await makeLink(seller, { max_payments: 1 });
  const payBy = async (number?: string) =>
    payAs(token, { method: "card", card: { token: await aToken(seller, number) } });
  expect(await codeOf(payBy("4000000000000002"))).toBe("card_refused");
  const { data } = await payBy();
  expect(data).toMatchObject({ status: "paid", pix_code: null });
  const { data: sale } = await readTransactionV2(seller.accountId, data.payment);
  expect(sale).toMatchObject({ transaction: { origin: "payment_link", payment_method: "credit_card" } });
  expect(await countOf(seller, token)).toBe(1);
  expect(await codeOf(payBy())).toBe("checkout_used_up");
});

test("an address is asked for by the link alone, and kept with the sale", async () => {
  const seller = await makeAccount();
  const token = await makeLink(seller, { collect_address: true });
  const address = {
    ...{ postal_code: "01310-100", street: "Av. Paulista", number: "1000", complement: "" },
    ...{ district: "Bela Vista", city: "São Paulo", state: "sp" },
  };
  expect(await codeOf(payAs(token))).toBe("validation_failed");
  const { data } = await payAs(token, { address });
  const kept = await readTransactionV2(seller.accountId, data.payment);
  expect(kept.data.delivery_address).toEqual({ ...address, postal_code: "01310100", complement: null, state: "SP" });
  const { data: other } = await payAs(await makeLink(seller), { address });
  expect((await readTransactionV2(seller.accountId, other.payment)).data.delivery_address).toBeNull();
});

describe("a link for a number of payments", () => {
  test("has no more open codes and payments together, also when ten ask at once", async () => {
    const seller = await makeAccount();
    const token = await makeLink(seller, { max_payments: 3 });
    const ask = (_: unknown, at: number) => codeOf(payAs(token, personOf(at), `203.0.113.${at}`));
    const codes = await Promise.all(Array.from({ length: 10 }, ask));
    expect(codes.sort()).toEqual([...Array(7).fill("checkout_busy"), ...Array(3).fill("done")]);
    expect(await tracesOf(seller.accountId)).toMatchObject({ transactions: 3 });
  });

  test("is full when they are paid, and what is paid late counts and is credited all the same", async () => {
    const seller = await makeAccount();
    const token = await makeLink(seller, { max_payments: 1 });
    const first = await payAs(token);
    const second = await payAs(token, { replaces: first.data.payment });
    expect(await statusOf(token, first.data.payment)).toBe("expired");
    await settleAs(seller, second.data.payment);
    expect(await codeOf(payAs(token))).toBe("checkout_used_up");
    expect((await readCheckout(token)).data.status).toBe("used_up");
    await settleAs(seller, first.data.payment);
    expect([await statusOf(token, first.data.payment), await countOf(seller, token)]).toEqual(["paid", 2]);
    const { data: paidTwice } = await readPaymentLink(seller.account, token);
    expect(paidTwice).toMatchObject({ max_payments: 1, payments_count: 2, payments_above_max: 1 });
    await change(seller, token, { max_payments: 3 });
    expect(await codeOf(payAs(token))).toBe("done");
  });

  test("says when the open code ends, and only a payer's own code of the same link is replaced", async () => {
    const seller = await makeAccount();
    const [token, other] = [await makeLink(seller, { max_payments: 1 }), await makeLink(seller)];
    const mine = await payAs(token);
    const theirs = await payAs(other);
    const body = { ...personOf(1), replaces: theirs.data.payment };
    const refused = (await payAs(token, body).catch((error) => error)) as AppError;
    expect(refused.code).toBe("checkout_busy");
    expect(refused.options.retryAfterMs).toBeGreaterThan(9 * 60_000);
    expect(refused.options.retryAfterMs, "its codes are short").toBeLessThanOrEqual(10 * 60_000);
    expect(await statusOf(other, theirs.data.payment)).toBe("pending");
    await settleAs(seller, mine.data.payment);
    expect(await codeOf(payAs(token, { replaces: mine.data.payment }))).toBe("checkout_paid");
    expect(await statusOf(token, mine.data.payment)).toBe("paid");
  });
});

describe("of a link for a number of payments one visitor", () => {
  const inHours = ({ accountId }: Made, hours: number) =>
    forAccount(accountId, (tx) =>
      tx.account.update({
        where: { id: accountId },
        data: { clockOffsetMs: { increment: BigInt(hours * 3_600_000) } },
      }),
    );
  const HOME = "2001:db8:1:2::";

  test("gets the same open code again, also when five ask at once, and another where what they typed is another", async () => {
    const seller = await makeAccount();
    const token = await makeLink(seller, { max_payments: 2 });
    const ask = (_: unknown, at: number) => payAs(token, { attempt: newId() }, `${HOME}${at + 1}`);
    const answers = await Promise.all(Array.from({ length: 5 }, ask));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    const [first] = answers.map(({ data }) => data.payment);
    const { data } = await payAs(token, { email: "outra@example.com" }, `${HOME}9`);
    expect(data.payment).not.toBe(first);
    expect([await statusOf(token, first ?? ""), await statusOf(token, data.payment)]).toEqual(["expired", "pending"]);
    expect(await tracesOf(seller.accountId)).toMatchObject({ transactions: 2 });
    await settleAs(seller, data.payment);
    expect((await payAs(token, {}, HOME)).data.payment, "what is paid is not given again").not.toBe(data.payment);
  });

  test("keeps its own code though somebody elsewhere knows its document, and is not given theirs", async () => {
    const seller = await makeAccount();
    const token = await makeLink(seller, { max_payments: 2 });
    const mine = await payAs(token);
    const theirs = await payAs(token, { email: "outra@example.com" }, "198.51.100.1");
    expect(theirs.data.payment).not.toBe(mine.data.payment);
    expect(await statusOf(token, mine.data.payment)).toBe("pending");
  });

  test("gets it again from a rail that makes its codes itself, which is asked once and gives one turn", async () => {
    const psp = await servePsp();
    let turns = 0;
    const rail = Object.assign(railFor("sandbox") as DynamicCodes, {
      admitCode: async () => {
        turns += 1;
        return 0;
      },
    });
    onTestFinished(async () => {
      Object.assign(rail, { admitCode: undefined });
      await psp.close();
    });
    const token = await makeLink(await makeAccount(), { max_payments: 1 });
    const [first, attempt] = [await payAs(token, { attempt: newId() }), newId()];
    expect(await payAs(token, { attempt })).toEqual(first);
    const repeat = replayOf(await payAs(token, { attempt }).catch((error) => error));
    expect(JSON.parse(repeat?.body ?? "")).toEqual(first);
    expect([turns, ...psp.sent.map(({ method }) => method)]).toEqual([1, "PUT"]);
  });

  test("can pay by card in place of their own code", async () => {
    const seller = await makeAccount();
    const token = await makeLink(seller, { max_payments: 1 });
    const mine = await payAs(token);
    const { data } = await payAs(token, { method: "card", card: { token: await aToken(seller) } });
    expect([data.status, await statusOf(token, mine.data.payment)]).toEqual(["paid", "expired"]);
  });

  test("with many documents holds three places, or a fourth of many, and leaves the others to others", async () => {
    const seller = await makeAccount();
    for (const [places, held] of [
      [8, 3],
      [40, 10],
    ] as const) {
      const token = await makeLink(seller, { max_payments: places });
      const ask = (_: unknown, at: number) => codeOf(payAs(token, personOf(at), `${HOME}${at + 1}`));
      const codes = await Promise.all(Array.from({ length: 16 }, ask));
      expect(codes.sort()).toEqual([...Array(16 - held).fill("checkout_busy"), ...Array(held).fill("done")]);
      expect(await codeOf(payAs(token, personOf(99), "2001:db8:1:3::1")), "a neighbour").toBe("done");
    }
  });

  test("cannot keep it busy by codes that end unpaid, while those who pay at the same address go on", async () => {
    const seller = await makeAccount();
    const token = await makeLink(seller, { max_payments: 2 });
    const office = await makeLink(seller, { max_payments: 20 });
    for (let person = 0; person < 6; person += 1) {
      expect(await codeOf(payAs(token, personOf(person), HOME))).toBe("done");
      await settleAs(seller, (await payAs(office, personOf(person), HOME)).data.payment);
      await inHours(seller, 1);
    }
    const refused = (await payAs(token, personOf(7), HOME).catch((error) => error)) as AppError;
    expect(refused.code).toBe("checkout_unpaid");
    expect(refused.options.retryAfterMs).toBeGreaterThan(17 * 3_600_000);
    expect(refused.options.retryAfterMs).toBeLessThanOrEqual(18 * 3_600_000);
    expect(await codeOf(payAs(office, personOf(7), HOME))).toBe("done");
    expect(await codeOf(payAs(token, personOf(8), "198.51.100.1")), "elsewhere").toBe("done");
    const card = { token: await aToken(seller) };
    expect(await codeOf(payAs(token, { ...personOf(7), method: "card", card }, HOME)), "by card").toBe("done");
    await inHours(seller, 19);
    await change(seller, token, { max_payments: 3 });
    expect(await codeOf(payAs(token, personOf(7), HOME)), "a day after the first").toBe("done");
  });
});

test("the places of a link are not spent by one IPv6 site, whose share holds exactly for many at once", async () => {
  const seller = await makeAccount();
  const token = await makeLink(seller);
  const site = Array.from({ length: 1_600 }, (_, at) => `2001:db8:2:${at.toString(16)}::1`);
  const codes = await Promise.all(site.map((ip) => codeOf(takeLinkSlot(token, ip))));
  expect(codes.filter((code) => code === "done")).toHaveLength(1_500);
  expect(await codeOf(payAs(token, {}, "2001:db8:2:ffff::1"))).toBe("rate_limit_exceeded");
  expect(await codeOf(payAs(token, {}, "2001:db8:3::1")), "another site").toBe("done");
  expect(await countSlots("checkout-pay", token), "the refused spend none").toBe(1_501);
});

test("it takes fifty addresses, or ten IPv6 sites, to spend what a link takes in a minute", () => {
  const whole = limits["checkout-pay"]();
  expect(whole).toBeGreaterThanOrEqual(50 * limits["checkout-pay-address"]());
  expect(whole).toBeGreaterThanOrEqual(10 * limits["checkout-pay-site"]());
});

test("a repeat of an attempt is answered as the first was, also of five at once; another attempt pays anew", async () => {
  const seller = await makeAccount();
  const token = await makeLink(seller);
  const pay = (attempt: string, overrides = {}) =>
    payAs(token, { attempt, ...overrides }).then(JSON.stringify, (error: unknown) => {
      const replayed = replayOf(error);
      if (replayed) return replayed.body;
      throw error;
    });
  const attempt = newId();
  const answers = await Promise.all([1, 2, 3, 4, 5].map(() => pay(attempt)));
  expect(new Set(answers).size).toBe(1);
  expect(await pay(attempt, { name: "Outra", email: "outra@example.com" }), "whatever it sends").toBe(answers[0]);
  expect(await pay(newId())).not.toBe(answers[0]);
  expect(await tracesOf(seller.accountId)).toMatchObject({ transactions: 2 });
});

test("a payment at another amount than the payer saw is refused and leaves nothing", async () => {
  const seller = await makeAccount();
  const token = await makeLink(seller);
  expect(await codeOf(payAs(token, { shown: "132.00" }))).toBe("done");
  const before = await tracesOf(seller.accountId);
  expect(await codeOf(payAs(token, { shown: "131.99" }))).toBe("checkout_changed");
  await change(seller, token, { expires_at: new Date(Date.now() + 60_000).toISOString(), amount: 140 });
  expect(await codeOf(payAs(token, { shown: "132.00" }))).toBe("checkout_changed");
  expect(await tracesOf(seller.accountId)).toEqual(before);
});

test("a link ends at its time on the seller's own clock, and says so", async () => {
  const seller = await makeAccount();
  const token = await makeLink(seller, { expires_at: new Date(Date.now() + 3_600_000).toISOString() });
  const paid = await payAs(token);
  await forAccount(seller.accountId, (tx) =>
    tx.account.update({ where: { id: seller.accountId }, data: { clockOffsetMs: 3_700_000n } }),
  );
  expect((await readCheckout(token)).data.status).toBe("expired");
  expect(await codeOf(payAs(token))).toBe("checkout_expired");
  expect(await statusOf(token, paid.data.payment), "its code is over too").toBe("expired");
});

test("what the page asks for is checked, and each fault is at its field", () => {
  const faultsOf = (overrides: object) =>
    CheckoutPay.safeParse({ ...aPayer, method: "pix", ...overrides }).error?.issues.map(({ path }) => path.join("."));
  expect(faultsOf({})).toBeUndefined();
  expect(faultsOf({ name: " ", email: "x", document: "11111111111", phone: "1" })).toEqual([
    ...["name", "email", "document", "phone"],
  ]);
  expect(faultsOf({ phone: "" })).toBeUndefined();
  expect(faultsOf({ method: "card", phone: "" })).toEqual(["card.token"]);
  expect(faultsOf({ address: { state: "XX" } })).toContain("address.state");
});

test("unknown, switched off, archived and suspended pages are all unknown, and so are payments of another page", async () => {
  const seller = await makeAccount();
  const off = await makeLink(seller);
  await change(seller, off, { status: "inactive" });
  const { data: product } = await createProduct(seller.account, ProductInput.parse({ name: "Clube" }), call());
  const ofArchived = await makeLink(seller, { product: product.reference_id });
  await archiveProduct(seller.account, { id: product.reference_id });
  const suspended = await makeAccount();
  const theirs = await makeLink(suspended);
  const where = { id: suspended.accountId };
  await forAccount(suspended.accountId, (tx) => tx.account.update({ where, data: { status: "suspended" } }));
  for (const token of [newId(), "x", "", off, ofArchived, theirs]) {
    expect(await codeOf(findOffer(token)), token).toBe("checkout_not_found");
    expect(await codeOf(payAs(token)), token).toBe("checkout_not_found");
  }
  const [one, other] = [await makeLink(seller), await makeLink(await makeAccount())];
  const { data } = await payAs(one);
  expect(await statusOf(one, data.payment)).toBe("pending");
  expect(await codeOf(statusOf(other, data.payment))).toBe("checkout_not_found");
  expect(await codeOf(statusOf(one, newId()))).toBe("checkout_not_found");
  await change(seller, one, { status: "inactive" });
  expect(await statusOf(one, data.payment), "who began may still see how it ends").toBe("pending");
});

test("a plan is offered by its token with what it costs now, and not paid like a link", async () => {
  const seller = await makeAccount();
  const plan = (overrides: object) =>
    createPlan(seller.account, PlanInput.parse({ name: "Mensal", amount: 49.9, ...overrides }), call());
  const { data } = await plan({ billing_method: "qr_code" });
  expect((await readCheckout(data.token)).data).toMatchObject({
    ...{ kind: "plan", name: "Mensal", amount: "49.90", periodicity_days: 30, methods: ["pix"], mode: "sandbox" },
    seller: { name: seller.account.name },
  });
  const { data: byCard } = await plan({ billing_method: "credit_card" });
  expect((await readCheckout(byCard.token)).data.methods).toEqual(["card"]);
  expect(await codeOf(payAs(data.token))).toBe("checkout_not_found");
});

test("a seller without cards takes Pix alone, and a full one takes nothing", async () => {
  const seller = await makeAccount({ features: [] });
  const token = await makeLink(seller);
  expect((await readCheckout(token)).data.methods).toEqual(["pix"]);
  const byCard = payAs(token, { method: "card", card: { token: await aToken(seller) } });
  await expect(byCard).rejects.toMatchObject({ options: { faults: { method: [/./] } } });
  const data = { storageFullAt: new Date() };
  await forAccount(seller.accountId, (tx) => tx.account.update({ where: { id: seller.accountId }, data }));
  expect(await codeOf(payAs(token))).toBe("rail_unavailable");
});
