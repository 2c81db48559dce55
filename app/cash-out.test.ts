import { describe, expect, test } from "vitest";
import { routes } from "@/app/routes.generated";
import { forAccount, prisma } from "@/lib/db";
import type { KeptEvent } from "@/lib/events/subject";
import { openEvent } from "@/lib/events/subjects";
import { newId } from "@/lib/ids";
import { openHost } from "@/lib/testing/http";
import { call, type Made, makeAccount } from "@/lib/testing/make";
import { createWebhook } from "@/lib/webhooks/create";
import { WebhookInput } from "@/lib/webhooks/schema";

const host = openHost(routes);
const V1 = "/api/partner/v1";

const get = ({ token }: Made, path: string) => host.ask("GET", path, { token });
const post = ({ token }: Made, path: string, body: object = {}, headers: Record<string, string> = {}) =>
  host.ask("POST", path, { token, body, headers });

const aSeller = (available = 100_000) => makeAccount({ available });
const document = { type: "cpf", number: "529.982.247-25" };
const KEY = { pix_key_type: "evp", pix_key: "123E4567-e89b-42d3-a456-426614174000" };
const ask = (seller: Made, overrides: object = {}, headers?: Record<string, string>) =>
  post(seller, `${V1}/cash-out`, { amount: 40, ...KEY, document, ...overrides }, headers);

/** A withdrawal of a seller's. Returns its id. */
async function asked(seller: Made, overrides: object = {}): Promise<string> {
  const { status, json, text } = await ask(seller, overrides);
  if (status !== 200) throw new Error(text);
  return String(json.reference_id);
}

test("a withdrawal is answered with 200, a message and its id, and holds amount and fee at once", async () => {
  const seller = await aSeller();
  const { accountId } = seller;
  await forAccount(accountId, (tx) => tx.account.update({ where: { id: accountId }, data: { withdrawalFee: 150 } }));
  const answer = await ask(seller, { amount: "40.00", description: "Fornecedor" });
  expect(answer.status).toBe(200);
  const id = String(answer.json.reference_id);
  expect(answer.text).toBe(`{"message":"Saque solicitado.","reference_id":"${id}"}`);
  expect((await get(seller, `${V1}/balance`)).json).toMatchObject({ balance: "958.50" });
  expect((await get(seller, `${V1}/transaction/${id}`)).json).toEqual({
    data: {
      ...{ reference_id: id, currency: "BRL", amount: 40, transaction_date: expect.any(String), status: "pending" },
      ...{ description: "Fornecedor", pix_code: null, paid_at: null },
    },
  });
  expect((await get(seller, `/api/partner/v2/transactions/${id}`)).status).toBe(404);
  const known = {
    reference_id: id,
    status: "requested",
    amount: 40,
    fee: 1.5,
    total: 41.5,
    owner_name: "Pessoa de Teste",
  };
  expect((await get(seller, `${V1}/withdrawals/${id}`)).json).toMatchObject({
    data: { ...known, pix_key_type: "EVP", pix_key: KEY.pix_key.toLowerCase(), document: "52998224725" },
  });
  expect((await get(seller, `${V1}/withdrawals?status=open`)).json).toMatchObject({
    data: [known],
    meta: { total: 1 },
  });
});

describe("a request is refused, and nothing is held or written,", () => {
  const cases = {
    "with no body": [
      { amount: undefined, pix_key_type: undefined, pix_key: undefined, document: undefined },
      422,
      {
        ...{ amount: expect.anything(), pix_key_type: expect.anything(), pix_key: expect.anything() },
        document: expect.anything(),
      },
    ],
    "for an amount with three places": [{ amount: 1.005 }, 422, { amount: expect.anything() }],
    "for a key that is none of its type": [
      { pix_key_type: "CNPJ", pix_key: "11222333000180" },
      422,
      { pix_key: expect.anything() },
    ],
    "for an unknown type of key": [{ pix_key_type: "IBAN" }, 422, { pix_key_type: expect.anything() }],
    "for a CPF with wrong digits": [
      { document: { type: "CPF", number: "52998224724" } },
      422,
      { "document.number": expect.anything() },
    ],
    "for a wrong key and a wrong document, both told at once": [
      { pix_key_type: "EVP", pix_key: "x", document: { type: "CPF", number: "" } },
      422,
      { pix_key: expect.anything(), "document.number": expect.anything() },
    ],
    "for a key that nobody has": [
      { pix_key_type: "EMAIL", pix_key: "unknown@psp.example" },
      422,
      { pix_key: expect.anything() },
    ],
    "for a key of somebody else": [
      { pix_key_type: "EMAIL", pix_key: "another@psp.example" },
      422,
      { "document.number": expect.anything() },
    ],
    "for more than the balance": [{ amount: 1_000.01 }, 422, "insufficient_balance"],
    "for more than the limit, although the balance is short too": [
      { amount: 100_000.01 },
      422,
      "withdrawal_limit_exceeded",
    ],
  } as const;
  for (const [name, [overrides, status, expected]] of Object.entries(cases)) {
    test(name, async () => {
      const seller = await aSeller();
      const answer = await ask(seller, overrides);
      expect(answer, answer.text).toMatchObject({
        ...{ status, json: typeof expected === "string" ? { error: expected } : { errors: expected } },
      });
      expect((await get(seller, `${V1}/balance`)).json).toMatchObject({ balance: "1000.00" });
      expect((await get(seller, `${V1}/withdrawals`)).json).toMatchObject({ data: [] });
    });
  }

  test("without the feature, the scope or a token", async () => {
    const plain = await makeAccount({ features: [] });
    expect(await ask(plain)).toMatchObject({ status: 403, json: { error: "feature_disabled" } });
    expect((await host.ask("POST", `${V1}/cash-out`, { body: {} })).status).toBe(401);
  });
});

