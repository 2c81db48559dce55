import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { routes } from "@/app/routes.generated";
import { cardCharge } from "@/lib/charges/call";
import { forAccount } from "@/lib/db";
import { flushRequestLog } from "@/lib/http/request-log";
import { newId } from "@/lib/ids";
import { resolveCall } from "@/lib/outside/calls";
import { patience } from "@/lib/simulators/cards/routes";
import { type Answered, openHost } from "@/lib/testing/http";
import { type Made, makeAccount } from "@/lib/testing/make";
import { aCard, anOrder } from "@/lib/testing/shop";
import { tracesOf } from "@/lib/testing/traces";
import { deliverOnce, dispatchEvent, receiver } from "@/lib/webhooks/testing";

const host = openHost(routes);
const { slowMs, heldMs } = patience;
beforeAll(() => void Object.assign(patience, { slowMs: 0, heldMs: 0 }));
afterAll(() => void Object.assign(patience, { slowMs, heldMs }));

const V1 = "/api/partner/v1";
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

async function tokenize({ token }: Made, number = "4111111111111111"): Promise<string> {
  const { json } = await host.ask("POST", `${V1}/card-tokens`, { token, body: aCard({ number }) });
  return (json.data as { token: string }).token;
}

async function charge(seller: Made, number?: string, overrides: object = {}): Promise<Answered> {
  const body = anOrder(await tokenize(seller, number), { amount: 149.9, ...overrides });
  return host.ask("POST", `${V1}/credit-card`, { token: seller.token, body });
}

const read = async ({ token }: Made, path: string) => (await host.ask("GET", path, { token })).json;

test("a charge answers exactly 200 at the root, and V1, V2, list, detail and balance agree about it", async () => {
  const seller = await makeAccount();
  const { status, json } = await charge(seller, undefined, { installments: 2 });
  const { identifier, ...rest } = json;
  expect(status).toBe(200);
  expect(identifier).toMatch(UUID);
  expect(rest).toEqual({ message: expect.any(String), status: "completed", brand: "visa", last4: "1111" });

  expect(await read(seller, `${V1}/transaction/${identifier}`)).toMatchObject({
    data: { reference_id: identifier, amount: 149.9, status: "completed", pix_code: null },
  });
  const card = { brand: "visa", last4: "1111", installments: 2 };
  expect(await read(seller, `/api/partner/v2/transactions/${identifier}`)).toMatchObject({
    data: {
      transaction: {
        status: "completed",
        payment_method: "credit_card",
        amount: 149.9,
        net_amount: 143.53,
        refused_reason: null,
      },
      customer: { name: "Ana Prado", email: "ana@example.com", document: "52998224725" },
      payment: { pix: null, card },
      tracking: { client_ip: "203.0.113.7", user_agent: "Mozilla/5.0" },
    },
  });
  for (const query of ["type=card", "method=credit_card", "method=card", "search=1111", "search=ana@example.com"]) {
    const list = await read(seller, `/api/partner/v2/transactions?${query}`);
    expect(list, query).toMatchObject({
      data: [{ reference_id: identifier, method: "credit_card", card }],
      meta: { total: 1 },
    });
  }
  expect(await read(seller, `/api/dashboard/v1/transactions/${identifier}`)).toMatchObject({
    data: { payment: { card } },
  });
  expect(await read(seller, `${V1}/balance`)).toMatchObject({ balance: "0.00", pending: "143.53" });
});

test("an issuer's refusal is 402 with its reason and the sale's id, and our own is 402 without a reason", async () => {
  const seller = await makeAccount();
  const refused = await charge(seller, "4000000000009995");
  expect(refused.status).toBe(402);
  expect(refused.json).toEqual({
    message: expect.any(String),
    error: "card_refused",
    refused_reason: "insufficient_funds",
    identifier: expect.stringMatching(UUID),
  });
  const ours = await charge(seller, "4100000000000019");
  expect(ours.status).toBe(402);
  expect(ours.json).toEqual({
    message: expect.any(String),
    error: "antifraud_refused",
    identifier: expect.stringMatching(UUID),
  });
  await flushRequestLog();
  const logged = await forAccount(seller.accountId, (tx) => tx.requestLog.findMany({ where: { status: 402 } }));
  expect(logged.map(({ error }) => error).sort()).toEqual(["antifraud_refused", "card_refused"]);
  const { data } = (await read(seller, `/api/partner/v2/transactions/${refused.json.identifier}`)) as { data: object };
  expect(data).toMatchObject({ transaction: { status: "refused", refused_reason: "insufficient_funds" } });
  expect(await read(seller, `${V1}/transaction/${ours.json.identifier}`)).toMatchObject({ data: { status: "failed" } });
});

