import { describe, expect, test } from "vitest";
import { routes } from "@/app/routes.generated";
import { forAccount } from "@/lib/db";
import { completeDeposit } from "@/lib/deposits/complete";
import { newId } from "@/lib/ids";
import { readShares } from "@/lib/splits/read";
import { openHost } from "@/lib/testing/http";
import { type Made, makeAccount } from "@/lib/testing/make";
import { tracesOf } from "@/lib/testing/traces";

const host = openHost(routes);

const address = {
  city: "São Paulo",
  state: "SP",
  street: "Rua A",
  country: "BR",
  zipCode: "01001000",
  neighborhood: "Centro",
  streetNumber: "1",
};
const customer = {
  cpf: "52998224725",
  name: "Ana",
  email: "Ana@Example.com",
  phone: "11987654321",
  externaRef: "pedido-7",
  address,
};
const body = { ip: "203.0.113.7", amount: 19.99, customer };

const basicOf = (key: string) => `Basic ${Buffer.from(key).toString("base64")}`;
const saleOf = ({ accountId }: Made, id: unknown) =>
  forAccount(accountId, (tx) =>
    tx.transaction.findUniqueOrThrow({ where: { accountId_id: { accountId, id: String(id) } } }),
  );

describe.each(["/v1/gateway/api", "/v1/gateway/api/", "/v2/gateway/api", "/v2/gateway/api/"])("POST %s", (path) => {
  test("is the deposit in the old words, by token, by key, and by key with a colon", async () => {
    const seller = await makeAccount();
    for (const authorization of [`Bearer ${seller.token}`, basicOf(seller.apiKey), basicOf(`${seller.apiKey}:`)]) {
      const answer = await host.ask("POST", path, { authorization, body });
      expect(answer.status).toBe(200);
      const { paymentCode } = answer.json as { paymentCode: string };
      expect(answer.json).toEqual({
        status: "success",
        message: expect.any(String),
        client_id: "",
        urlWebHook: "",
        paymentCode: expect.stringMatching(/^000201/),
        idTransaction: expect.stringMatching(/^[0-9a-f-]{36}$/),
        paymentCodeBase64: Buffer.from(paymentCode).toString("base64"),
        status_transaction: "WAITING_FOR_APPROVAL",
      });
    }
  });
});

test("the caller's own members are kept with the sale, and the code is valid until the end of the named day", async () => {
  const seller = await makeAccount();
  const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  const recipient = await makeAccount();
  const sent = {
    ...body,
    pix: { expiresInDays: day },
    postbackUrl: "http://localhost:9/postback",
    checkout: { utm_source: "anúncio", utm_term: null },
    metadata: { provider: "loja", user_identitication_number: "1" },
    items: [{ title: "Camisa", quantity: 1, tangible: true, unitPrice: 19.99 }],
    split: [{ user_id: recipient.clientId, percentage: 10 }],
    traceable: true,
  };
  const answer = await host.ask("POST", "/v1/gateway/api", { token: seller.token, body: sent });
  expect(answer.json).toMatchObject({ urlWebHook: sent.postbackUrl });
  expect(await saleOf(seller, answer.json.idTransaction)).toMatchObject({
    amount: 1_999n,
    externalId: "pedido-7",
    clientEmail: "ana@example.com",
    callback: { url: sent.postbackUrl, contract: "legacy" },
    legacy: { checkout: sent.checkout, metadata: sent.metadata, items: sent.items, ip: body.ip },
    expiresAt: new Date(`${day}T23:59:59.999-03:00`),
  });
  const shares = await forAccount(seller.accountId, (tx) => readShares(tx, [String(answer.json.idTransaction)]));
  expect(shares).toMatchObject([{ recipientId: recipient.accountId, basisPoints: 1_000 }]);
});

const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const record = (members: number) => Object.fromEntries(Array.from({ length: members }, (_, at) => [`utm_${at}`, "x"]));
const ITEM = ["items.0.quantity", "items.0.title", "items.0.unitPrice"];

test.each<[object, string[]]>([
  [{ checkout: { "utm_\u0000": "x" } }, ["checkout"]],
  [{ ip: undefined }, ["ip"]],
  [{ ip: "1.2.3" }, ["ip"]],
  [{ amount: "1,00" }, ["amount"]],
  [{ customer: undefined }, ["customer"]],
  [{ customer: { ...customer, cpf: "52998224724", externaRef: "" } }, ["customer.cpf", "customer.externaRef"]],
  [{ customer: { ...customer, phone: "1", email: "x" } }, ["customer.email", "customer.phone"]],
  [{ customer: { ...customer, address: { ...address, city: undefined } } }, ["customer.address.city"]],
  [{ pix: { expiresInDays: 3 } }, ["pix.expiresInDays"]],
  [{ pix: { expiresInDays: "2026-13-01" } }, ["pix.expiresInDays"]],
  [{ pix: { expiresInDays: "2020-01-01" } }, ["pix.expiresInDays"]],
  [{ pix: { expiresInDays: "9999-12-31" } }, ["pix.expiresInDays"]],
  [{ pix: { expiresInDays: dayIn(5 * 366) } }, ["pix.expiresInDays"]],
  [{ split: [] }, ["split"]],
  [{ checkout: record(21) }, ["checkout"]],
  [{ checkout: { ["u".repeat(65)]: "x" } }, [`checkout.${"u".repeat(64)}`]],
  [{ checkout: { utm_source: "x".repeat(501) } }, ["checkout.utm_source"]],
  [{ items: Array.from({ length: 101 }, () => ({ title: "x" })) }, ["items"]],
  [{ items: [{ title: "x".repeat(501), quantity: 1e10, unitPrice: -1e13 }] }, ITEM],
  [{ items: [{ unitPrice: "9".repeat(33) }] }, ["items.0.unitPrice"]],
  [{ metadata: { provider: "x".repeat(501) } }, ["metadata.provider"]],
])("a deposit with %j is 422 at each field, and nothing is stored", async (changes, fields) => {
  const { accountId, token } = await makeAccount();
  const before = await tracesOf(accountId);
  const answer = await host.ask("POST", "/v1/gateway/api", { token, body: { ...body, ...changes } });
  expect(answer.status).toBe(422);
  expect(Object.keys(answer.json.errors as object).sort()).toEqual(fields);
  expect(await tracesOf(accountId)).toEqual(before);
});