test("keys and documents are read as people write them, and kept as the directory writes them", async () => {
  const seller = await aSeller();
  const cnpj = { type: "CNPJ", number: "12.ABC.345/01DE-35" };
  const cases = [
    [{ pix_key_type: "Cpf", pix_key: "529.982.247-25" }, "52998224725"],
    [{ pix_key_type: "CNPJ", pix_key: "12.abc.345/01de-35", document: cnpj }, "12ABC34501DE35"],
    [{ pix_key_type: "email", pix_key: " Ana@Example.com " }, "ana@example.com"],
    [{ pix_key_type: "PHONE", pix_key: "(11) 98765-4321" }, "+5511987654321"],
    [{ pix_key_type: "phone", pix_key: "+5511987654321" }, "+5511987654321"],
  ] as const;
  for (const [key, kept] of cases) {
    const id = await asked(seller, { amount: 1, ...key });
    expect((await get(seller, `${V1}/withdrawals/${id}`)).json).toMatchObject({ data: { pix_key: kept } });
  }
});

test("a request that is repeated under its key asks once, and is answered the same", async () => {
  const seller = await aSeller();
  const key = { "idempotency-key": newId() };
  const answers = await Promise.all([1, 2, 3].map(() => ask(seller, {}, key)));
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect((await get(seller, `${V1}/withdrawals`)).json).toMatchObject({ meta: { total: 1 } });
  expect(await ask(seller, { amount: 41 }, key)).toMatchObject({
    status: 422,
    json: { error: "idempotency_key_reused" },
  });
});

test("of ten requests at once for the money of four exactly four win", async () => {
  const seller = await aSeller(40_000);
  const answers = await Promise.all(Array.from({ length: 10 }, () => ask(seller, { amount: 100 })));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(4);
  expect(answers.filter(({ json }) => json.error === "insufficient_balance")).toHaveLength(6);
  expect((await get(seller, `${V1}/balance`)).json).toMatchObject({ balance: "0.00" });
});

