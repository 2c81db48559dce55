import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { routes } from "@/app/routes.generated";
import { env } from "@/lib/env";
import { errors } from "@/lib/errors";
import { endpoint } from "@/lib/http/endpoint";
import { newId } from "@/lib/ids";
import { callerOf } from "@/lib/testing/callers";
import { fill, openHost, operationsOf } from "@/lib/testing/http";
import { makeAccount } from "@/lib/testing/make";
import { makeShop, SHOP } from "@/lib/testing/shop";
import { tracesOf } from "@/lib/testing/traces";

const host = openHost(routes);
const CASH_IN = "/api/partner/v1/cash-in";
const writes = operationsOf(routes).filter(
  ({ method, contract: { auth = "account", body } }) =>
    ["POST", "PUT"].includes(method) && !["none", "public_key", "staff"].includes(auth) && body,
);

const anyId = (path: string) => fill(path, () => newId());
const MESSAGE = { message: expect.stringMatching(/\S/) };

describe("a body", () => {
  test.each(writes)(
    "$method $path: broken JSON is 400, over 1 MB is 413, not JSON is 415",
    async ({ method, path, contract }) => {
      const made = await makeAccount();
      const { accountId } = made;
      const { headers, ...caller } = { headers: {}, ...(await callerOf(made, contract)) };
      const before = await tracesOf(accountId);
      const send = (body: string, type = "application/json") =>
        host.ask(method, anyId(path), { ...caller, body, headers: { ...headers, "content-type": type } });
      for (const broken of ["{", '{"amount": NaN}', "{'a': 1}", '{"a": 1,}', "\u0000", '{"a": "\u0001"}', "[1"]) {
        expect(await send(broken), broken).toMatchObject({ status: 400, json: MESSAGE });
      }
      expect(await send("amount=1", "application/x-www-form-urlencoded")).toMatchObject({ status: 415, json: MESSAGE });
      expect(await send("<a/>", "text/xml")).toMatchObject({ status: 415, json: MESSAGE });
      expect(await send(`{"description": "${"x".repeat(2_000_000)}"}`)).toMatchObject({ status: 413, json: MESSAGE });
      expect(await tracesOf(accountId)).toEqual(before);
    },
  );

  test("over 1 MB without a declared length is 413 too", async () => {
    const { token } = await makeAccount();
    const body = new ReadableStream({
      start(stream) {
        for (let piece = 0; piece < 20; piece += 1) stream.enqueue(new TextEncoder().encode(" ".repeat(100_000)));
        stream.close();
      },
    });
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const init = { method: "POST", headers, body, duplex: "half" } as RequestInit;
    const response = await fetch(`${host.url}${CASH_IN}`, init);
    expect([response.status, await response.json()]).toEqual([413, MESSAGE]);
  });

  test("of just 1 MB is accepted", async () => {
    const { token } = await makeAccount();
    const start = '{"amount": 1, "x": "';
    const body = `${start}${"x".repeat(1_000_000 - start.length - 2)}"}`;
    expect(await host.ask("POST", CASH_IN, { token, body })).toMatchObject({ status: 200 });
    expect(await host.ask("POST", CASH_IN, { token, body: `${body} ` })).toMatchObject({ status: 413 });
  });

  test.each([
    ["text/plain", "JSON in text/plain"],
    ["application/vnd.api+json; charset=utf-8", "a JSON kind with parameters"],
    ["application/x-www-form-urlencoded", "JSON under a form's name, as some clients send it"],
    ["", "no content type"],
  ])("%s is read: %s", async (type) => {
    const { token } = await makeAccount();
    const headers = { "content-type": type };
    expect(await host.ask("POST", CASH_IN, { token, body: '{"amount": 19.99}', headers })).toMatchObject({
      status: 200,
    });
  });

  test.each(["", " \r\n\t", "{}"])("%j is {}", async (body) => {
    const { token } = await makeAccount();
    const answer = await host.ask("POST", CASH_IN, { token, body });
    expect(answer).toMatchObject({ status: 422, json: { ...MESSAGE, errors: { amount: [expect.any(String)] } } });
  });

  test.each(["null", "[]", '"x"', "1", "true"])("%s is JSON and not an object: 422", async (body) => {
    const { token } = await makeAccount();
    const answer = await host.ask("POST", CASH_IN, { token, body });
    expect(answer).toMatchObject({ status: 422, json: { ...MESSAGE, errors: { body: [expect.any(String)] } } });
  });

  test("with unknown members is accepted; of two equal names the last counts, and __proto__ is a name like any other", async () => {
    const { token } = await makeAccount();
    const body = `{"amount": 1, "no_such": {"deep": [1]}, "__proto__": {"amount": 5, "polluted": true},
      "constructor": {"prototype": {"polluted": true}}, "client": {"name": "A", "__proto__": {"email": 7}}, "amount": 2.5}`;
    const made = await host.ask("POST", CASH_IN, { token, body });
    expect(made.status).toBe(200);
    const { identifier } = made.json as { identifier: string };
    const sale = await host.ask("GET", `/api/partner/v1/transaction/${identifier}`, { token });
    expect(sale.json).toMatchObject({ data: { amount: 2.5 } });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    const empty = await host.ask("POST", CASH_IN, { token, body: '{"__proto__": {"amount": 5}}' });
    expect(empty.status).toBe(422);
  });
});

