import { expect, test } from "vitest";
import { findOffer } from "@/lib/checkout/find";
import { createPlan } from "@/lib/plans/create";
import { PlanInput } from "@/lib/plans/schema";
import { deactivatePlan } from "@/lib/plans/update";
import { createProduct } from "@/lib/products/create";
import { listProducts, readProduct } from "@/lib/products/read";
import { ProductInput, ProductQuery } from "@/lib/products/schema";
import { archiveProduct, updateProduct } from "@/lib/products/update";
import { makeLink } from "@/lib/testing/checkout";
import { call, type Made, makeAccount } from "@/lib/testing/make";
import { enrolled } from "@/lib/testing/subscriptions";

async function aProduct({ account }: Made, name = "Clube"): Promise<string> {
  const { data } = await createProduct(account, ProductInput.parse({ name, description: null }), call());
  return data.reference_id;
}

const namesOf = async ({ accountId }: Made, query: object = {}) => {
  const { data } = await listProducts(accountId, ProductQuery.parse(query));
  return data.map(({ name }) => name);
};

test("a change keeps what it does not name", async () => {
  const seller = await makeAccount();
  const id = await aProduct(seller);
  await updateProduct(seller.account, { id, description: "Um livro por mês" });
  const { data } = await updateProduct(seller.account, { id, status: "inactive" });
  expect(data).toMatchObject({ name: "Clube", description: "Um livro por mês", status: "inactive" });
  expect(await readProduct(seller.accountId, id)).toEqual({ data });
});

test("a product is sold once an active plan or link sells it, and no longer when none does", async () => {
  const seller = await makeAccount();
  const [byPlan, byLink] = [await aProduct(seller, "Revista"), await aProduct(seller, "Oficina")];
  const isSold = async (id: string) => {
    const { data: listed } = await listProducts(seller.accountId, ProductQuery.parse({}));
    const { data } = await readProduct(seller.accountId, id);
    expect(listed.find(({ reference_id }) => reference_id === id)).toEqual(data);
    return data.is_sold;
  };
  expect([await isSold(byPlan), await isSold(byLink)]).toEqual([false, false]);
  const input = PlanInput.parse({ name: "Mensal", amount: 49.9, billing_method: "qr_code" });
  const { data: plan } = await createPlan(seller.account, { ...input, productId: byPlan }, call());
  await makeLink(seller, { product: byLink });
  expect([await isSold(byPlan), await isSold(byLink)]).toEqual([true, true]);
  await deactivatePlan(seller.account, { id: plan.token, productId: byPlan }, call());
  expect(await isSold(byPlan)).toBe(false);
  await updateProduct(seller.account, { id: byLink, status: "inactive" });
  expect(await isSold(byLink), "the product itself is not").toBe(false);
});

test("what is not on sale is not sold: neither by its plan nor by its link, until it is on sale again", async () => {
  const seller = await makeAccount();
  const id = await aProduct(seller);
  const input = PlanInput.parse({ name: "Mensal", amount: 49.9, billing_method: "qr_code" });
  const { data: plan } = await createPlan(seller.account, { ...input, productId: id }, call());
  const link = await makeLink(seller, { product: id });
  await updateProduct(seller.account, { id, status: "inactive" });
  for (const token of [plan.token, link]) {
    await expect(findOffer(token)).rejects.toMatchObject({ code: "checkout_not_found" });
  }
  await expect(enrolled(seller, plan.token)).rejects.toMatchObject({ code: "plan_not_on_sale" });
  await expect(makeLink(seller, { product: id })).rejects.toMatchObject({ code: "validation_failed" });
  await updateProduct(seller.account, { id, status: "active" });
  for (const token of [plan.token, link]) expect((await findOffer(token)).account.id).toBe(seller.accountId);
});

test("an archived product is in no list but that of its status, and nothing changes it, also of two at once", async () => {
  const seller = await makeAccount();
  const id = await aProduct(seller);
  const archived = await Promise.allSettled([1, 2, 3].map(() => archiveProduct(seller.account, { id })));
  expect(archived.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  for (const change of [{ name: "x" }, { status: "active" as const }, {}]) {
    const changed = updateProduct(seller.account, { ...change, id });
    await expect(changed).rejects.toMatchObject({ code: "invalid_transition" });
  }
  expect(await namesOf(seller)).toEqual([]);
  expect(await namesOf(seller, { status: "archived" })).toEqual(["Clube"]);
});

test("another account's product is unknown, and changes nothing of it", async () => {
  const [mine, theirs] = [await makeAccount(), await makeAccount()];
  const id = await aProduct(theirs);
  const unknown = { code: "product_not_found" };
  await expect(readProduct(mine.accountId, id)).rejects.toMatchObject(unknown);
  await expect(updateProduct(mine.account, { id, name: "x" })).rejects.toMatchObject(unknown);
  await expect(archiveProduct(mine.account, { id })).rejects.toMatchObject(unknown);
  expect(await namesOf(theirs)).toEqual(["Clube"]);
  expect(await namesOf(mine)).toEqual([]);
});

test("products come newest first, page after page by cursor, and are found by a part of their name", async () => {
  const seller = await makeAccount();
  for (const name of ["Café", "Livro", "Vinho"]) await aProduct(seller, name);
  const first = await listProducts(seller.accountId, ProductQuery.parse({ per_page: "2" }));
  expect(first).toMatchObject({ data: [{ name: "Vinho" }, { name: "Livro" }], meta: { total: 3, last_page: 2 } });
  expect(await namesOf(seller, { per_page: "2", cursor: first.meta.next_cursor })).toEqual(["Café"]);
  expect(await namesOf(seller, { search: "LIV" })).toEqual(["Livro"]);
});
