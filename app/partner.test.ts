import { describe, expect, test, vi } from "vitest";
import { routes } from "@/app/routes.generated";
import { requireContext } from "@/lib/accounts/read";
import { credentialScopes, moneyScopes, roles, type Scope } from "@/lib/auth/scopes";
import { createCredential } from "@/lib/credentials/create";
import type { NewCredential } from "@/lib/credentials/schema";
import { forAccount } from "@/lib/db";
import { completeDeposit } from "@/lib/deposits/complete";
import { authenticate } from "@/lib/http/authenticate";
import { flushRequestLog } from "@/lib/http/request-log";
import { parseBrCode } from "@/lib/rails/pix/brcode";
import { openHost } from "@/lib/testing/http";
import { call, type Made, makeAccount } from "@/lib/testing/make";

const host = openHost(routes);
const V1 = "/api/partner/v1";
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}000Z$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const time = expect.stringMatching(TIME);

const get = ({ token }: Made, path: string) => host.ask("GET", path, { token });
const post = ({ token }: Made, path: string, body: object = {}) => host.ask("POST", path, { token, body });

type CashIn = { message: string; pix_code: string; identifier: string; expires_at: string };

async function deposit(seller: Made, overrides: object = {}): Promise<CashIn> {
  const answer = await post(seller, `${V1}/cash-in`, { amount: 100, ...overrides });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.json as CashIn;
}

/** Pays a deposit as the sandbox does, and completes it as the callback's job would. */
async function pay(seller: Made, { identifier }: CashIn, body: object = {}): Promise<string> {
  const { json } = await post(seller, `${V1}/sandbox/pix/${identifier}/pay`, body);
  const endToEndId = String(json.end_to_end_id);
  await completeDeposit({ provider: "simulator", endToEndId });
  return endToEndId;
}

const CLIENT = { name: "Ana", cpf: "52998224725", email: "ana@example.com", phone: "11987654321" };

test("auth-token: a bearer token of one hour at the root of the body, and only its hash is kept", async () => {
  const { clientId: client_id, clientSecret: client_secret } = await makeAccount();
  const before = Date.now();
  const answer = await host.ask("POST", `${V1}/auth-token`, { body: { client_id, client_secret } });
  expect(answer).toMatchObject({ status: 200 });
  expect(answer.json).toEqual({
    access_token: expect.stringMatching(/^[\w-]{43}$/),
    token_type: "Bearer",
    expires_in: 3600,
    expires_at: time,
  });
  expect(Math.abs(Date.parse(String(answer.json.expires_at)) - before - 3_600_000)).toBeLessThan(10_000);
  expect((await host.ask("GET", `${V1}/balance`, { token: String(answer.json.access_token) })).status).toBe(200);
  const upper = await host.ask("POST", `${V1}/auth-token`, {
    body: { client_id: client_id.toUpperCase(), client_secret },
  });
  expect(upper.status).toBe(200);
});

test("balance: decimal strings at the root", async () => {
  const seller = await makeAccount({ available: 123_456 });
  expect(await get(seller, `${V1}/balance`)).toMatchObject({ status: 200 });
  expect((await get(seller, `${V1}/balance`)).json).toEqual({
    balance: "1234.56",
    pending: "0.00",
    blocked: "0.00",
    currency: "BRL",
  });
});

test("balance: many sellers who ask at once each get their own", async () => {
  const sellers = await Promise.all(Array.from({ length: 12 }, (_, at) => makeAccount({ available: at * 100 })));
  const asked = Array.from({ length: 96 }, (_, turn) => turn % sellers.length);
  const answers = await Promise.all(
    asked.map((at) => host.ask("GET", "/api/partner/v1/balance", { token: sellers[at]?.token ?? "" })),
  );
  expect(answers.map(({ json }) => json.balance)).toEqual(asked.map((at) => `${at}.00`));
});