const GOOD = { amount: 1, client: { name: "Ana", cpf: "52998224725" } };
const SOMEONE = "01900000-0000-7000-8000-000000000001";

test.each<[object, string[]]>([
  ...[0, -1, 1e-9, 1.005, "1,00", "NaN", "12345678901234567890", null, true, [], {}].map(
    (amount): [object, string[]] => [{ amount }, ["amount"]],
  ),
  [{ client: { cpf: "52998224724" } }, ["client.cpf"]],
  [{ client: { cpf: "11222333000182" } }, ["client.cpf"]],
  [{ client: { cpf: "12ABC34501DE34" } }, ["client.cpf"]],
  [{ client: { cpf: 52998224725 } }, ["client.cpf"]],
  [{ client: { phone: "123" } }, ["client.phone"]],
  [{ client: { phone: "+1 23" } }, ["client.phone"]],
  [{ client: { email: "nobody" } }, ["client.email"]],
  [{ client: "Ana" }, ["client"]],
  [{ client: { name: 7, email: "x", cpf: "1" } }, ["client.cpf", "client.email", "client.name"]],
  [{ split: [] }, ["split"]],
  [{ split: {} }, ["split"]],
  [{ split: Array.from({ length: 4 }, () => ({ percentage: 1, user_id: SOMEONE })) }, ["split"]],
  [{ split: [{ percentage: 0, user_id: "x" }] }, ["split.0.percentage", "split.0.user_id"]],
  [
    { split: [{ percentage: 1.5, user_id: SOMEONE }, {}] },
    ["split.0.percentage", "split.1.percentage", "split.1.user_id"],
  ],
  [{ split: [{ percentage: 101, user_id: SOMEONE }] }, ["split.0.percentage"]],
  [{ split: [{ percentage: 10, user_id: SOMEONE }] }, ["split.0.user_id"]],
  [{ description: "x".repeat(256), external_id: 5 }, ["description", "external_id"]],
  [{ webhook_url: 1 }, ["webhook_url"]],
  [{ webhook_url: "x" }, ["webhook_url"]],
  [
    { client: { cpf: `${" ".repeat(50)}52998224725`, phone: `11987654321${"-".repeat(50)}` } },
    ["client.cpf", "client.phone"],
  ],
])("cash-in with %j is 422 at each field, and nothing is stored", async (changes, fields) => {
  const { accountId, token } = await makeAccount();
  const before = await tracesOf(accountId);
  const answer = await host.ask("POST", CASH_IN, { token, body: { ...GOOD, ...changes }, key: newId() });
  const { errors } = answer.json as { errors: Record<string, string[]> };
  expect(answer).toMatchObject({ status: 422, json: MESSAGE });
  expect(Object.keys(answer.json).sort()).toEqual(["errors", "message"]);
  expect(Object.keys(errors).sort()).toEqual(fields);
  for (const texts of Object.values(errors)) expect(texts).toEqual([expect.stringMatching(/\S/)]);
  expect(await tracesOf(accountId)).toEqual(before);
});

test.each<object>([
  { amount: 19.99 },
  { amount: "19.99" },
  { client: { cpf: "12ABC34501DE35" } },
  { client: { cpf: "529.982.247-25", phone: "+5511987654321" } },
  { client: { cpf: null, name: "", phone: "1133334444" } },
  { client: { name: "", cpf: "", email: "", phone: "" }, description: "", external_id: "", webhook_url: "" },
  { client: { name: " ", cpf: " ", email: " ", phone: " " } },
  { client: { phone: "1187654321" } },
  { client: { phone: "+14155552671" } },
  { client: {} },
  { client: null, split: null, description: null, webhook_url: null, external_id: null },
])("cash-in with %j is accepted", async (changes) => {
  const { token } = await makeAccount();
  const answer = await host.ask("POST", CASH_IN, { token, body: { ...GOOD, ...changes } });
  expect(answer.text).toContain("pix_code");
  expect(answer.status).toBe(200);
});

