import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { routes } from "@/app/routes.generated";
import { signPageToken } from "@/lib/auth/page-token";
import { spendToken } from "@/lib/card-tokens/tokenize";
import { forAccount } from "@/lib/db";
import { env } from "@/lib/env";
import { newId } from "@/lib/ids";
import { addDomain, removeDomain } from "@/lib/public-keys/domains";
import { readPublicKey, regeneratePublicKey } from "@/lib/public-keys/public-key";
import { type Answered, openHost } from "@/lib/testing/http";
import { call, type Made, makeAccount } from "@/lib/testing/make";
import { aCard, makeShop, SHOP, someAddress } from "@/lib/testing/shop";

const host = openHost(routes);
const PATH = "/api/public/v1/card-tokens";

/** Each test calls from addresses of its own, through a trusted proxy. */
const { TRUSTED_PROXIES } = env;
beforeAll(() => Object.assign(env, { TRUSTED_PROXIES: 1 }));
afterAll(() => Object.assign(env, { TRUSTED_PROXIES }));

type Call = { key?: string; origin?: string; from?: string; body?: unknown; headers?: Record<string, string> };

const tokenize = ({ key, origin = SHOP, from = someAddress(), body = aCard(), headers }: Call): Promise<Answered> =>
  host.ask("POST", PATH, {
    body,
    headers: { ...(key && { "x-public-key": key }), ...(origin && { origin }), "x-forwarded-for": from, ...headers },
  });

const setStatus = ({ accountId }: Made, status: "pending" | "suspended") =>
  forAccount(accountId, (tx) => tx.account.update({ where: { id: accountId }, data: { status } }));

const corsOf = ({ headers }: Answered) =>
  [...headers]
    .filter(([name]) => /^(access-control-|vary)/.test(name))
    .sort(([one], [other]) => (one < other ? -1 : 1));

const READABLE = [
  ["access-control-allow-origin", SHOP],
  ["access-control-expose-headers", "Retry-After, X-Request-Id, RateLimit-Policy, RateLimit"],
  ["vary", "Origin"],
];

const tokensOf = (accountId: string) => forAccount(accountId, (tx) => tx.cardToken.count());