test("profile: the account's registered data at the root", async () => {
  const seller = await makeAccount();
  const { status, json } = await get(seller, `${V1}/profile`);
  expect(status).toBe(200);
  expect(Object.keys(json)).toEqual(["name", "email", "status", "document", "phone", "address", "legalRepresentative"]);
  expect(json).toMatchObject({ name: seller.account.name, status: "approved" });
});

test("cash-in: a real BR Code at the root, exactly 200", async () => {
  const seller = await makeAccount();
  const answer = await post(seller, `${V1}/cash-in`, { amount: 19.99, client: CLIENT });
  expect(answer.status).toBe(200);
  expect(answer.json).toEqual({
    message: expect.any(String),
    pix_code: expect.stringMatching(/^000201.*br\.gov\.bcb\.pix/),
    identifier: expect.stringMatching(UUID),
    expires_at: time,
  });
  expect(parseBrCode(String(answer.json.pix_code)).amount).toBe(1_999);
});

describe("credentials", () => {
  test("show their secrets once, work at once, and are listed without them, newest first", async () => {
    const seller = await makeAccount();
    const made = await post(seller, `${V1}/credentials`, { name: " Loja ", scopes: ["balance:read"] });
    expect(made.status).toBe(201);
    const { client_secret, api_key, awaiting_scopes, ...rest } = made.json.data as Record<string, string>;
    expect(awaiting_scopes).toEqual([]);
    expect(rest).toEqual({
      id: rest.client_id,
      client_id: expect.stringMatching(UUID),
      name: "Loja",
      scopes: ["balance:read"],
      follows_role: false,
      is_masked: false,
      allowed_networks: [],
      secret_last4: client_secret?.slice(-4),
      api_key_last4: api_key?.slice(-4),
      created_at: time,
      expires_at: null,
      last_used_at: null,
      last_used_ip: null,
    });
    const list = await get(seller, `${V1}/credentials`);
    expect(list.json).toMatchObject({ data: [rest, { client_id: seller.clientId }], meta: { total: 2 } });
    for (const secret of [client_secret, api_key]) expect(list.text).not.toContain(secret);

    const minted = await host.ask("POST", `${V1}/auth-token`, { body: { client_id: rest.client_id, client_secret } });
    const token = String(minted.json.access_token);
    expect((await host.ask("GET", `${V1}/balance`, { token })).status).toBe(200);
    expect((await host.ask("GET", `${V1}/profile`, { token })).status).toBe(403);
    expect((await get(seller, `${V1}/credentials`)).json).toMatchObject({ data: [{ last_used_at: time }, {}] });
  });

  test.each([
    [{}, "name"],
    [{ name: " " }, "name"],
    [{ name: "x".repeat(101) }, "name"],
    [{ name: "x", scopes: [] }, "scopes"],
    [{ name: "x", scopes: ["everything"] }, "scopes.0"],
  ])("of %j are 422 at %s", async (body, field) => {
    const answer = await post(await makeAccount(), `${V1}/credentials`, body);
    expect(answer).toMatchObject({ status: 422, json: { errors: { [field]: [expect.any(String)] } } });
  });

  test("have no scopes that their maker lacks", async () => {
    const seller = await makeAccount();
    const make = (token: string, scopes?: string[]) =>
      host.ask("POST", `${V1}/credentials`, { token, body: { name: "Loja", ...(scopes && { scopes }) } });
    const mine = ["credentials:write", "balance:read"];
    const made = (await make(seller.token, mine)).json.data as { client_id: string; client_secret: string };
    const { client_id, client_secret } = made;
    const minted = await host.ask("POST", `${V1}/auth-token`, { body: { client_id, client_secret } });
    const token = String(minted.json.access_token);

    expect(await make(token, ["transactions:write"])).toMatchObject({
      status: 403,
      json: { error: "insufficient_scope" },
    });
    expect((await get(seller, `${V1}/credentials`)).json).toMatchObject({ meta: { total: 2 } });
    const inherited = (await make(token)).json.data as { scopes: string[] };
    expect(inherited.scopes.toSorted()).toEqual(mine.toSorted());
    expect((await make(token, ["balance:read"])).json.data).toMatchObject({ scopes: ["balance:read"] });
  });

  test("with their maker's role get scopes that are added later, and those with a list do not", async () => {
    const seller = await makeAccount();
    const make = async (token: string, scopes?: string[]) => {
      const body = { name: "Loja", ...(scopes && { scopes }) };
      return (await host.ask("POST", `${V1}/credentials`, { token, body })).json.data as NewCredential;
    };
    const mint = async ({ client_id, client_secret }: NewCredential) =>
      String((await host.ask("POST", `${V1}/auth-token`, { body: { client_id, client_secret } })).json.access_token);
    const listed = await make(seller.token, [...credentialScopes]);
    const all = await make(seller.token);
    const child = await make(await mint(all));
    const maker = { scopes: roles.viewer, role: "viewer" } as const;
    const { data } = await createCredential(seller.account, { name: "Loja", maker }, call());
    const scopesOf = async ({ client_id, api_key }: NewCredential) => {
      const list = (await get(seller, `${V1}/credentials`)).json.data as { client_id: string; scopes: string[] }[];
      const shown = list.find((one) => one.client_id === client_id)?.scopes ?? [];
      const request = new Request("http://x", { headers: { authorization: `Basic ${btoa(api_key)}` } });
      expect((await authenticate(request, "legacy")).scopes).toEqual(shown);
      return shown;
    };
    const money: readonly string[] = moneyScopes;
    const harmless = credentialScopes.filter((scope) => !money.includes(scope));
    const { owner } = roles;
    roles.owner = [...owner, "balance:new" as Scope];
    try {
      expect(await scopesOf(all)).toEqual([...harmless, "balance:new"]);
      expect(await scopesOf(child)).toEqual([...harmless, "balance:new"]);
      expect(await scopesOf(listed)).toEqual(credentialScopes);
      expect(await scopesOf(data)).toEqual(roles.viewer.filter((scope) => harmless.includes(scope)));
      const request = new Request("http://x", { headers: { authorization: `Bearer ${await mint(all)}` } });
      expect((await authenticate(request, "account")).scopes).toContain("balance:new");
    } finally {
      roles.owner = owner;
    }
  });

  test("that are revoked are gone from the list, and cannot be revoked again", async () => {
    const seller = await makeAccount();
    const made = await post(seller, `${V1}/credentials`, { name: "Loja" });
    const { client_id } = made.json.data as { client_id: string };
    const revoke = () => host.ask("DELETE", `${V1}/credentials/${client_id}`, { token: seller.token });
    expect(await revoke()).toMatchObject({ status: 200, json: { message: expect.any(String) } });
    expect((await revoke()).status).toBe(404);
    expect((await get(seller, `${V1}/credentials`)).json).toMatchObject({ meta: { total: 1 } });
  });
});

