import { expect, test } from "vitest";
import { routes } from "@/app/routes.generated";
import { PlanAnswer, PlanPage } from "@/lib/plans/schema";
import { ProductAnswer, ProductPage } from "@/lib/products/schema";
import { openHost } from "@/lib/testing/http";
import { makeAccount } from "@/lib/testing/make";

const host = openHost(routes);
const PRODUCTS = "/api/partner/v1/products";
const PLANS = "/api/partner/v1/subscription-plans";

const aPlan = { name: "Mensal", amount: 49.9, billing_method: "qr_code" };

/** Calls the API as one seller. */
async function seller() {
  const { token } = await makeAccount();
  return (method: string, path: string, body?: unknown) => host.ask(method, path, { token, body });
}

test("a product with two plans: created, listed, changed, one made the default, deactivated and archived", async () => {
  const ask = await seller();
  const created = await ask("POST", PRODUCTS, { name: "Clube", description: "" });
  expect(created.status).toBe(201);
  const { reference_id: id } = ProductAnswer.parse(created.json).data;
  expect(ProductPage.parse((await ask("GET", PRODUCTS)).json)).toMatchObject({ data: [{ name: "Clube" }] });
  const renamed = await ask("PUT", `${PRODUCTS}/${id}`, { name: "Clube do livro" });
  expect(renamed).toMatchObject({ status: 200, json: { data: { name: "Clube do livro", status: "active" } } });

  const nested = `${PRODUCTS}/${id}/subscription-plans`;
  const [monthly, yearly] = [
    await ask("POST", nested, { ...aPlan, is_default: true }),
    await ask("POST", nested, { ...aPlan, name: "Anual", amount: "499.00", periodicity_days: 365 }),
  ].map(({ status, json }) => {
    expect(status).toBe(201);
    return PlanAnswer.parse(json).data;
  });
  const chosen = await ask("PATCH", `${nested}/${yearly?.token}/default`, ""); // clients send no body with PATCH
  expect(chosen).toMatchObject({ status: 200, json: { data: { name: "Anual", is_default: true } } });
  const listed = PlanPage.parse((await ask("GET", nested)).json);
  expect(listed.data.map((plan) => [plan.name, plan.is_default])).toEqual([
    ["Mensal", false],
    ["Anual", true],
  ]);
  expect(listed.data[0]?.product).toEqual({ reference_id: id, name: "Clube do livro", image_url: null });

  const off = await ask("DELETE", `${nested}/${monthly?.token}`);
  expect(off).toMatchObject({ status: 200, json: { message: expect.any(String) } });
  expect(await ask("GET", `${PLANS}/${monthly?.token}`)).toMatchObject({ json: { data: { status: "inactive" } } });
  const archived = await ask("PATCH", `${PLANS}/${monthly?.token}/archive`, "");
  expect(archived).toMatchObject({ status: 200, json: { data: { status: "archived" } } });
  expect(await ask("DELETE", `${PLANS}/${monthly?.token}`)).toMatchObject({ status: 409 });
  expect((await ask("GET", `${PLANS}?status=archived`)).json).toMatchObject({ meta: { total: 1 } });
  expect((await ask("GET", PLANS)).json).toMatchObject({ meta: { total: 1 } });

  expect(await ask("DELETE", `${PRODUCTS}/${id}`)).toMatchObject({
    status: 200,
    json: { message: expect.any(String) },
  });
  expect(await ask("POST", nested, aPlan)).toMatchObject({ status: 409, json: { error: "invalid_transition" } });
  expect((await ask("GET", PRODUCTS)).json).toMatchObject({ meta: { total: 0 } });
});

test("what is missing or malformed is 422 at its field", async () => {
  const ask = await seller();
  const { json } = await ask("POST", PLANS, { amount: "0", billing_method: "boleto", periodicity_days: 0 });
  expect(Object.keys((json as { errors: object }).errors).sort()).toEqual([
    "amount",
    "billing_method",
    "name",
    "periodicity_days",
  ]);
});

test("an account without the feature is refused at each of these routes", async () => {
  const { token } = await makeAccount({ features: [] });
  for (const path of [PRODUCTS, PLANS]) {
    const answer = await host.ask("GET", path, { token });
    expect(answer).toMatchObject({ status: 403, json: { error: "feature_disabled" } });
  }
});