describe("a page of a listed domain", () => {
  test.each([
    ["sandbox", "pk_test_"],
    ["live", "pk_live_"],
  ] as const)("of a %s account, whose key is %s…, gets a token that its seller can spend", async (mode, prefix) => {
    const { key, accountId } = await makeShop({ mode });
    expect(key.startsWith(prefix)).toBe(true);
    const answer = await tokenize({ key });
    expect(answer).toMatchObject({ status: 201, json: { data: { brand: "visa", last4: "1111" } } });
    const { data } = answer.json as { data: Record<string, string> };
    expect(Object.keys(answer.json)).toEqual(["data"]);
    expect(Object.keys(data)).toEqual(["token", "brand", "last4", "expires_at"]);
    expect(corsOf(answer)).toEqual(READABLE);
    expect(answer.headers.has("access-control-allow-credentials")).toBe(false);
    const spent = await forAccount(accountId, (tx) => spendToken(tx, accountId, data.token ?? ""));
    expect(spent.card).toEqual(aCard().card);
  });

  test("may read an answer with the fault of each field of a card, and nothing is kept", async () => {
    const { key, accountId } = await makeShop();
    const wrong = aCard({
      number: "4111111111111112",
      holder_name: "",
      expiry_month: "13",
      expiry_year: "1",
      cvv: "1",
    });
    const answer = await tokenize({ key, body: wrong });
    expect(answer).toMatchObject({ status: 422, json: { message: expect.any(String) } });
    expect(Object.keys(answer.json)).toEqual(["message", "errors"]);
    const { errors } = answer.json as { errors: Record<string, string[]> };
    const fields = ["cvv", "expiry_month", "expiry_year", "holder_name", "number"].map((name) => `card.${name}`);
    expect(Object.keys(errors).sort()).toEqual(fields);
    expect(answer.text).not.toContain("4111");
    expect(corsOf(answer)).toEqual(READABLE);
    expect(await tokensOf(accountId)).toBe(0);
    expect((await tokenize({ key, body: {} })).json).toMatchObject({ errors: { card: [expect.any(String)] } });
  });

  test.each(["http://localhost:5173", "http://127.0.0.1:8080", "https://loja.example:8443"])(
    "may be %s, if that is listed",
    async (origin) => {
      const { key, accountId } = await makeShop();
      expect((await tokenize({ key, origin })).status).toBe(403);
      await addDomain({ id: accountId }, { origin }, call());
      expect((await tokenize({ key, origin })).status).toBe(201);
    },
  );

  test("is answered as on every route for a body that is not JSON or over 1 MB", async () => {
    const { key } = await makeShop();
    const headers = { "content-type": "text/xml" };
    expect((await tokenize({ key, body: "{" })).status).toBe(400);
    expect((await tokenize({ key, body: "<a/>", headers })).status).toBe(415);
    expect((await tokenize({ key, body: `{"a": "${"x".repeat(1_000_000)}"}` })).status).toBe(413);
  });

  test("gets two tokens for an Idempotency-Key sent twice, because an answer with a token is not stored", async () => {
    const { key, accountId, token } = await makeShop();
    const headers = { "idempotency-key": newId() };
    const partners = () => host.ask("POST", "/api/partner/v1/card-tokens", { token, body: aCard(), headers });
    const answers = [
      await tokenize({ key, headers }),
      await tokenize({ key, headers }),
      await partners(),
      await partners(),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(4);
    expect(await forAccount(accountId, (tx) => tx.idempotencyKey.count())).toBe(0);
  });
});

describe("a preflight", () => {
  test.each(["https://anyone.example", "null", SHOP])("from %s is let through, and carries no key", async (origin) => {
    const asks = { "access-control-request-method": "POST", "access-control-request-headers": "x-public-key" };
    const answer = await host.ask("OPTIONS", PATH, { headers: { origin, ...asks } });
    expect(answer).toMatchObject({ status: 204, text: "" });
    const { headers } = answer;
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("access-control-allow-methods")).toBe("POST");
    expect(headers.get("access-control-allow-headers")).toBe("content-type, x-public-key");
    expect(headers.has("access-control-allow-credentials")).toBe(false);
  });

  test("spends no slot of a limit", async () => {
    const { key } = await makeShop();
    const from = someAddress();
    const asked = Array.from({ length: 70 }, () =>
      host.ask("OPTIONS", PATH, { headers: { origin: SHOP, "x-forwarded-for": from } }),
    );
    expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set([204]));
    expect((await tokenize({ key, from })).status).toBe(201);
  });
});

describe("401:", () => {
  test.each([
    ["no key", ""],
    ["an unknown key", `pk_test_${"x".repeat(43)}`],
    ["a key cut short", "cut"],
    ["an account's id", "id"],
    ["a key of 10,000 letters", "x".repeat(10_000)],
    ["SQL", "' or '1'='1"],
  ])("%s", async (_, wrong) => {
    const { key, accountId } = await makeShop();
    const sent = wrong === "cut" ? key.slice(0, -1) : wrong === "id" ? accountId : wrong;
    const answer = await tokenize({ key: sent, body: "{" });
    expect(answer).toMatchObject({ status: 401, text: '{"message":"Chave pública inválida."}' });
    expect(corsOf(answer)).toEqual([]);
  });

  test("a replaced key is refused from then on, and the new key works", async () => {
    const { key, account } = await makeShop();
    const from = someAddress();
    expect((await tokenize({ key, from })).status).toBe(201);
    const made = await regeneratePublicKey(account, call());
    expect((await tokenize({ key, from })).status).toBe(401);
    expect((await tokenize({ key: made.data.key, from })).status).toBe(201);
    expect((await readPublicKey(account)).data.key).toBe(made.data.key);
  });
});

