import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { forAccount } from "@/lib/db";
import { newId, sha256 } from "@/lib/ids";
import { limits } from "@/lib/limits";
import { createPlan } from "@/lib/plans/create";
import { listPlans, listPlansOf, readPlan } from "@/lib/plans/read";
import { PlanInput, PlanQuery } from "@/lib/plans/schema";
import { updatePlan } from "@/lib/plans/update";
import { createProduct } from "@/lib/products/create";
import { ProductInput } from "@/lib/products/schema";
import { archiveProduct } from "@/lib/products/update";
import { call, type Made, makeAccount } from "@/lib/testing/make";

let seller: Made;
beforeAll(async () => {
  seller = await makeAccount();
});

const anInput = (changes: object = {}) =>
  PlanInput.parse({ name: "Mensal", amount: "49.90", billing_method: "qr_code", ...changes });

async function aProduct({ account }: Made = seller): Promise<string> {
  const { data } = await createProduct(account, ProductInput.parse({ name: "Clube" }), call());
  return data.reference_id;
}

const page = PlanQuery.parse({});
const defaultsOf = async (productId: string) => {
  const { data } = await listPlansOf(seller.accountId, productId, page);
  return data.filter((plan) => plan.is_default).map(({ token }) => token);
};

test("a plan is answered as the interface has it, with the usual terms where none were asked for", async () => {
  const productId = await aProduct();
  const { data } = await createPlan(seller.account, { ...anInput({ description: null }), productId }, call());
  expect(data).toEqual({
    token: expect.any(String),
    name: "Mensal",
    description: "",
    amount: "49.90",
    periodicity_days: 30,
    billing_advance_days: 5,
    grace_period_days: 3,
    max_retry_attempts: 3,
    billing_method: "qr_code",
    status: "active",
    checkout_url: expect.stringMatching(new RegExp(`/checkout/${data.token}$`)),
    splits: [],
    is_default: false,
    display_order: 0,
    active_subscriptions_count: 0,
    product: { reference_id: productId, name: "Clube", image_url: null },
    return_url: null,
    cancel_url: null,
  });
  expect(await readPlan({ accountId: seller.accountId, id: data.token })).toEqual({ data });
  const flat = await createPlan(seller.account, anInput({ name: "Avulso" }), call());
  expect(flat.data.product).toBeNull();
});

describe("terms that cannot be billed are 422 at their field:", () => {
  test.each([
    ["an advance as long as the period", { periodicity_days: 7, billing_advance_days: 7 }, "billing_advance_days"],
    [
      "a period that Pix Automático lacks",
      { billing_method: "pix_automatico", periodicity_days: 31 },
      "periodicity_days",
    ],
  ])("%s", async (_, changes, field) => {
    const created = createPlan(seller.account, anInput(changes), call());
    await expect(created).rejects.toMatchObject({ options: { faults: { [field]: [expect.any(String)] } } });
  });

  test.each([1, 3, 5])("a period of %d days has a shorter advance where none was asked for", async (days) => {
    const { data } = await createPlan(seller.account, anInput({ periodicity_days: days }), call());
    expect(data.billing_advance_days).toBe(days - 1);
  });
});

test("of plans created as default at once one is, and a product's default is nobody else's", async () => {
  const [productId, other] = [await aProduct(), await aProduct()];
  const kept = await createPlan(seller.account, { ...anInput({ is_default: true }), productId: other }, call());
  await Promise.all(
    Array.from({ length: 8 }, () =>
      createPlan(seller.account, { ...anInput({ is_default: true }), productId }, call()),
    ),
  );
  expect(await defaultsOf(productId)).toHaveLength(1);
  expect(await defaultsOf(other)).toEqual([kept.data.token]);
});

test("a product's plans come by their display order, each new one last; the account's come newest first", async () => {
  const own = await makeAccount();
  const productId = await aProduct(own);
  const made = [];
  for (const name of ["A", "B", "C"])
    made.push(await createPlan(own.account, { ...anInput({ name }), productId }, call()));
  await updatePlan(own.account, { id: made[2]?.data.token ?? "", display_order: 0 }, call());
  await updatePlan(own.account, { id: made[0]?.data.token ?? "", display_order: 9 }, call());
  const nested = await listPlansOf(own.accountId, productId, page);
  expect(nested.data.map(({ name }) => name)).toEqual(["C", "B", "A"]);
  const flat = await listPlans(own.accountId, page);
  expect(flat).toMatchObject({ data: [{ name: "C" }, { name: "B" }, { name: "A" }], meta: { total: 3 } });
  const found = await listPlans(own.accountId, PlanQuery.parse({ search: "b" }));
  expect(found.data.map(({ name }) => name)).toEqual(["B"]);
});

test("a plan of an unknown or archived product, or of another account's, is refused and leaves nothing", async () => {
  const [own, other] = [await makeAccount(), await makeAccount()];
  const theirs = await aProduct(other);
  for (const id of [newId(), theirs]) {
    await expect(createPlan(own.account, { ...anInput(), productId: id }, call())).rejects.toMatchObject({
      code: "product_not_found",
    });
  }
  const archived = await aProduct(own);
  await archiveProduct(own.account, { id: archived });
  await expect(createPlan(own.account, { ...anInput(), productId: archived }, call())).rejects.toMatchObject({
    code: "invalid_transition",
  });
  expect(await forAccount(own.accountId, (tx) => tx.planVersion.count())).toBe(0);
});

test("the same key creates one plan, however many run at once", async () => {
  const { account, accountId } = await makeAccount();
  const render = (result: unknown) => ({ status: 201, body: JSON.stringify(result) });
  const idem = { accountId, key: newId(), requestHash: sha256("x"), render };
  const created = await Promise.allSettled(
    Array.from({ length: 6 }, () => createPlan(account, anInput(), { ...call(), idem })),
  );
  expect(created.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await forAccount(accountId, (tx) => tx.plan.count())).toBe(1);
});

test("an account has no more products than its limit, whoever asks at once", async () => {
  const own = await makeAccount();
  const now = new Date();
  const data = Array.from({ length: limits.products - 2 }, () => {
    return { accountId: own.accountId, id: newId(), name: "P", description: "", createdAt: now, updatedAt: now };
  });
  await forAccount(own.accountId, (tx) => tx.product.createMany({ data }));
  const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => aProduct(own)));
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
  const refused = outcomes.find(({ status }) => status === "rejected");
  expect(refused).toMatchObject({ reason: { code: "product_limit_reached" } });
});

test("an account has no more plans than its limit, whoever asks at once", async () => {
  const { plans } = limits;
  Object.assign(limits, { plans: 2 });
  onTestFinished(() => void Object.assign(limits, { plans }));
  const own = await makeAccount();
  const outcomes = await Promise.allSettled(
    Array.from({ length: 5 }, () => createPlan(own.account, anInput(), call())),
  );
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
  const refused = outcomes.find(({ status }) => status === "rejected");
  expect(refused).toMatchObject({ reason: { code: "plan_limit_reached" } });
});
