import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { routes } from "@/app/routes.generated";
import { flushStored } from "@/lib/accounts/storage";
import { asSystem, forAccount } from "@/lib/db";
import { flushRequestLog } from "@/lib/http/request-log";
import { newId } from "@/lib/ids";
import { createPlan } from "@/lib/plans/create";
import { PlanInput } from "@/lib/plans/schema";
import { createProduct } from "@/lib/products/create";
import { ProductInput } from "@/lib/products/schema";
import { invitesTo } from "@/lib/subscription-splits/invite";
import { openHost } from "@/lib/testing/http";
import { call, type Made, makeAccount } from "@/lib/testing/make";

const host = openHost(routes);

type Side = "seller" | "recipient";
/** A seller with as many products, plans, splits and a recipient with as many earnings as it is named for. */
type Sized = Record<Side, Made> & { product: string; plan: string };

async function make(count: number): Promise<Sized> {
  const [seller, recipient] = [await makeAccount(), await makeAccount()];
  const { account, accountId } = seller;
  let product = "";
  for (let n = 0; n < count; n += 1) {
    product = (await createProduct(account, ProductInput.parse({ name: `Produto ${n}` }), call())).data.reference_id;
  }
  let plan = "";
  for (let n = 0; n < count; n += 1) {
    const guests = [
      recipient.email,
      ...Array.from({ length: n === count - 1 ? count : 0 }, (_, at) => `${at}@example.com`),
    ];
    const splits = guests.map((email) => ({ email, percentage: 1 }));
    const input = PlanInput.parse({ name: `Plano ${n}`, amount: 10, billing_method: "qr_code", splits });
    const share = invitesTo(account, { scopes: ["splits:write"] }, input.splits);
    plan = (await createPlan(account, { ...input, productId: product, share }, call())).data.token;
    await earn(recipient, accountId, plan);
  }
  return { seller, recipient, product, plan };
}

async function earn({ accountId }: Made, sellerId: string, planId: string) {
  const earning = { id: newId(), accountId, sellerId, planId, transactionId: newId(), method: "pix" } as const;
  await forAccount(accountId, async (tx) => {
    await tx.earning.create({ data: { ...earning, basisPoints: 100, amount: 10, paidAt: new Date() } });
    await tx.earningTotal.create({ data: { accountId, month: new Date(), sellerId, planId, number: 1, amount: 10 } });
  });
}

let few: Sized;
let many: Sized;
beforeAll(async () => {
  [few, many] = [await make(2), await make(12)];
});

/** No sale gave these earnings. */
afterAll(() =>
  asSystem(async (tx) => {
    const where = { accountId: { in: [few.recipient.accountId, many.recipient.accountId] } };
    await tx.earning.deleteMany({ where });
    await tx.earningTotal.deleteMany({ where });
  }),
);

/** How many statements a request sends and how many records it answers; of two, because now and then one renews what is kept beside requests. */
async function read(made: Made, path: string) {
  const [one, other] = [await readOnce(made, path), await readOnce(made, path)];
  return one.statements <= other.statements ? one : other;
}

async function readOnce({ token }: Made, path: string) {
  await Promise.all([flushRequestLog(), flushStored()]);
  const spy = vi.spyOn(pg.Client.prototype, "query");
  try {
    const { status, json } = await host.ask("GET", `/api/partner/v1${path}?per_page=100`, { token });
    expect(status).toBe(200);
    return { statements: spy.mock.calls.length, records: (json as { data: unknown[] }).data.length };
  } finally {
    spy.mockRestore();
  }
}

const lists: [path: (of: Sized) => string, by: Side][] = [
  [() => "/products", "seller"],
  [({ product }) => `/products/${product}/subscription-plans`, "seller"],
  [() => "/subscription-plans", "seller"],
  [({ plan }) => `/subscription-plans/${plan}/splits`, "seller"],
  [() => "/subscription-splits", "seller"],
  [() => "/subscription-splits/mine", "recipient"],
  [() => "/earnings", "recipient"],
  [() => "/earnings/months", "recipient"],
];

test.each(lists)("a list sends as many statements for many records as for few (%s)", async (path, by) => {
  const [one, other] = [await read(few[by], path(few)), await read(many[by], path(many))];
  expect(other.records).toBeGreaterThan(one.records + 8);
  expect(other.statements).toBe(one.statements);
  expect(one.statements).toBeGreaterThan(0);
});