/** All bytes of the answer, except those that differ from request to request. */
async function bytesOf(headers: Record<string, string>, body: string): Promise<string> {
  const { port, hostname } = new URL(host.url);
  const lines = Object.entries({
    host: "localhost",
    connection: "close",
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(body)),
    "x-forwarded-for": someAddress(),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  const read = await new Promise<string>((resolve) => {
    const socket = connect(Number(port), hostname, () =>
      socket.write(`POST ${PATH} HTTP/1.1\r\n${lines.join("")}\r\n${body}`),
    );
    let text = "";
    socket.on("data", (data) => {
      text += data;
    });
    socket.on("close", () => resolve(text));
  });
  return read.replace(/^x-request-id: [\da-f-]{36}\r\n/im, "").replace(/^date: .*\r\n/im, "");
}

describe("403", () => {
  /** Each cause of a 403, with the headers that the page sends. */
  const causes: Record<string, () => Promise<{ key: string; origin?: string; pageToken?: string }>> = {
    "an origin that is not listed": async () => ({ key: (await makeShop()).key, origin: "https://other.example" }),
    "no origin": async () => ({ key: (await makeShop()).key }),
    "an opaque origin": async () => ({ key: (await makeShop()).key, origin: "null" }),
    "a listed origin with a slash": async () => ({ key: (await makeShop()).key, origin: `${SHOP}/` }),
    "a listed origin in capitals": async () => ({ key: (await makeShop()).key, origin: SHOP.toUpperCase() }),
    "a listed origin's other port": async () => ({ key: (await makeShop()).key, origin: `${SHOP}:8443` }),
    "a listed origin without TLS": async () => ({ key: (await makeShop()).key, origin: "http://loja.example" }),
    "a listed origin's sub-domain": async () => ({ key: (await makeShop()).key, origin: "https://a.loja.example" }),
    "an origin of 10,000 letters": async () => ({
      key: (await makeShop()).key,
      origin: `https://${"a".repeat(10_000)}.example`,
    }),
    "no registered domain": async () => {
      const { account } = await makeAccount();
      return { key: (await readPublicKey(account)).data.key, origin: SHOP };
    },
    "a domain that was removed": async () => {
      const { key, account, accountId } = await makeShop();
      const { domains } = (await readPublicKey(account)).data;
      await removeDomain({ id: accountId }, { id: domains[0]?.id ?? "" });
      return { key, origin: SHOP };
    },
    "another account's domain": async () => {
      const { accountId } = await makeAccount();
      await addDomain({ id: accountId }, { origin: "https://theirs.example" }, call());
      return { key: (await makeShop()).key, origin: "https://theirs.example" };
    },
    "an account without cards": async () => ({ key: (await makeShop({ features: ["refunds"] })).key, origin: SHOP }),
    "an account that waits for approval": async () => {
      const shop = await makeShop();
      await setStatus(shop, "pending");
      return { key: shop.key, origin: SHOP };
    },
    "an account that is suspended": async () => {
      const shop = await makeShop();
      await setStatus(shop, "suspended");
      return { key: shop.key, origin: SHOP };
    },
    "our own origin without a page's token": async () => ({ key: (await makeShop()).key, origin: env.APP_URL }),
    "our own origin, listed by a seller, without a page's token": async () => {
      const { accountId, key } = await makeShop();
      await addDomain({ id: accountId }, { origin: new URL(env.APP_URL).origin }, call());
      return { key, origin: env.APP_URL };
    },
    "our own origin with another key's page token": async () => ({
      key: (await makeShop()).key,
      origin: env.APP_URL,
      pageToken: signPageToken((await makeShop()).key),
    }),
    "another origin with a page's token": async () => {
      const { key } = await makeShop();
      return { key, origin: "https://other.example", pageToken: signPageToken(key) };
    },
  };

  const refused = async (cause: string, body: string) => {
    const { key, origin, pageToken } = (await causes[cause]?.()) ?? { key: "" };
    const headers = { "x-public-key": key, ...(origin && { origin }), ...(pageToken && { "x-page-token": pageToken }) };
    return bytesOf(headers, body);
  };

  const [known = "", ...others] = Object.keys(causes);
  test.each(others)(
    "for %s is that for an unlisted origin, byte by byte: status, headers, length, body",
    async (cause) => {
      const [one, other] = [await refused(known, "{}"), await refused(cause, "{}")];
      expect(one).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n/);
      expect(one.endsWith('\r\n\r\n{"message":"Chave pública ou origem não autorizada."}')).toBe(true);
      expect(one).not.toMatch(/access-control|vary/i);
      expect(other).toBe(one);
    },
  );

  test("is the same whatever the body, which is not read", async () => {
    const bodies = ["", "{", JSON.stringify(aCard()), JSON.stringify(aCard({ number: "1" })), "x".repeat(1_100_000)];
    const [one, ...rest] = await Promise.all(bodies.map((body) => refused(known, body)));
    expect(one).toMatch(/^HTTP\/1\.1 403 /);
    for (const other of rest) expect(other).toBe(one);
  });
});

