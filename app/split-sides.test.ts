import { beforeAll, describe, expect, test } from "vitest";
import { routes } from "@/app/routes.generated";
import { newId } from "@/lib/ids";
import { createPlan } from "@/lib/plans/create";
import { PlanInput } from "@/lib/plans/schema";
import { createProduct } from "@/lib/products/create";
import { ProductInput } from "@/lib/products/schema";
import { InviteInput } from "@/lib/splits/schema";
import { acceptSplit } from "@/lib/subscription-splits/answer";
import { inviteToPlan } from "@/lib/subscription-splits/invite";
import { type Answered, fill, openHost, operationsOf } from "@/lib/testing/http";
import { call, type Made, makeAccount } from "@/lib/testing/make";
import { pictures } from "@/lib/testing/pictures";
import { tracesOf } from "@/lib/testing/traces";

const host = openHost(routes);

/** A seller, the recipient of one accepted and one pending split of its plan, and an account that has to do with neither. */
let seller: Made;
let recipient: Made;
let other: Made;
let known: Record<string, string>;

beforeAll(async () => {
  [seller, recipient, other] = [await makeAccount(), await makeAccount(), await makeAccount()];
  const { data: product } = await createProduct(seller.account, ProductInput.parse({ name: "Clube" }), call());
  const input = PlanInput.parse({ name: "Mensal", amount: "49.90", billing_method: "qr_code" });
  const makePlan = async () =>
    (await createPlan(seller.account, { ...input, productId: product.reference_id }, call())).data.token;
  const [plan, second] = [await makePlan(), await makePlan()];
  const guest = InviteInput.parse({ email: recipient.email, percentage: 10 });
  const { data: accepted } = await inviteToPlan(seller.account, { ...guest, planId: plan }, call());
  await acceptSplit(recipient.account, { id: String(accepted.id) }, call());
  const { data: pending } = await inviteToPlan(seller.account, { ...guest, planId: second }, call());
  known = {
    ...{ reference_id: product.reference_id, plan_token: plan, token: plan },
    ...{ accepted: String(accepted.id), pending: String(pending.id) },
  };
});

/** All of an answer except what differs from request to request. */
const seen = ({ status, headers, text }: Answered) => ({
  ...{ status, text },
  headers: [...headers].filter(([name]) => !["x-request-id", "date", "ratelimit"].includes(name)),
});

const fields = {
  name: "Mensal",
  amount: "49.90",
  billing_method: "qr_code",
  email: "ana@example.com",
  percentage: 1,
  tokens: [newId()],
  document: "529.982.247-25",
};

/** Every route that names a product, a plan or a split, with the records that it may name. */
const operations = operationsOf(routes)
  .filter(({ path }) => /\/(products|subscription-plans|subscription-splits)\/.*\[/.test(path))
  .flatMap(({ method, path, contract }) => {
    const body = contract.file ? pictures.png : fields;
    return (path.includes("[id]") ? ["accepted", "pending"] : ["record"]).map((record) => ({
      ...{ method, path, record },
      ...(method !== "GET" && { body }),
    }));
  });

type Asked = (typeof operations)[number];

const ask = ({ token }: Made, { method, path, ...more }: Omit<Asked, "record">, names: Record<string, string>) =>
  host.ask(
    method,
    fill(path, (name) => names[name] ?? ""),
    { token, ...more },
  );

const namesOf = (record: string) => ({ ...known, id: known[record] ?? "" });
const nobodys = { reference_id: newId(), plan_token: newId(), token: newId(), id: "2000000000" };

describe("a product, a plan or a split", () => {
  test.each(operations)(
    "$method $path of a split's seller ($record) is unknown to an account that is no side of it",
    async (operation) => {
      const before = await tracesOf(seller.accountId);
      const unknown = seen(await ask(other, operation, nobodys));
      expect(unknown.status).toBe(404);
      expect(seen(await ask(other, operation, namesOf(operation.record)))).toEqual(unknown);
      expect(await tracesOf(seller.accountId)).toEqual(before);
    },
  );

  const sellersOnly = operations.filter(({ path }) => !/(accept|reject)$/.test(path));
  test.each(sellersOnly)(
    "$method $path ($record) is unknown to its recipient, who may only answer",
    async (operation) => {
      const before = await tracesOf(seller.accountId);
      const unknown = seen(await ask(recipient, operation, nobodys));
      expect(seen(await ask(recipient, operation, namesOf(operation.record)))).toEqual(unknown);
      expect(await tracesOf(seller.accountId)).toEqual(before);
    },
  );

  const recipientsOnly = operations.filter(({ path }) => /(accept|reject)$/.test(path));
  test.each(recipientsOnly)(
    "$method $path ($record) is unknown to its seller, who may only cancel",
    async (operation) => {
      const unknown = seen(await ask(seller, operation, nobodys));
      expect(seen(await ask(seller, operation, namesOf(operation.record)))).toEqual(unknown);
    },
  );
});

test("each side's lists have its own splits and earnings, and an account that is no side has none", async () => {
  const totalOf = async (made: Made, path: string) => {
    const { json } = await host.ask("GET", `/api/partner/v1/${path}`, { token: made.token });
    return (json as { meta: { total: number } }).meta.total;
  };
  const counts = async (made: Made) => ({
    sent: await totalOf(made, "subscription-splits"),
    received: await totalOf(made, "subscription-splits/mine"),
    plans: await totalOf(made, "subscription-plans"),
  });
  expect(await counts(seller)).toEqual({ sent: 2, received: 0, plans: 2 });
  expect(await counts(recipient)).toEqual({ sent: 0, received: 2, plans: 0 });
  expect(await counts(other)).toEqual({ sent: 0, received: 0, plans: 0 });
});