test.each<object>([
  { checkout: { ...record(20), utm_0: "x".repeat(500) } },
  { checkout: {} },
  { items: [{ title: "x".repeat(500), quantity: 3, tangible: null, unitPrice: 0.1 + 0.2 }, { unitPrice: "19.99" }] },
  { metadata: { sell_url: "https://loja.example/?utm_source=x", no_such: "x".repeat(5_000) } },
  { pix: { expiresInDays: dayIn(5 * 365) } },
  { no_such: "x".repeat(500_000), customer: { ...customer, no_such: "x".repeat(50_000) } },
])("what partners send is accepted: %#", async (changes) => {
  const { token } = await makeAccount();
  const answer = await host.ask("POST", "/v1/gateway/api", { token, body: { ...body, ...changes } });
  expect([answer.status, answer.json.errors]).toEqual([200, undefined]);
});

test("an address's complement may be missing, null or a text, and __proto__ among the utm is a name like any other", async () => {
  const { token } = await makeAccount();
  for (const complement of [undefined, null, "apto 1"]) {
    const sent = { ...body, customer: { ...customer, address: { ...address, complement } } };
    expect((await host.ask("POST", "/v1/gateway/api", { token, body: sent })).status).toBe(200);
  }
  const odd = JSON.stringify(body).replace("{", '{"checkout": {"__proto__": "x", "utm_source": "a"},');
  expect((await host.ask("POST", "/v1/gateway/api", { token, body: odd })).status).toBe(200);
  expect(({} as Record<string, unknown>).utm_source).toBeUndefined();
});

test.each([
  ["nothing", ""],
  ["an unknown key", basicOf(newId())],
  ["an empty key", basicOf("")],
  ["no Base64", "Basic %%%"],
])("with %s: 401", async (_, authorization) => {
  const answer = await host.ask("POST", "/v1/gateway/api", { ...(authorization && { authorization }), body: "{" });
  expect(answer).toMatchObject({ status: 401, json: { message: expect.any(String) } });
});

test("getCompany, getsaldo and getTransactionStatus answer the account in the old words, with and without the slash", async () => {
  const seller = await makeAccount({ feeBasisPoints: 100 });
  const authorization = basicOf(seller.apiKey);
  const ask = (path: string) => host.ask("GET", path, { authorization });
  for (const path of ["/s1/getCompany/", "/s1/getCompany"]) {
    expect((await ask(path)).json).toEqual({
      dados_seller: {
        id_seller: seller.clientId,
        empresa: {
          id: seller.accountId,
          nome: seller.account.name,
          email: expect.stringContaining("@"),
          cpf_cnpj: expect.any(String),
          telefone: null,
        },
      },
    });
  }

  const made = await host.ask("POST", "/v1/gateway/api", { authorization, body });
  const id = String(made.json.idTransaction);
  const status = async () => (await ask(`/s1/getTransaction/api/getTransactionStatus.php?id_transaction=${id}`)).json;
  expect(await status()).toEqual({
    situacao: "pending",
    tipo: "pix",
    valor_bruto: 19.99,
    status: "pending",
    status_transaction: "WAITING_FOR_APPROVAL",
  });
  const paid = await host.ask("POST", `/api/partner/v1/sandbox/pix/${id}/pay`, { token: seller.token, body: {} });
  await completeDeposit({ provider: "simulator", endToEndId: String(paid.json.end_to_end_id) });
  expect(await status()).toMatchObject({ situacao: "completed", status_transaction: "PAID_OUT" });

  for (const path of ["/s1/getsaldo/api/", "/s1/getsaldo/api"]) {
    expect((await ask(path)).json).toEqual({
      data: {
        usuario: expect.stringContaining("@"),
        nome: seller.account.name,
        saldo_liquido: 19.79,
        transacoes: {
          entrada: { quantidade: 1, bruto: 19.99, liquido: 19.79 },
          saida: { quantidade: 0, bruto: 0, liquido: 0 },
        },
      },
      status: 200,
      message: expect.any(String),
      error: false,
    });
  }
  for (const query of ["", "?id_transaction=", "?id_transaction=x", `?id_transaction=${newId()}`]) {
    const none = await ask(`/s1/getTransaction/api/getTransactionStatus.php${query}`);
    expect([none.status, none.json]).toEqual([404, { errCode: 404, message: expect.any(String) }]);
    expect(none.headers.get("x-request-id")).not.toBeNull();
  }
});