describe("our own page", () => {
  test("is admitted by a token that we signed for this key, at our own origin, for 10 minutes", async () => {
    const account = await makeAccount();
    const { data } = await readPublicKey(account.account);
    const headers = { "x-page-token": signPageToken(data.key) };
    const call = { key: data.key, origin: env.APP_URL, headers };
    expect(await tokenize(call)).toMatchObject({ status: 201, json: { data: { last4: "1111" } } });
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 10 * 60_000 - 2_000 });
    expect((await tokenize(call)).status).toBe(201);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_000 });
    expect((await tokenize(call)).status).toBe(403);
    vi.useRealTimers();
  });

  test.each([
    ["an expiry of its own", (token: string) => token.replace(/^\d/, "9")],
    ["another signature", (token: string) => token.replace(/\.../, (start) => (start === ".AA" ? ".BB" : ".AA"))],
    ["no signature", (token: string) => token.slice(0, 14)],
    ["nothing", () => ""],
    ["more after it", (token: string) => `${token}x`],
  ])("is not admitted by a token with %s", async (_, forge) => {
    const { key } = await makeShop();
    const headers = { "x-page-token": forge(signPageToken(key)) };
    expect((await tokenize({ key, origin: env.APP_URL, headers })).status).toBe(403);
  });
});

const limited = { message: "Muitas requisições. Tente de novo em 10 minutos.", error: "rate_limit_exceeded" };

const times = <T>(count: number, run: () => Promise<T>) => Promise.all(Array.from({ length: count }, run));