test("a charge without an answer is 200 and pending, and the webhook reports its outcome", async () => {
  const seller = await makeAccount();
  const { status, json } = await charge(seller, "4000000000000119");
  expect({ status, json }).toMatchObject({ status: 200, json: { status: "pending", last4: "0119" } });
  await resolveCall(cardCharge, { accountId: seller.accountId, id: String(json.identifier) });
  expect(await read(seller, `${V1}/transaction/${json.identifier}`)).toMatchObject({ data: { status: "completed" } });
});

test("webhooks get a charge under both names, and the charge's own callback gets it in the old words", async () => {
  const seller = await makeAccount();
  const place = await receiver({ status: 200 });
  const registration = { title: "Loja", url: place.url, trigger_all_products: true };
  for (const event of ["transaction", "card", "cashin"]) {
    await host.ask("POST", `${V1}/webhooks`, { token: seller.token, body: { ...registration, event } });
  }
  const { json } = await charge(seller, undefined, { webhook_url: `${place.url}/own` });
  const { accountId } = seller;
  const events = await forAccount(accountId, (tx) =>
    tx.event.findMany({ where: { subject: "transaction" }, orderBy: { id: "asc" } }),
  );
  for (const { id: eventId } of events) await dispatchEvent({ accountId, eventId });
  const deliveries = await forAccount(accountId, (tx) => tx.delivery.findMany());
  for (const { id: deliveryId } of deliveries) await deliverOnce({ accountId, deliveryId });

  const sent = place.received.map(({ path, headers, body }) => [path, headers["x-syncpay-event"], JSON.parse(body)]);
  await place.close();
  const names = sent.map(([path, name]) => `${path} ${name}`).sort();
  expect(names).toEqual([
    "/ card.created",
    "/ card.updated",
    "/ transaction.created",
    "/ transaction.updated",
    "/own undefined",
  ]);
  const updated = sent.find(([, name]) => name === "card.updated")?.[2];
  expect(updated).toMatchObject({
    event: "card.updated",
    transaction: {
      reference_id: json.identifier,
      status: "completed",
      previous_status: "pending",
      payment_method: "credit_card",
    },
    payment: { pix: null, card: { brand: "visa", last4: "1111", installments: 1 } },
  });
  const created = sent.find(([, name]) => name === "transaction.created")?.[2];
  expect(created, "created never means paid").toMatchObject({ transaction: { status: "pending", paid_at: null } });
  const own = sent.find(([path]) => path === "/own")?.[2];
  expect(own).toMatchObject({ data: { status: "PAID_OUT", amount: 149.9, paymentcode: "" } });
});

describe("refused at its field, and nothing is stored:", () => {
  const good = anOrder(`card_token.${"A".repeat(43)}`);
  test.each<[object, string[]]>([
    [{ device: undefined }, ["device"]],
    [{ device: { ip: "x", user_agent: "", page_url: "x" } }, ["device.ip", "device.page_url", "device.user_agent"]],
    [{ client: undefined }, ["client"]],
    [
      { client: { ...good.client, document: { type: "rg", number: "1" } } },
      ["client.document.number", "client.document.type"],
    ],
    [{ client: { ...good.client, document: { type: "cpf", number: "11222333000181" } } }, ["client.document.type"]],
    [{ device: { ...good.device, page_url: "javascript:alert(1)" } }, ["device.page_url"]],
    [{ card: {} }, ["card.token"]],
    [{ card: undefined }, ["card"]],
    [{ installments: 13 }, ["installments"]],
    [{ installments: 1.5 }, ["installments"]],
    [{ amount: 0 }, ["amount"]],
    [{ webhook_url: "x" }, ["webhook_url"]],
    [{}, ["card.token"]],
  ])("%j", async (changes, fields) => {
    const { accountId, token } = await makeAccount();
    const before = await tracesOf(accountId);
    const answer = await host.ask("POST", `${V1}/credit-card`, { token, body: { ...good, ...changes }, key: newId() });
    expect(answer.status).toBe(422);
    expect(Object.keys((answer.json.errors ?? {}) as object).sort()).toEqual(fields);
    expect(await tracesOf(accountId)).toEqual(before);
  });

  test("a card's number or CVV, which the answer does not repeat", async () => {
    const seller = await makeAccount();
    const token = await tokenize(seller);
    for (const extra of [{ number: "4111111111111111" }, { cvv: "737" }]) {
      const body = anOrder(token, { card: { token, ...extra } });
      const answer = await host.ask("POST", `${V1}/credit-card`, { token: seller.token, body });
      expect(answer).toMatchObject({ status: 422, json: { error: "card_data_not_accepted" } });
      for (const secret of Object.values(extra)) expect(answer.text).not.toContain(secret);
    }
  });
});

test("an account without cards is refused at every card operation", async () => {
  const { token } = await makeAccount({ features: [] });
  for (const path of ["credit-card", "card-tokens"]) {
    const answer = await host.ask("POST", `${V1}/${path}`, { token, body: {} });
    expect(answer, path).toMatchObject({ status: 403, json: { error: "feature_disabled" } });
  }
});