describe("the sandbox", () => {
  test("expires a code, and refuses what an expired sale does not allow", async () => {
    const seller = await makeAccount();
    const made = await deposit(seller);
    const act = (deed: string, body: object = {}) => post(seller, `${V1}/sandbox/pix/${made.identifier}/${deed}`, body);
    expect(await act("expire")).toMatchObject({ status: 200, json: { message: expect.any(String) } });
    expect(await act("expire")).toMatchObject({ status: 409, json: { error: "invalid_transition" } });
    await pay(seller, made);
    expect(await act("pay")).toMatchObject({ status: 409, json: { error: "invalid_transition" } });
    expect(await act("pay", { amount: -1 })).toMatchObject({ status: 422 });
  });

  test("pays the amount and as the payer that the body names", async () => {
    const seller = await makeAccount();
    const made = await deposit(seller);
    const payer = { name: "Bia", document: "11.222.333/0001-81" };
    await pay(seller, made, { payer });
    const { json } = await get(seller, `/api/dashboard/v1/transactions/${made.identifier}`);
    expect(json.data).toMatchObject({ payer: { name: "Bia", document: "11222333000181" } });
  });
});

test("overview: today, 60 days of Brasília, the balance and what is still to do", async () => {
  const seller = await makeAccount({ feeBasisPoints: 0 });
  const empty = (await get(seller, "/api/dashboard/v1/overview")).json.data as { days: { date: string }[] };
  expect(empty).toMatchObject({
    today: { count: 0, amount: "0.00" },
    balance: { balance: "0.00" },
    failing_webhooks: 0,
    failing_webhook: null,
    overdue_subscriptions: 0,
    suspended_subscriptions: 0,
    checklist: { credential: true, webhook: false, paid: false, product: null, plan: null, link: false },
  });
  expect(empty.days).toHaveLength(60);
  expect(empty.days.at(-1)?.date).toBe(new Date(Date.now() - 3 * 3_600_000).toISOString().slice(0, 10));

  await pay(seller, await deposit(seller, { amount: 12.34 }));
  await deposit(seller);
  await post(seller, `${V1}/webhooks`, { title: "Loja", url: "http://localhost:9/", event: "transaction" });
  const full = (await get(seller, "/api/dashboard/v1/overview")).json.data as { days: object[] };
  expect(full).toMatchObject({
    today: { count: 1, amount: "12.34" },
    balance: { balance: "12.34" },
    checklist: { credential: true, webhook: true, paid: true },
  });
  expect(full.days.at(-1)).toMatchObject({ amount: "12.34", count: 1 });
});

