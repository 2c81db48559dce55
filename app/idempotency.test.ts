import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { routes } from "@/app/routes.generated";
import { credentialScopes, type Scope } from "@/lib/auth/scopes";
import { createCredential } from "@/lib/credentials/create";
import { mintToken } from "@/lib/credentials/mint-token";
import { forAccount, prisma } from "@/lib/db";
import { completeDeposit } from "@/lib/deposits/complete";
import { env } from "@/lib/env";
import { acceptsKey, type Contract } from "@/lib/http/contract";
import { newId, sha256 } from "@/lib/ids";
import { type Answered, openHost, operationsOf } from "@/lib/testing/http";
import { call, type Made, makeAccount } from "@/lib/testing/make";
import { tracesOf } from "@/lib/testing/traces";

const host = openHost(routes);
const CASH_IN = "/api/partner/v1/cash-in";
const body = { amount: 19.99, description: "Pedido 7" };

const { PARTNER_LIMIT_PER_MINUTE } = env;
afterEach(() => Object.assign(env, { PARTNER_LIMIT_PER_MINUTE }));

const isReplay = ({ headers }: Answered) => headers.get("idempotency-replayed") === "true";
const identifierOf = ({ json }: Answered) => (json as { identifier: string }).identifier;

const keysOf = ({ accountId }: Made) => forAccount(accountId, (tx) => tx.idempotencyKey.findMany());

test("50 requests with one key at once make one deposit and get 50 answers equal to the byte", async () => {
  const { accountId, token } = await makeAccount();
  const key = newId();

  const answers = await Promise.all(Array.from({ length: 50 }, () => host.ask("POST", CASH_IN, { token, body, key })));
  const later = await host.ask("POST", CASH_IN, { token, body, key });

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set([...answers, later].map(({ text }) => text)).size).toBe(1);
  expect(answers.filter(isReplay)).toHaveLength(49);
  expect(isReplay(later)).toBe(true);
  for (const name of ["content-type", "cache-control", "x-content-type-options"]) {
    expect(later.headers.get(name), name).toBe(answers.find((answer) => !isReplay(answer))?.headers.get(name));
  }
  expect(new Set(answers.map(({ headers }) => headers.get("x-request-id"))).size).toBe(50);
  expect(await tracesOf(accountId)).toMatchObject({ transactions: 1, events: 1, outbox: 1, keys: 1 });
  const found = await host.ask("GET", `/api/partner/v1/transaction/${identifierOf(later)}`, { token });
  expect(found).toMatchObject({ status: 200, json: { data: { amount: 19.99, status: "pending" } } });
});

test("without a key every request is a deposit", async () => {
  const { accountId, token } = await makeAccount();
  await Promise.all(Array.from({ length: 5 }, () => host.ask("POST", CASH_IN, { token, body })));
  expect(await tracesOf(accountId)).toMatchObject({ transactions: 5, keys: 0 });
});

test("a key with another request is refused: another value in its body, another path or another query", async () => {
  const { accountId, token } = await makeAccount();
  const key = newId();
  const first = await host.ask("POST", CASH_IN, { token, body, key });
  const before = await tracesOf(accountId);
  for (const [path, other] of [
    [CASH_IN, { ...body, amount: 20 }],
    [CASH_IN, { ...body, amount: "19.99" }],
    [CASH_IN, { ...body, no_such: 1 }],
    [`${CASH_IN}?x=1`, body],
    ["/api/partner/v1/credentials", { name: "x" }],
  ] as const) {
    const answer = await host.ask("POST", path, { token, body: other, key });
    const json = { message: expect.any(String), error: "idempotency_key_reused" };
    expect(answer).toMatchObject({ status: 422, json });
    expect(isReplay(answer)).toBe(false);
  }
  expect(await tracesOf(accountId)).toEqual(before);
  expect((await host.ask("POST", CASH_IN, { token, body, key })).text).toBe(first.text);
});

test.each([
  ["members in another order", '{"client":{"email":"","name":"Ana"},"description":"Pedido 7","amount":19.99}'],
  ["blanks", ' { "amount" : 19.99,\n"description":"Pedido 7", "client": {"name": "Ana", "email": ""} }\n'],
  ["other escapes and zeros", '{"amount":19.990,"description":"Pedido \\u0037","client":{"name":"Ana","email":""}}'],
  ["a member twice", '{"amount":1,"amount":19.99,"description":"Pedido 7","client":{"name":"Ana","email":""}}'],
])("the same request with %s is the same: its key gives the first answer, byte for byte", async (_, again) => {
  const { accountId, token } = await makeAccount();
  const [key, sent] = [newId(), { ...body, client: { name: "Ana", email: "" } }];
  const first = await host.ask("POST", CASH_IN, { token, body: sent, key });
  const second = await host.ask("POST", CASH_IN, { token, body: again, key });
  expect([first.status, second.status, isReplay(second), second.text]).toEqual([200, 200, true, first.text]);
  expect(await tracesOf(accountId)).toMatchObject({ transactions: 1, keys: 1 });
});