describe("text that the database cannot hold is refused with 422:", () => {
  test.each([
    ["description", { description: "a\u0000b" }],
    ["external_id", { external_id: "\u0000" }],
    ["client.name", { client: { name: "a\u0000" } }],
    ["client.name", { client: { name: "half a pair: \ud800" } }],
  ])("a null character in %s", async (field, changes) => {
    const { accountId, token } = await makeAccount();
    const before = await tracesOf(accountId);
    const answer = await host.ask("POST", CASH_IN, { token, body: { ...GOOD, ...changes } });
    expect(answer).toMatchObject({ status: 422, json: { errors: { [field]: [expect.any(String)] } } });
    expect(await tracesOf(accountId)).toEqual(before);
  });

  test.each([
    "search=%00",
    "search=a%00b",
    "from=2026-13-45",
    "from=2026-02-30",
    "to=2026-02-99",
    "from=2026-01-01T99:99:99Z",
    "cursor=%00",
  ])("transactions?%s", async (query) => {
    const { token } = await makeAccount();
    const answer = await host.ask("GET", `/api/partner/v2/transactions?${query}`, { token });
    expect(answer).toMatchObject({ status: 422, json: { errors: expect.any(Object) } });
  });
});

describe("where callers are anonymous", () => {
  const isOpen = (auth: string | undefined) => auth === "none" || auth === "public_key";
  const anonymous = operationsOf(routes).filter(({ contract }) => isOpen(contract.auth));
  const open = anonymous.filter(({ method }) => method !== "GET");
  const SIGN_UP = "/api/public/v1/sign-up";
  const { SIGN_UP_LIMIT_PER_MINUTE } = env;
  afterEach(() => void Object.assign(env, { SIGN_UP_LIMIT_PER_MINUTE }));

  test("every route spends a slot before it reads the body, and reads no more than 8 kB", () => {
    expect(open.length).toBeGreaterThan(2);
    for (const { path, contract } of anonymous) {
      if (contract.body) expect(contract.maxBytes, path).toBeLessThanOrEqual(8_000);
      expect(contract.limit ?? contract.auth, path).not.toBe("none");
    }
  });

  test.each(open)("$method $path: over 8 kB is 413", async ({ method, path }) => {
    Object.assign(env, { SIGN_UP_LIMIT_PER_MINUTE: 1_000 });
    const { key } = await makeShop();
    const headers = { "x-public-key": key, origin: SHOP };
    const answer = await host.ask(
      method,
      fill(path, () => newId()),
      { body: `{"a": "${"x".repeat(8_000)}"}`, headers },
    );
    expect(answer).toMatchObject({ status: 413, json: MESSAGE });
  });

  test("a caller over its limit is refused before its body is read", async () => {
    Object.assign(env, { SIGN_UP_LIMIT_PER_MINUTE: 0 });
    expect(await host.ask("POST", SIGN_UP, { body: "{" })).toMatchObject({ status: 429 });
    Object.assign(env, { SIGN_UP_LIMIT_PER_MINUTE: 1_000 });
    expect(await host.ask("POST", SIGN_UP, { body: "{" })).toMatchObject({ status: 400 });
  });
});

describe("a connection that breaks", () => {
  const broken = Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });

  test("to the database is answered 503, not as a fault of the caller's JSON", async () => {
    const contract = { summary: "", tag: "", auth: "none", response: z.object({}) } as const;
    const handler = endpoint(contract, () => Promise.reject(broken));
    const answer = await handler(new Request("http://localhost/", { method: "POST", body: "{}" }), none);
    expect([answer.status, await answer.json()]).toEqual([503, { message: errors.unavailable[1] }]);
  });

  test("in the middle of a body is answered as the caller's fault", async () => {
    const contract = { summary: "", tag: "", auth: "none", response: z.object({}) } as const;
    const body = new ReadableStream({ pull: (stream) => stream.error(broken) });
    const request = new Request("http://localhost/", { method: "POST", body, duplex: "half" } as RequestInit);
    const answer = await endpoint(contract, async () => ({}))(request, none);
    expect([answer.status, await answer.json()]).toEqual([400, { message: errors.invalid_json[1] }]);
  });

  const none = { params: Promise.resolve({}) };
});
