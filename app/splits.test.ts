import { expect, test } from "vitest";
import { routes } from "@/app/routes.generated";
import { forAccount } from "@/lib/db";
import { PlanAnswer } from "@/lib/plans/schema";
import { InviteAnswer, InvitePage } from "@/lib/subscription-splits/schema";
import { openHost } from "@/lib/testing/http";
import { type Made, makeAccount } from "@/lib/testing/make";
import { TransactionV2 } from "@/lib/transactions/schema";

const host = openHost(routes);
const API = "/api/partner/v1";

const as =
  ({ token }: Made) =>
  (method: string, path: string, body?: unknown) =>
    host.ask(method, path.startsWith("/api") ? path : `${API}${path}`, { token, body });

async function makePlan(seller: Made, product?: string): Promise<string> {
  const path = product ? `/products/${product}/subscription-plans` : "/subscription-plans";
  const aPlan = { name: "Mensal", amount: 49.9, billing_method: "qr_code" };
  return PlanAnswer.parse((await as(seller)("POST", path, aPlan)).json).data.token;
}

async function invite(seller: Made, plan: string, email: string, percentage: unknown = 10): Promise<number> {
  const made = await as(seller)("POST", `/subscription-plans/${plan}/splits`, { email, name: "Ana", percentage });
  expect(made.status).toBe(201);
  return InviteAnswer.parse(made.json).data.id;
}

test("a split from its invitation to a sale: invited, seen in the plan and by both sides, accepted, sold, cancelled", async () => {
  const [seller, ana] = [await makeAccount({ feeBasisPoints: 0 }), await makeAccount({ features: [] })];
  const product = await as(seller)("POST", "/products", { name: "Clube" });
  const { reference_id } = (product.json as { data: { reference_id: string } }).data;
  const plan = await makePlan(seller, reference_id);
  const id = await invite(seller, plan, ana.email, "12.50");

  const ofPlan = PlanAnswer.parse((await as(seller)("GET", `/subscription-plans/${plan}`)).json).data;
  expect(ofPlan.splits).toEqual([
    {
      ...{ email: ana.email, name: "Ana", percentage: 12.5, status: "pending", accepted_at: null },
      invited_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d-03:00$/),
    },
  ]);
  const mine = InvitePage.parse((await as(ana)("GET", "/subscription-splits/mine?per_page=5")).json);
  expect(mine.meta).toEqual({ total: 1, current_page: 1, per_page: 5, last_page: 1 });
  const accepted = await as(ana)("POST", `/subscription-splits/${id}/accept`);
  expect(accepted).toMatchObject({ status: 200, json: { data: { id, status: "accepted" } } });
  expect(await as(ana)("POST", `/subscription-splits/${id}/reject`)).toMatchObject({ status: 409 });

  const sold = await as(seller)("POST", "/cash-in", { amount: 100, plan_token: plan });
  const { identifier } = sold.json as { identifier: string };
  const { json } = await as(seller)("GET", `/api/partner/v2/transactions/${identifier}`);
  expect(TransactionV2.parse((json as { data: unknown }).data).checkout).toEqual({
    ...{ reference_id, name: "Clube" },
    items: [{ reference_id: plan, name: "Mensal", type: "plan", amount: 100 }],
  });

  const cancelled = await as(seller)("DELETE", `/subscription-splits/${id}`);
  expect(cancelled).toMatchObject({ status: 200, json: { message: expect.any(String) } });
  const sent = InvitePage.parse((await as(seller)("GET", "/subscription-splits?status=cancelled")).json);
  expect(sent.data.map((split) => split.id)).toEqual([id]);
});