test("a list in another order is another request, and so is a value nested too deep to compare by it", async () => {
  const { token } = await makeAccount();
  const [key, deep] = [newId(), newId()];
  await host.ask("POST", CASH_IN, { token, body: { ...body, list: [1, 2] }, key });
  expect(await host.ask("POST", CASH_IN, { token, body: { ...body, list: [2, 1] }, key })).toMatchObject({
    status: 422,
  });
  const nested = (blank: string) => `{"amount": 1,${blank} "x": ${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
  const first = await host.ask("POST", CASH_IN, { token, body: nested(""), key: deep });
  expect(first.status).toBe(200);
  expect((await host.ask("POST", CASH_IN, { token, body: nested(""), key: deep })).text).toBe(first.text);
  expect((await host.ask("POST", CASH_IN, { token, body: nested(" "), key: deep })).status).toBe(422);
});

test("processes of the release before, which knows only the hash of the bytes, answer our keys, and we theirs", async () => {
  const { accountId, token } = await makeAccount();
  const [key, text] = [newId(), '{"description": "Pedido 7", "amount": 19.99}'];
  const first = await host.ask("POST", CASH_IN, { token, body: text, key });
  const [stored] = await forAccount(accountId, (tx) => tx.idempotencyKey.findMany({ where: { accountId, key } }));
  expect(Buffer.from(stored?.requestHash ?? [])).toEqual(sha256(`POST ${CASH_IN}\n${text}`));
  await forAccount(accountId, (tx) =>
    tx.idempotencyKey.updateMany({ where: { accountId, key }, data: { valueHash: null } }),
  );
  expect((await host.ask("POST", CASH_IN, { token, body: text, key })).text).toBe(first.text);
  expect((await host.ask("POST", CASH_IN, { token, body: { amount: 5 }, key })).status).toBe(422);
});

test("another account's key of the same name is another key", async () => {
  const [a, b] = [await makeAccount(), await makeAccount()];
  const key = newId();
  const [first, second] = [
    await host.ask("POST", CASH_IN, { token: a.token, body, key }),
    await host.ask("POST", CASH_IN, { token: b.token, body: { amount: 5 }, key }),
  ];
  expect([first.status, second.status]).toEqual([200, 200]);
  expect(isReplay(second)).toBe(false);
  expect(identifierOf(first)).not.toBe(identifierOf(second));
  for (const { accountId } of [a, b]) expect(await tracesOf(accountId)).toMatchObject({ transactions: 1, keys: 1 });
});

test("a second token of the account repeats the first one's request", async () => {
  const seller = await makeAccount();
  const key = newId();
  const first = await host.ask("POST", CASH_IN, { token: seller.token, body, key });
  const pair = { client_id: seller.clientId, client_secret: seller.clientSecret };
  const minted = await host.ask("POST", "/api/partner/v1/auth-token", { body: pair });
  const { access_token: token } = minted.json as { access_token: string };
  const again = await host.ask("POST", CASH_IN, { token, body, key });
  expect([again.text, isReplay(again)]).toEqual([first.text, true]);
});

test("a refusal is not stored, so the same key works once the request is right", async () => {
  const { accountId, token } = await makeAccount();
  const key = newId();
  const refusals = [
    await host.ask("POST", CASH_IN, { body, key }),
    await host.ask("POST", CASH_IN, { token, body: "{", key }),
    await host.ask("POST", CASH_IN, { token, body: { amount: 0 }, key }),
    await host.ask("POST", CASH_IN, { token, body: { amount: 1, webhook_url: "ftp://x" }, key }),
    await host.ask("POST", CASH_IN, { token, body: { amount: 1, split: [{ user_id: newId(), percentage: 5 }] }, key }),
  ];
  Object.assign(env, { PARTNER_LIMIT_PER_MINUTE: 0 });
  refusals.push(await host.ask("POST", CASH_IN, { token, body, key }));
  Object.assign(env, { PARTNER_LIMIT_PER_MINUTE });
  expect(refusals.map(({ status }) => status)).toEqual([401, 400, 422, 422, 422, 429]);
  expect(await tracesOf(accountId)).toMatchObject({ keys: 0, transactions: 0 });

  const made = await host.ask("POST", CASH_IN, { token, body, key });
  expect([made.status, isReplay(made)]).toEqual([200, false]);
});

test.each([
  ["empty", ""],
  ["too long", "x".repeat(256)],
  ["with a space", "a b"],
  ["not ASCII", "ação"],
])("a key that is %s is refused by name", async (_, key) => {
  const { accountId, token } = await makeAccount();
  const answer = await host.ask("POST", CASH_IN, { token, body, headers: { "idempotency-key": key } });
  expect(answer).toMatchObject({ status: 422, json: { errors: { "Idempotency-Key": [expect.any(String)] } } });
  expect(await tracesOf(accountId)).toMatchObject({ keys: 0, transactions: 0 });
});

test("a key on a read is ignored", async () => {
  const { accountId, token } = await makeAccount();
  const key = newId();
  await host.ask("GET", "/api/partner/v1/balance", { token, key });
  await host.ask("GET", "/api/partner/v1/profile", { token, key });
  expect(await tracesOf(accountId)).toMatchObject({ keys: 0 });
});

test("a secret shown once is shown again under its key, and the database has it only encrypted", async () => {
  const seller = await makeAccount();
  const { token } = seller;
  const key = newId();
  const ask = () => host.ask("POST", "/api/partner/v1/credentials", { token, body: { name: "Loja" }, key });
  const answers = await Promise.all(Array.from({ length: 10 }, ask));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(answers[0]?.status).toBe(201);
  expect(answers.filter(isReplay)).toHaveLength(9);
  expect(await tracesOf(seller.accountId)).toMatchObject({ credentials: 2 });
  const { data } = JSON.parse(answers[0]?.text ?? "") as { data: { client_secret: string } };
  const [stored] = await keysOf(seller);
  expect(stored).toMatchObject({ key, status: 201 });
  expect(Buffer.from(stored?.answer ?? []).includes(data.client_secret)).toBe(false);
});

test("a payment in the sandbox, an expiry and a webhook happen once under their key", async () => {
  const seller = await makeAccount();
  const { token, accountId } = seller;
  const deposit = async () => identifierOf(await host.ask("POST", CASH_IN, { token, body }));
  const twice = async (path: string, sent: object) => {
    const key = newId();
    const answers = await Promise.all([0, 1, 2].map(() => host.ask("POST", path, { token, body: sent, key })));
    answers.push(await host.ask("POST", path, { token, body: sent, key }));
    expect(new Set(answers.map(({ text }) => text)).size, path).toBe(1);
    expect(answers.filter(isReplay).length, path).toBe(3);
    return answers[0]?.text ?? "";
  };
  const paid = await twice(`/api/partner/v1/sandbox/pix/${await deposit()}/pay`, {});
  const { end_to_end_id: endToEndId } = JSON.parse(paid) as { end_to_end_id: string };
  await completeDeposit({ provider: "simulator", endToEndId });
  await twice(`/api/partner/v1/sandbox/pix/${await deposit()}/expire`, {});
  await twice("/api/partner/v1/webhooks", { title: "Loja", url: "http://localhost:9/", event: "transaction" });
  expect(await tracesOf(accountId)).toMatchObject({ transactions: 2, events: 4, postings: 1, webhooks: 1, keys: 3 });
});

test("the old API accepts keys too, and each of its paths has its own", async () => {
  const { token, accountId } = await makeAccount();
  const key = newId();
  const address = {
    city: "a",
    state: "b",
    street: "c",
    country: "d",
    zipCode: "e",
    neighborhood: "f",
    streetNumber: "1",
  };
  const customer = { cpf: "52998224725", name: "Ana", email: "a@b.co", phone: "11987654321", externaRef: "7", address };
  const ask = (path: string) => host.ask("POST", path, { token, key, body: { ip: "1.1.1.1", amount: 5, customer } });
  const answers = await Promise.all(Array.from({ length: 5 }, () => ask("/v1/gateway/api")));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(answers[0]?.json).toMatchObject({ status: "success", paymentCode: expect.stringMatching(/^000201/) });
  expect((await ask("/v1/gateway/api/")).text, "its last slash is no other request").toBe(answers[0]?.text);
  expect(await ask("/v2/gateway/api")).toMatchObject({ status: 422, json: { error: "idempotency_key_reused" } });
  expect(await tracesOf(accountId)).toMatchObject({ transactions: 1, keys: 1 });
});

describe.concurrent("a key whose first request still runs", () => {
  /** Holds the key open, as the first request does until it commits. */
  async function whileOpen({ accountId }: Made, key: string, run: () => Promise<void>) {
    await forAccount(accountId, async (tx) => {
      await tx.idempotencyKey.create({ data: { accountId, key, requestHash: new Uint8Array(32) } });
      await run();
      throw new Error("rolled back");
    }).catch(() => {});
  }

  test("makes the repeat wait, which does the work if the first is rolled back", async ({ expect }) => {
    const seller = await makeAccount();
    const [key, { token }] = [newId(), seller];
    let repeat: Promise<Answered> | undefined;
    await whileOpen(seller, key, async () => {
      repeat = host.ask("POST", CASH_IN, { token, body, key });
      const early = await Promise.race([repeat, new Promise((resolve) => setTimeout(resolve, 300, "waits"))]);
      expect(early).toBe("waits");
    });
    const answer = await repeat;
    expect(answer?.status).toBe(200);
    expect(await tracesOf(seller.accountId)).toMatchObject({ transactions: 1, keys: 1 });
  });

  test.each([CASH_IN, "/api/partner/v1/credentials"])(
    "and goes on running for 10 s: 409, at %s",
    { timeout: 40_000 },
    async (path) => {
      const seller = await makeAccount();
      const before = await tracesOf(seller.accountId);
      const [key, { token }] = [newId(), seller];
      await whileOpen(seller, key, async () => {
        const answer = await host.ask("POST", path, { token, body: { ...body, name: "x" }, key });
        expect(answer).toMatchObject({ status: 409, json: { error: "idempotency_in_progress" } });
      });
      expect(await tracesOf(seller.accountId)).toEqual(before);
    },
  );
});

describe("an answer that shows a secret is repeated only to its own caller:", () => {
  const CREDENTIALS = "/api/partner/v1/credentials";

  /** A token of the account with only these scopes. */
  async function tokenOf({ accountId }: Made, scopes: Scope[]): Promise<string> {
    const { data } = await createCredential({ id: accountId }, { name: "Teste", scopes }, call());
    return (await mintToken({ ...data, ip: "127.0.0.1" })).access_token;
  }

  test.each([
    ["with a request that names no scopes", { name: "Loja" }, 422, "idempotency_key_reused"],
    [
      "with a request that names scopes it lacks",
      { name: "Loja", scopes: credentialScopes },
      403,
      "insufficient_scope",
    ],
  ])("a token with fewer scopes, %s, gets none of it at POST /credentials", async (_, sent, status, error) => {
    const seller = await makeAccount();
    const key = newId();
    const ask = (token: string) => host.ask("POST", CREDENTIALS, { token, body: sent, key });
    const first = await ask(seller.token);
    expect(first.status).toBe(201);
    const before = await tracesOf(seller.accountId);
    const weaker = await ask(await tokenOf(seller, ["credentials:write"]));
    expect(weaker).toMatchObject({ status, json: { error } });
    expect(await tracesOf(seller.accountId)).toEqual({ ...before, credentials: (before.credentials ?? 0) + 1 });
    expect((await ask(seller.token)).text).toBe(first.text);
  });

  test("another credential with the same rights does not get it at POST /webhooks, nor the first one with fewer", async () => {
    const seller = await makeAccount();
    const key = newId();
    const sent = { title: "Loja", url: "http://localhost:9/", event: "transaction" };
    const ask = (token: string) => host.ask("POST", "/api/partner/v1/webhooks", { token, body: sent, key });
    const first = await ask(seller.token);
    expect(first.status).toBe(201);
    const reused = { status: 422, json: { error: "idempotency_key_reused" } };
    expect(await ask(await tokenOf(seller, credentialScopes))).toMatchObject(reused);
    expect((await ask(seller.token)).text).toBe(first.text);
    await prisma().accessToken.updateMany({
      where: { accountId: seller.accountId },
      data: { scopes: ["webhooks:write"] },
    });
    expect(await ask(seller.token)).toMatchObject(reused);
  });

  test("every contract whose answer has a secret declares it", () => {
    // A token that is a UUID names a record.
    const holdsSecret = ({ response }: Contract) =>
      /"(\w*secret|\w*token|api_key)":(?!\{"type":"string","format":"uuid")/.test(
        JSON.stringify(z.toJSONSchema(response, { io: "output", unrepresentable: "any" })),
      );
    const keyed = operationsOf(routes).filter(({ method, contract }) => acceptsKey(contract, method));
    const wrong = keyed.filter(({ contract }) => holdsSecret(contract) !== (contract.showsSecret ?? false));
    expect(wrong.map(({ path }) => path)).toEqual([]);
    expect(keyed.filter(({ contract }) => contract.showsSecret).length).toBeGreaterThan(1);
  });
});