test("a request that is refused for its scope is in the account's request log too", async () => {
  const { accountId } = await makeAccount();
  const made = await createCredential(
    await requireContext(accountId),
    { name: "Leitura", scopes: ["profile:read"] },
    call(),
  );
  const { client_id, client_secret } = made.data;
  const { json } = await host.ask("POST", `${V1}/auth-token`, { body: { client_id, client_secret } });
  await host.ask("GET", `${V1}/balance`, { token: String(json.access_token) });
  await flushRequestLog();
  const rows = await forAccount(accountId, (tx) => tx.requestLog.findMany());
  expect(rows).toMatchObject([{ path: `${V1}/balance`, status: 403, error: "insufficient_scope" }]);
});

test("two callers that flush the request log both wait until its rows are written", async () => {
  const seller = await makeAccount();
  const count = () => forAccount(seller.accountId, (tx) => tx.requestLog.count());
  await get(seller, `${V1}/balance`);
  const first = flushRequestLog();
  await get(seller, `${V1}/balance`);
  const [, second] = [flushRequestLog(), flushRequestLog()];
  await second;
  expect(await count()).toBe(2);
  await first;
});

test("the request log keeps caller, path and outcome, and nothing of the body", async () => {
  const seller = await makeAccount();
  const ok = await get(seller, `${V1}/balance?token=${seller.token}`);
  const bad = await post(seller, `${V1}/cash-in`, { amount: 0 });
  await host.ask("GET", `${V1}/balance`);
  const rows = await vi.waitFor(async () => {
    await flushRequestLog();
    const found = await forAccount(seller.accountId, (tx) => tx.requestLog.findMany({ orderBy: { id: "asc" } }));
    expect(found).toHaveLength(2);
    return found;
  });
  const base = { clientId: seller.clientId, userId: null, ip: "127.0.0.1" };
  expect(rows).toMatchObject([
    { ...base, id: ok.headers.get("x-request-id"), method: "GET", path: `${V1}/balance`, status: 200, error: null },
    {
      ...base,
      id: bad.headers.get("x-request-id"),
      method: "POST",
      path: `${V1}/cash-in`,
      status: 422,
      error: "validation_failed",
    },
  ]);
});
