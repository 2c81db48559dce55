import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { routes } from "@/app/routes.generated";
import { forAccount } from "@/lib/db";
import { env } from "@/lib/env";
import { newId } from "@/lib/ids";
import { callerOf } from "@/lib/testing/callers";
import { fill, openHost, operationsOf } from "@/lib/testing/http";
import { makeAccount } from "@/lib/testing/make";
import { tracesOf } from "@/lib/testing/traces";

const host = openHost(routes);
const NUMBER = "4111 1111 1111 1111";
const REFUSED = { status: 422, json: { message: expect.any(String), error: "card_data_not_accepted" } };

/** Other tests sign up from the same address, so the limit is raised here. */
const { SIGN_UP_LIMIT_PER_MINUTE } = env;
beforeAll(() => void Object.assign(env, { SIGN_UP_LIMIT_PER_MINUTE: 1_000 }));
afterAll(() => void Object.assign(env, { SIGN_UP_LIMIT_PER_MINUTE }));

const writes = operationsOf(routes).filter(({ method }) => ["POST", "PUT", "PATCH"].includes(method));

test("cards are accepted only where they become tokens", () => {
  const accepting = writes.filter(({ contract }) => contract.acceptsCards).map(({ path }) => path);
  expect(accepting).toEqual(["/api/partner/v1/card-tokens", "/api/public/v1/card-tokens"]);
});

/** The staff's own writes are tested in `app/operator.test.ts`. A file is no text, and a text is no file. */
const others = writes.filter(({ contract }) => !contract.acceptsCards && !contract.file && contract.auth !== "staff");

describe("a card's number is 422 card_data_not_accepted, and nothing is stored, at", () => {
  test.each(others)("$method $path", async ({ method, path, contract }) => {
    const made = await makeAccount();
    const { accountId } = made;
    const who = await callerOf(made, contract);
    const before = await tracesOf(accountId);
    const at = fill(path, () => newId());
    for (const body of [{ no_such_member: { deep: [NUMBER] } }, { description: `cartão ${NUMBER}` }, { cvv: "123" }]) {
      expect(await host.ask(method, at, { ...who, body, key: newId() })).toMatchObject(REFUSED);
    }
    expect(await tracesOf(accountId)).toEqual(before);
  });
});

const customer = {
  cpf: "52998224725",
  name: "Ana",
  email: "ana@example.com",
  phone: "11987654321",
  externaRef: "7",
  address: {
    city: "São Paulo",
    state: "SP",
    street: "Rua A",
    country: "BR",
    zipCode: "01001000",
    neighborhood: "Centro",
    streetNumber: "1",
  },
};
const CASH_IN = "/api/partner/v1/cash-in";
const OLD = "/v1/gateway/api";
const WEBHOOKS = "/api/partner/v1/webhooks";
const hook = { title: "Loja", url: "https://example.com/", event: "transaction" };

test.each<[path: string, body: object]>([
  [CASH_IN, { amount: 1, description: NUMBER }],
  [CASH_IN, { amount: 1, external_id: NUMBER }],
  [CASH_IN, { amount: 1, client: { name: `Ana ${NUMBER}` } }],
  [CASH_IN, { amount: 1, webhook_url: "https://example.com/?c=4111111111111111" }],
  [OLD, { ip: "::1", amount: 1, customer: { ...customer, externaRef: NUMBER } }],
  [OLD, { ip: "::1", amount: 1, customer: { ...customer, address: { ...customer.address, complement: NUMBER } } }],
  [OLD, { ip: "::1", amount: 1, customer, items: [{ title: NUMBER }] }],
  [OLD, { ip: "::1", amount: 1, customer, checkout: { utm_source: NUMBER } }],
  [OLD, { ip: "::1", amount: 1, customer, checkout: { [NUMBER]: "x" } }],
  [OLD, { ip: "::1", amount: 1, customer, metadata: { sell_url: `https://example.com/${NUMBER}` } }],
  [WEBHOOKS, { ...hook, title: NUMBER }],
  [WEBHOOKS, { ...hook, url: "https://example.com/4111-1111-1111-1111" }],
  [WEBHOOKS, { ...hook, products: ["4111111111111111"] }],
  ["/api/partner/v1/credentials", { name: NUMBER }],
])("a card's number in free text that is kept is refused: %s %j", async (path, body) => {
  const { accountId, token } = await makeAccount();
  const before = await tracesOf(accountId);
  expect(await host.ask("POST", path, { token, body })).toMatchObject(REFUSED);
  expect(await tracesOf(accountId)).toEqual(before);
});

test("a card's number as an Idempotency-Key is refused, because a key is stored", async () => {
  const { accountId, token } = await makeAccount();
  const answer = await host.ask("POST", CASH_IN, { token, body: { amount: 1 }, key: "4111-1111-1111-1111" });
  expect(answer).toMatchObject(REFUSED);
  expect(await forAccount(accountId, (tx) => tx.idempotencyKey.count())).toBe(0);
});
