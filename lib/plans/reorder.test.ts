import fc from "fast-check";
import { expect, test } from "vitest";
import { forAccount } from "@/lib/db";
import { newId } from "@/lib/ids";
import { createPlan } from "@/lib/plans/create";
import { listPlansOf } from "@/lib/plans/read";
import { reorderPlans } from "@/lib/plans/reorder";
import { PlanInput, PlanOrder } from "@/lib/plans/schema";
import { archivePlan } from "@/lib/plans/update";
import { createProduct } from "@/lib/products/create";
import { ProductInput } from "@/lib/products/schema";
import { call, type Made, makeAccount } from "@/lib/testing/make";

/** A product with plans; returns its id and their tokens in their order. */
async function productWith({ account }: Made, count: number) {
  const { reference_id: id } = (await createProduct(account, ProductInput.parse({ name: "Clube" }), call())).data;
  const input = PlanInput.parse({ name: "Mensal", amount: "49.90", billing_method: "qr_code" });
  const tokens: string[] = [];
  for (let n = 0; n < count; n += 1)
    tokens.push((await createPlan(account, { ...input, productId: id }, call())).data.token);
  return { id, tokens };
}

const orderOf = async ({ accountId }: Made, productId: string) =>
  (await listPlansOf(accountId, productId, { page: 1, per_page: 100 })).data.map(({ token }) => token);

test("plans get the order of their tokens, whatever it is, and the same order again changes nothing", async () => {
  const seller = await makeAccount();
  const { id, tokens } = await productWith(seller, 5);
  const plansOf = () => forAccount(seller.accountId, (tx) => tx.plan.findMany({ orderBy: { id: "asc" } }));
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray(tokens, { minLength: 5 }), async (order) => {
      const answer = await reorderPlans(seller.account, { productId: id, tokens: order });
      expect(answer.data).toEqual(order.map((token, display_order) => ({ token, display_order })));
      expect(await orderOf(seller, id)).toEqual(order);
      const before = await plansOf();
      await reorderPlans(seller.account, { productId: id, tokens: order });
      expect(await plansOf()).toEqual(before);
    }),
    { numRuns: 6 },
  );
});

test("any other set of plans is refused at `tokens`, and no plan moves", async () => {
  const [seller, other] = [await makeAccount(), await makeAccount()];
  const [{ id, tokens }, beside, theirs] = [
    await productWith(seller, 3),
    await productWith(seller, 1),
    await productWith(other, 1),
  ];
  const [first = "", second = "", third = ""] = tokens;
  for (const [what, wrong] of Object.entries({
    "one missing": [third, first],
    none: [],
    "one twice": [third, first, first],
    "one twice beside all": [third, second, first, first],
    "another product's": [third, second, beside.tokens[0] ?? ""],
    "another account's": [third, second, theirs.tokens[0] ?? ""],
    "one too many": [third, second, first, newId()],
  })) {
    const refused = reorderPlans(seller.account, { productId: id, tokens: wrong });
    await expect(refused, what).rejects.toMatchObject({ options: { faults: { tokens: [expect.any(String)] } } });
  }
  expect(await orderOf(seller, id)).toEqual(tokens);
  await expect(reorderPlans(other.account, { productId: id, tokens })).rejects.toMatchObject({
    code: "product_not_found",
  });
});

test("an archived plan has no place: the others are ordered without it", async () => {
  const seller = await makeAccount();
  const { id, tokens } = await productWith(seller, 3);
  const [first = "", second = "", third = ""] = tokens;
  await archivePlan(seller.account, { id: second }, call());
  await expect(reorderPlans(seller.account, { productId: id, tokens })).rejects.toMatchObject({
    code: "validation_failed",
  });
  await reorderPlans(seller.account, { productId: id, tokens: [third, first] });
  expect(await orderOf(seller, id)).toEqual([third, first]);
});

test("of two orders at once one holds as a whole", async () => {
  const seller = await makeAccount();
  const { id, tokens } = await productWith(seller, 4);
  const orders = [[...tokens].reverse(), [...tokens.slice(2), ...tokens.slice(0, 2)]];
  for (let time = 0; time < 5; time += 1) {
    await Promise.all(orders.map((order) => reorderPlans(seller.account, { productId: id, tokens: order })));
    expect(orders).toContainEqual(await orderOf(seller, id));
  }
});

test("a token in capital letters is the same plan", () => {
  const token = newId();
  expect(PlanOrder.parse({ tokens: [token.toUpperCase()] })).toEqual({ tokens: [token] });
});