describe("the limits", () => {
  test("are checked in order: address, key, key and address, origin, card", async () => {
    const { key } = await makeShop();
    const unlisted = "https://other.example";
    const from = someAddress();
    const statusOf = async (call: Call) => (await tokenize({ from, ...call })).status;
    expect(await statusOf({ body: "{" })).toBe(401);
    expect(await statusOf({ key, origin: unlisted, body: "{" })).toBe(403);
    expect(await statusOf({ key, body: "{}" })).toBe(422);
    await times(18, () => statusOf({ key, origin: unlisted })); // with the two above 20 of this key
    expect(await statusOf({ key })).toBe(429);
    expect(await statusOf({ key, origin: unlisted })).toBe(429); // before the origin
    expect(await statusOf({ body: "{" })).toBe(401); // the address's own limit is not reached
    expect(await statusOf({ key: (await makeShop()).key })).toBe(201);
    await times(60, () => statusOf({}));
    expect(await statusOf({ body: "{" })).toBe(429); // before the key
    expect(await statusOf({ key: (await makeShop()).key })).toBe(429);
    expect((await tokenize({ key })).status).toBe(201); // another address
  });

  test("are answered with the interface's text and the time to wait, which only a listed page may read", async () => {
    const { key } = await makeShop();
    const from = someAddress();
    await times(21, () => tokenize({ key, from }));
    const answer = await tokenize({ key, from });
    expect(answer).toMatchObject({ status: 429, json: limited });
    expect(Object.keys(answer.json)).toEqual(["message", "error"]);
    const seconds = Number(answer.headers.get("retry-after"));
    expect(Number.isInteger(seconds) && seconds >= 1 && seconds <= 61, `${seconds} s`).toBe(true);
    expect(corsOf(answer)).toEqual(READABLE);
    const unlisted = await tokenize({ key, from, origin: "https://other.example" });
    expect(unlisted).toMatchObject({ status: 429, json: limited });
    expect(corsOf(unlisted)).toEqual([]);
    await times(60, () => tokenize({ from }));
    expect(corsOf(await tokenize({ key, from }))).toEqual(READABLE); // also at the address's limit
    expect(corsOf(await tokenize({ from }))).toEqual([]);
  });

  test("do not reveal by a 429 what a 403 hides", async () => {
    const shop = await makeShop();
    await setStatus(shop, "suspended");
    const from = someAddress();
    await times(21, () => tokenize({ key: shop.key, from }));
    const answer = await tokenize({ key: shop.key, from });
    expect(answer.status).toBe(429);
    expect(corsOf(answer)).toEqual([]);
  });

  test("count each IPv6 /64, not each of its addresses", async () => {
    const { key } = await makeShop();
    const net = `2001:db8:${Math.floor(Math.random() * 65_536).toString(16)}`;
    let host = 0;
    const statuses = await times(30, async () => {
      host += 1;
      return (await tokenize({ key, from: `${net}:1::${host.toString(16)}` })).status;
    });
    expect(statuses.filter((status) => status === 201)).toHaveLength(20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
    expect((await tokenize({ key, from: `${net}:1:ffff:ffff:ffff:ffff` })).status).toBe(429);
    expect((await tokenize({ key, from: `${net}:2::1` })).status).toBe(201);
  });
});

describe("a partner's own back-end", () => {
  const PARTNERS = "/api/partner/v1/card-tokens";

  test("gets the same kind of token with its bearer token, and the same faults", async () => {
    const { token, accountId } = await makeAccount();
    const answer = await host.ask("POST", PARTNERS, { token, body: aCard() });
    expect(answer).toMatchObject({ status: 201, json: { data: { brand: "visa", last4: "1111" } } });
    const { data } = answer.json as { data: { token: string } };
    const spent = await forAccount(accountId, (tx) => spendToken(tx, accountId, data.token));
    expect(spent.card).toEqual(aCard().card);
    const wrong = await host.ask("POST", PARTNERS, { token, body: aCard({ cvv: "1" }) });
    expect(wrong).toMatchObject({ status: 422, json: { errors: { "card.cvv": [expect.any(String)] } } });
  });

  test("needs an approved account with the feature cards", async () => {
    const plain = await makeAccount({ features: [] });
    const none = await host.ask("POST", PARTNERS, { token: plain.token, body: "{" });
    expect(none).toMatchObject({ status: 403, json: { error: "feature_disabled" } });
    for (const [status, expected] of [
      ["pending", { status: 422, json: { error: "account_not_approved", action: "wait_for_approval" } }],
      ["suspended", { status: 403, json: { error: "account_suspended" } }],
    ] as const) {
      const seller = await makeAccount();
      await setStatus(seller, status);
      expect(await host.ask("POST", PARTNERS, { token: seller.token, body: aCard() })).toMatchObject(expected);
      expect(await tokensOf(seller.accountId)).toBe(0);
    }
  });
});
