import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { forAccount } from "@/lib/db";
import { createPlan } from "@/lib/plans/create";
import { listPlansOf } from "@/lib/plans/read";
import { PlanChange, PlanInput, PlanQuery } from "@/lib/plans/schema";
import { archivePlan, deactivatePlan, updatePlan } from "@/lib/plans/update";
import { createProduct } from "@/lib/products/create";
import { ProductInput } from "@/lib/products/schema";
import { call, type Made, makeAccount } from "@/lib/testing/make";

let seller: Made;
let productId: string;
beforeAll(async () => {
  seller = await makeAccount();
  productId = (await createProduct(seller.account, ProductInput.parse({ name: "Clube" }), call())).data.reference_id;
});

async function aPlan(changes: object = {}): Promise<string> {
  const input = PlanInput.parse({ name: "Mensal", amount: "49.90", billing_method: "qr_code", ...changes });
  return (await createPlan(seller.account, { ...input, productId }, call())).data.token;
}

const versionsOf = (planId: string) =>
  forAccount(seller.accountId, (tx) => tx.planVersion.findMany({ where: { planId }, orderBy: { version: "asc" } }));

test("other terms are another version and the same terms are none; the versions before stay as they were", async () => {
  const id = await aPlan();
  await updatePlan(
    seller.account,
    { ...PlanChange.parse({ name: "Outro", amount: 49.9, periodicity_days: 30 }), id },
    call(),
  );
  expect(await versionsOf(id)).toHaveLength(1);
  const { data } = await updatePlan(seller.account, { ...PlanChange.parse({ amount: "59.90" }), id }, call());
  expect(data).toMatchObject({ name: "Outro", amount: "59.90", periodicity_days: 30 });
  expect(await versionsOf(id)).toMatchObject([
    { version: 1, amount: 4990n },
    { version: 2, amount: 5990n },
  ]);
});

test("a change of one member is judged with the members that stay", async () => {
  const id = await aPlan({ periodicity_days: 30, billing_advance_days: 10 });
  const shorter = updatePlan(seller.account, { ...PlanChange.parse({ periodicity_days: 10 }), id }, call());
  await expect(shorter).rejects.toMatchObject({ options: { faults: { billing_advance_days: [expect.any(String)] } } });
  const automatic = PlanChange.parse({ billing_method: "pix_automatico", periodicity_days: 31 });
  await expect(updatePlan(seller.account, { ...automatic, id }, call())).rejects.toMatchObject({
    code: "validation_failed",
  });
  expect(await versionsOf(id)).toHaveLength(1);
});

test("a plan is deactivated and activated again; an archived one is no default and never changes", async () => {
  const id = await aPlan({ is_default: true });
  await deactivatePlan(seller.account, { id, productId }, call());
  await updatePlan(seller.account, { id, status: "active" }, call());
  expect(await archivePlan(seller.account, { id }, call())).toEqual({ message: expect.any(String) });
  for (const change of [{ name: "x" }, { status: "active" as const }, { is_default: true }, {}]) {
    const changed = updatePlan(seller.account, { ...change, id }, call());
    await expect(changed, JSON.stringify(change)).rejects.toMatchObject({ code: "invalid_transition" });
  }
  const { data } = await listPlansOf(seller.accountId, productId, PlanQuery.parse({}));
  expect(data.map(({ token }) => token)).not.toContain(id);
});

test("a plan is found under its own product alone, and only by its own account", async () => {
  const id = await aPlan();
  const other = (await createProduct(seller.account, ProductInput.parse({ name: "Outro" }), call())).data.reference_id;
  await expect(updatePlan(seller.account, { id, productId: other }, call())).rejects.toMatchObject({
    code: "plan_not_found",
  });
  const { account } = await makeAccount();
  await expect(updatePlan(account, { id }, call())).rejects.toMatchObject({ code: "plan_not_found" });
});

test("whatever plans are made the default at once, their product has one", async () => {
  const ids = await Promise.all(Array.from({ length: 4 }, () => aPlan()));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...ids), { minLength: 2, maxLength: 6 }), async (chosen) => {
      await Promise.all(chosen.map((id) => updatePlan(seller.account, { id, productId, is_default: true }, call())));
      const { data } = await listPlansOf(seller.accountId, productId, PlanQuery.parse({ per_page: "100" }));
      const defaults = data.filter((plan) => plan.is_default);
      expect(defaults).toHaveLength(1);
      expect(chosen).toContain(defaults[0]?.token);
    }),
    { numRuns: 10 },
  );
});