test("a withdrawal is cancelled once, and what it held is back; another account's is unknown to all", async () => {
  const [seller, other] = [await aSeller(), await aSeller()];
  const id = await asked(seller);
  for (const path of [`withdrawals/${id}`, `transaction/${id}`])
    expect((await get(other, `${V1}/${path}`)).status).toBe(404);
  expect((await post(other, `${V1}/withdrawals/${id}/cancel`)).status).toBe(404);
  const answers = await Promise.all([1, 2].map(() => post(seller, `${V1}/withdrawals/${id}/cancel`)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect((await get(seller, `${V1}/balance`)).json).toMatchObject({ balance: "1000.00" });
  expect((await get(seller, `${V1}/transaction/${id}`)).json).toMatchObject({ data: { status: "failed" } });
  expect(await post(seller, `${V1}/withdrawals/${id}/approve`)).toMatchObject({
    status: 403,
    json: { error: "own_request" },
  });
});

test("the list of transactions has withdrawals by type=cash_out alone, in V1's words, and the old API knows them", async () => {
  const seller = await aSeller();
  const [open, cancelled] = [await asked(seller), await asked(seller, { amount: 5 })];
  await post(seller, `${V1}/withdrawals/${cancelled}/cancel`);
  const listed = async (query: string) => {
    const { json } = await get(seller, `/api/partner/v2/transactions?${query}`);
    return (json.data as { reference_id: string; status: string }[]).map(({ reference_id, status }) => [
      reference_id,
      status,
    ]);
  };
  expect(await listed("")).toEqual([]);
  expect(await listed("type=cash_out")).toEqual([
    [cancelled, "failed"],
    [open, "pending"],
  ]);
  expect(await listed("type=cash_out&status=failed")).toEqual([[cancelled, "failed"]]);
  expect(await listed("type=cash_out&status=refunded")).toEqual([]);
  const poor = await makeAccount();
  await prisma().credential.update({ where: { clientId: poor.clientId }, data: { scopes: ["transactions:read"] } });
  await prisma().accessToken.updateMany({
    where: { clientId: poor.clientId },
    data: { scopes: ["transactions:read"] },
  });
  expect((await get(poor, "/api/partner/v2/transactions")).status).toBe(200);
  expect(await get(poor, "/api/partner/v2/transactions?type=cash_out")).toMatchObject({
    ...{ status: 403, json: { error: "insufficient_scope" } },
  });
  const legacy = await get(seller, `/s1/getTransaction/api/getTransactionStatus.php?id_transaction=${open}`);
  expect(legacy.json).toMatchObject({ status: "pending", valor_bruto: 40, status_transaction: "WAITING_FOR_APPROVAL" });
  expect((await get(seller, "/s1/getsaldo/api/")).json).toMatchObject({
    data: { transacoes: { saida: { quantidade: 0, bruto: 0, liquido: 0 } } },
  });
});

test("a webhook for cashout gets the creation and the end in the cash contract, and a program elsewhere asks for nothing", async () => {
  const seller = await aSeller();
  const { accountId, clientId } = seller;
  await createWebhook(
    seller.account,
    WebhookInput.parse({ title: "Loja", url: "http://localhost:9/", event: "cashout" }),
    call(),
  );
  const id = await asked(seller);
  await post(seller, `${V1}/withdrawals/${id}/cancel`);
  const events = await forAccount(accountId, (tx) =>
    tx.event.findMany({ where: { accountId, subjectId: id }, orderBy: { id: "asc" } }),
  );
  const bodies = events.map((event) => {
    const { subscriptions, body } = openEvent(event);
    const [route] = subscriptions.filter(({ registration }) => registration === "cashout");
    return route && [route.name, route.contract, body(route)];
  });
  const data = {
    ...{ id, pix_type: "EVP", pix_key: KEY.pix_key.toLowerCase(), amount: 40, final_amount: 40, currency: "BRL" },
    ...{ payment_method: "PIX", created_at: expect.any(String), updated_at: expect.any(String) },
  };
  const updated = events.at(-1);
  const part = { ...updated, data: { status: "paid", previous_status: "paid" }, record: { status: "paid" } };
  expect(openEvent(part as KeptEvent).subscriptions, "a part that came back is no second end").toEqual([]);
  expect(bodies).toEqual([
    ["cashout.create", "cash", { data: { ...data, status: "pending" } }],
    ["cashout.update", "cash", { data: { ...data, status: "failed" } }],
  ]);

  await prisma().accessToken.updateMany({ where: { clientId }, data: { allowedNetworks: ["203.0.113.0/24"] } });
  expect(await ask(seller)).toMatchObject({ status: 403, json: { error: "ip_not_allowed" } });
});

test("a key's owner is shown with the document masked, thirty times a minute; paying costs no look-up, guessing does", async () => {
  const seller = await aSeller();
  const look = (key: string) => get(seller, `${V1}/pix-keys/owner?type=EMAIL&key=${key}`);
  expect((await look("ana@example.com")).json).toEqual({
    data: { type: "EMAIL", key: "ana@example.com", name: "Pessoa de Teste", document: "*********25" },
  });
  expect((await look("unknown@psp.example")).status).toBe(404);
  expect((await look("ana")).json).toMatchObject({ errors: { key: expect.anything() } });
  for (let nth = 2; nth < 29; nth += 1) expect((await look("ana@example.com")).status).toBe(200);
  const guess = { pix_key_type: "EMAIL", pix_key: "another@psp.example" };
  for (const _ of [1, 2, 3]) expect((await ask(seller)).status, "the last one is given back").toBe(200);
  expect(await ask(seller, { ...guess, amount: 100_000.01 })).toMatchObject({
    json: { error: "withdrawal_limit_exceeded" },
  });
  expect((await ask(seller, guess)).status).toBe(422);
  const refused = await look("ana@example.com");
  expect(refused).toMatchObject({ status: 429, json: { error: "rate_limit_exceeded" } });
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  for (const guessed of [{}, guess]) expect((await ask(seller, guessed)).status, "neither is told").toBe(429);
});