test("earnings are exported as a CSV file that is not read as a page", async () => {
  const ana = await makeAccount();
  const raw = await as(ana)("GET", "/earnings/export");
  expect(raw).toMatchObject({
    status: 200,
    text: "id,paid_at,seller,cause,product,plan,percentage,amount,returned,left\r\n",
  });
  expect(raw.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(raw.headers.get("content-disposition")).toBe('attachment; filename="earnings.csv"');
  expect(raw.headers.get("x-content-type-options")).toBe("nosniff");
  expect(await as(ana)("GET", "/earnings/export?month=2026-13")).toMatchObject({ status: 422 });
});

test("what is malformed is 422 at its field, and each refusal has its code", async () => {
  const seller = await makeAccount();
  const plan = await makePlan(seller);
  const post = (body: unknown) => as(seller)("POST", `/subscription-plans/${plan}/splits`, body);
  for (const percentage of [0, -1, 100.01, 12.345, "12,5", "1e1", null]) {
    const { status, json } = await post({ email: "ana@example.com", percentage });
    expect({ percentage, status, fields: Object.keys((json as { errors: object }).errors) }).toEqual({
      ...{ percentage, status: 422, fields: ["percentage"] },
    });
  }
  expect(await post({ email: "x", percentage: 1 })).toMatchObject({
    json: { errors: { email: [expect.any(String)] } },
  });
  expect(await post({ email: "ana@example.com", percentage: 100 })).toMatchObject({
    ...{ status: 422, json: { error: "split_exceeds_total" } },
  });
  expect(await post({ email: seller.email, percentage: 1 })).toMatchObject({
    ...{ status: 422, json: { error: "split_own_account" } },
  });
  await invite(seller, plan, "ana@example.com");
  expect(await post({ email: "ana@example.com", percentage: 1 })).toMatchObject({
    ...{ status: 409, json: { error: "split_already_open" } },
  });
});

test("a sale names a plan that the account sells, or recipients, and never both", async () => {
  const [seller, other] = [await makeAccount(), await makeAccount()];
  const [plan, foreign] = [await makePlan(seller), await makePlan(other)];
  const sell = async (body: object) => {
    const { status, json } = await as(seller)("POST", "/cash-in", { amount: 10, ...body });
    return { status, fields: Object.keys((json as { errors?: object }).errors ?? {}) };
  };
  expect(await sell({ plan_token: foreign })).toEqual({ status: 422, fields: ["plan_token"] });
  const split = [{ user_id: other.clientId, percentage: 10 }];
  expect(await sell({ plan_token: plan, split })).toEqual({ status: 422, fields: ["split"] });
  expect(await sell({ plan_token: plan })).toEqual({ status: 200, fields: [] });
  await as(seller)("PATCH", `/subscription-plans/${plan}/archive`, "");
  expect(await sell({ plan_token: plan })).toEqual({ status: 422, fields: ["plan_token"] });
  expect(await sell({ plan_token: "" })).toEqual({ status: 200, fields: [] }); // clients send forms as they are
  const made = await as(seller)("POST", "/products", { name: "Clube" });
  const { reference_id: product } = (made.json as { data: { reference_id: string } }).data;
  const ofProduct = await makePlan(seller, product);
  await as(seller)("DELETE", `/products/${product}`);
  expect(await sell({ plan_token: ofProduct })).toEqual({ status: 422, fields: ["plan_token"] });
});

test("without the feature nobody offers splits; who offered some sees and ends them, and everybody may receive", async () => {
  const seller = await makeAccount();
  const plan = await makePlan(seller);
  const id = await invite(seller, plan, "ana@example.com");
  const { accountId } = seller;
  await forAccount(accountId, (tx) => tx.account.update({ where: { id: accountId }, data: { features: [] } }));
  const guest = { email: "bia@example.com", percentage: 1 };
  const offered = await as(seller)("POST", `/subscription-plans/${plan}/splits`, guest);
  expect(offered).toMatchObject({ status: 403, json: { error: "feature_disabled" } });
  for (const path of ["/subscription-splits", `/subscription-plans/${plan}/splits`]) {
    expect(await as(seller)("GET", path)).toMatchObject({ status: 200, json: { meta: { total: 1 } } });
  }
  expect(await as(seller)("DELETE", `/subscription-splits/${id}`)).toMatchObject({ status: 200 });
  expect(await as(seller)("GET", "/subscription-splits/mine")).toMatchObject({ status: 200, json: { data: [] } });
});

test("an account that may not sell invites nobody", async () => {
  const seller = await makeAccount({ mode: "live" });
  const plan = await makePlan(seller);
  const { accountId } = seller;
  await forAccount(accountId, (tx) => tx.account.update({ where: { id: accountId }, data: { status: "suspended" } }));
  const guest = { email: "ana@example.com", percentage: 1 };
  expect(await as(seller)("POST", `/subscription-plans/${plan}/splits`, guest)).toMatchObject({
    ...{ status: 403, json: { error: "account_suspended" } },
  });
});
