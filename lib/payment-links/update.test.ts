import { expect, onTestFinished, test } from "vitest";
import { forAccount } from "@/lib/db";
import { newId, sha256 } from "@/lib/ids";
import { limits } from "@/lib/limits";
import { createPaymentLink } from "@/lib/payment-links/create";
import { listPaymentLinks, readPaymentLink } from "@/lib/payment-links/read";
import { PaymentLinkChange, PaymentLinkInput, PaymentLinkQuery } from "@/lib/payment-links/schema";
import { updatePaymentLink } from "@/lib/payment-links/update";
import { createProduct } from "@/lib/products/create";
import { ProductInput } from "@/lib/products/schema";
import { archiveProduct } from "@/lib/products/update";
import { makeLink } from "@/lib/testing/checkout";
import { answerOf, call, type Made, makeAccount } from "@/lib/testing/make";
import { tracesOf } from "@/lib/testing/traces";

async function aProduct({ account }: Made): Promise<string> {
  const { data } = await createProduct(account, ProductInput.parse({ name: "Clube" }), call());
  return data.reference_id;
}

const change = ({ account }: Made, token: string, body: object) =>
  updatePaymentLink(account, { ...PaymentLinkChange.parse(body), id: token }, call());
const list = ({ account }: Made, query: object = {}) => listPaymentLinks(account, PaymentLinkQuery.parse(query));

test("a link is made with its terms, and a change keeps what it does not name", async () => {
  const seller = await makeAccount();
  const product = await aProduct(seller);
  const expires_at = "2199-01-31T12:00:00.000000Z";
  const token = await makeLink(seller, { amount: "19.90", product, expires_at, max_payments: 3 });
  const { data } = await readPaymentLink(seller.account, token);
  expect(data).toMatchObject({ token, status: "active", accepts_payments: true, amount: "19.90", payments_count: 0 });
  expect(data).toMatchObject({ product: { reference_id: product, name: "Clube" }, expires_at, max_payments: 3 });
  expect(data.url).toMatch(new RegExp(`/checkout/${token}$`));
  const changed = await change(seller, token, { max_payments: null, description: "Outra", collect_address: true });
  const { updated_at } = changed.data;
  expect(changed.data).toEqual({
    ...data,
    max_payments: null,
    description: "Outra",
    collect_address: true,
    updated_at,
  });
  const off = await change(seller, token, { status: "inactive", product: null, amount: 20 });
  expect(off.data).toMatchObject({ status: "inactive", accepts_payments: false, product: null, amount: "20.00" });
  expect(await readPaymentLink(seller.account, token)).toEqual(off);
});

test("a link of nothing that could be sold is not made, and leaves nothing", async () => {
  const [seller, other] = [await makeAccount(), await makeAccount()];
  const [theirs, archived] = [await aProduct(other), await aProduct(seller)];
  await archiveProduct(seller.account, { id: archived });
  const before = await tracesOf(seller.accountId);
  for (const product of [theirs, archived, newId()]) {
    await expect(makeLink(seller, { product })).rejects.toMatchObject({ options: { faults: { product: [/./] } } });
  }
  const past = makeLink(seller, { expires_at: "2026-01-01T00:00:00Z" });
  await expect(past).rejects.toMatchObject({ options: { faults: { expires_at: [/futuro/] } } });
  for (const wrong of [
    { amount: 0 },
    { amount: 1.005 },
    { description: " " },
    { max_payments: 0 },
    { expires_at: "x" },
  ]) {
    expect(PaymentLinkInput.safeParse({ amount: 1, description: "x", ...wrong }).success, JSON.stringify(wrong)).toBe(
      false,
    );
  }
  expect(await tracesOf(seller.accountId)).toEqual(before);
  expect((await list(seller)).data).toEqual([]);
});

test("the same key makes one link, also of five at once", async () => {
  const { account, accountId } = await makeAccount();
  const render = (result: unknown) => ({ status: 201, body: JSON.stringify(result) });
  const idem = { accountId, key: newId(), requestHash: sha256("x"), render };
  const input = PaymentLinkInput.parse({ amount: 1, description: "x" });
  const create = () =>
    createPaymentLink(account, input, { ...call(), idem }).then(
      JSON.stringify,
      (error: unknown) => answerOf(error).body,
    );
  const made = await Promise.all([1, 2, 3, 4, 5].map(create));
  expect(new Set(made).size).toBe(1);
  expect(await forAccount(accountId, (tx) => tx.paymentLink.count())).toBe(1);
});

test("an account has no more links than its limit, whoever asks at once", async () => {
  const { paymentLinks } = limits;
  Object.assign(limits, { paymentLinks: 2 });
  onTestFinished(() => void Object.assign(limits, { paymentLinks }));
  const seller = await makeAccount();
  const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => makeLink(seller)));
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
  const refused = outcomes.find(({ status }) => status === "rejected");
  expect(refused).toMatchObject({ reason: { code: "payment_link_limit_reached" } });
});

test("lists have the account's own links, newest first, by status and by a part of the description", async () => {
  const [seller, other] = [await makeAccount(), await makeAccount()];
  await makeLink(other);
  const [one, two, three] = [
    await makeLink(seller, { description: "Curso de violão" }),
    await makeLink(seller, { description: "Rifa" }),
    await makeLink(seller, { description: "Violão usado" }),
  ];
  await change(seller, one, { status: "inactive" });
  const tokens = async (query: object = {}) => (await list(seller, query)).data.map(({ token }) => token);
  expect(await tokens()).toEqual([three, two, one]);
  expect(await tokens({ search: "VIOLÃO" })).toEqual([three, one]);
  expect(await tokens({ search: "violão", status: "active" })).toEqual([three]);
  const first = await list(seller, { per_page: 2 });
  expect(first.meta).toMatchObject({ total: 3, next_cursor: two });
  expect(await tokens({ per_page: 2, cursor: two })).toEqual([one]);
});

test("another account's link is unknown, and changes nothing of it", async () => {
  const [seller, other] = [await makeAccount(), await makeAccount()];
  const token = await makeLink(other);
  const before = await readPaymentLink(other.account, token);
  await expect(readPaymentLink(seller.account, token)).rejects.toMatchObject({ code: "payment_link_not_found" });
  await expect(change(seller, token, { amount: 1 })).rejects.toMatchObject({ code: "payment_link_not_found" });
  expect(await readPaymentLink(other.account, token)).toEqual(before);
});
