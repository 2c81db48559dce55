import { request as rawRequest } from "node:http";
import { connect } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { routes } from "@/app/routes.generated";
import { requireContext } from "@/lib/accounts/read";
import { credentialScopes } from "@/lib/auth/scopes";
import { createCredential } from "@/lib/credentials/create";
import { mintToken } from "@/lib/credentials/mint-token";
import { env } from "@/lib/env";
import { newId } from "@/lib/ids";
import { fill, openHost, operationsOf } from "@/lib/testing/http";
import { call, type Made, makeAccount } from "@/lib/testing/make";
import { tracesOf } from "@/lib/testing/traces";

const host = openHost(routes);
const CASH_IN = "/api/partner/v1/cash-in";
const operations = operationsOf(routes);
/** Pages authenticate by a public key: `app/card-tokens.test.ts`. */
const behindLogin = operations.filter(({ contract }) => !["none", "public_key"].includes(contract.auth ?? "account"));

const { PARTNER_LIMIT_PER_MINUTE, AUTH_TOKEN_LIMIT_PER_MINUTE } = env;
afterEach(() => Object.assign(env, { PARTNER_LIMIT_PER_MINUTE, AUTH_TOKEN_LIMIT_PER_MINUTE }));

const anyId = (path: string) => fill(path, () => newId());
const MESSAGE = { message: expect.stringMatching(/\S/) };

/** A token of the account with only these scopes. */
async function tokenFor(accountId: string, scopes: string[]): Promise<string> {
  const made = await createCredential(await requireContext(accountId), { name: "Teste", scopes } as never, call());
  return (await mintToken({ ...made.data, ip: "127.0.0.1" })).access_token;
}

describe("who may", () => {
  test.each(behindLogin)(
    "$method $path without a token: 401, before the body is looked at",
    async ({ method, path }) => {
      const answer = await host.ask(method, anyId(path), method === "GET" ? {} : { body: "{" });
      expect(answer).toMatchObject({ status: 401, json: MESSAGE });
      expect(Object.keys(answer.json)).toEqual(["message"]);
      expect(answer.headers.get("www-authenticate")).toBe("Bearer");
    },
  );

  // What only a person may do no token may: `app/permissions.test.ts`.
  const scoped = behindLogin
    .filter(({ contract }) => contract.auth !== "session")
    .flatMap((operation) => (operation.contract.scopes ?? []).map((missing) => ({ ...operation, missing })));
  test.each(scoped)(
    "$method $path without $missing: 403 coded, before the body is looked at",
    async ({ method, path, missing }) => {
      const { accountId } = await makeAccount();
      const token = await tokenFor(
        accountId,
        credentialScopes.filter((scope) => scope !== missing),
      );
      const before = await tracesOf(accountId);
      const answer = await host.ask(method, anyId(path), { token, ...(method !== "GET" && { body: "{" }) });
      expect(answer).toMatchObject({ status: 403, json: { ...MESSAGE, error: "insufficient_scope" } });
      expect(await tracesOf(accountId)).toEqual(before);
    },
  );

  test("the limit is checked after the token and before scope and body", async () => {
    const { accountId } = await makeAccount();
    const token = await tokenFor(accountId, ["profile:read"]);
    Object.assign(env, { PARTNER_LIMIT_PER_MINUTE: 0 });
    expect(await host.ask("POST", CASH_IN, { body: "{" })).toMatchObject({ status: 401 });
    const limited = await host.ask("POST", CASH_IN, { token, body: "{" });
    expect(limited).toMatchObject({ status: 429, json: { ...MESSAGE, error: "rate_limit_exceeded" } });
    expect(Number(limited.headers.get("retry-after"))).toBeGreaterThan(0);
    Object.assign(env, { PARTNER_LIMIT_PER_MINUTE });
    expect(await host.ask("POST", CASH_IN, { token, body: "{" })).toMatchObject({ status: 403 });
  });

  test("a client that mints too often gets the time to wait, and other clients do not", async () => {
    const [seller, other] = [await makeAccount(), await makeAccount()];
    Object.assign(env, { AUTH_TOKEN_LIMIT_PER_MINUTE: 3 }); // the first was minted when the account was made
    const mint = ({ clientId: client_id, clientSecret: client_secret }: Made) =>
      host.ask("POST", "/api/partner/v1/auth-token", { body: { client_id, client_secret } });
    expect([await mint(seller), await mint(seller)].map(({ status }) => status)).toEqual([200, 200]);
    const limited = await mint(seller);
    expect(limited).toMatchObject({ status: 429, json: { ...MESSAGE, error: "rate_limit_exceeded" } });
    const seconds = Number(limited.headers.get("retry-after"));
    expect(Number.isInteger(seconds) && seconds >= 1 && seconds <= 61, `${seconds} s`).toBe(true);
    expect((await mint(other)).status).toBe(200);
  });

  test("a caller with a client id and a wrong secret spends no slot of that client", async () => {
    const { clientId: client_id, clientSecret: client_secret } = await makeAccount();
    Object.assign(env, { AUTH_TOKEN_LIMIT_PER_MINUTE: 30 });
    const mint = (secret: string) =>
      host.ask("POST", "/api/partner/v1/auth-token", { body: { client_id, client_secret: secret } });
    const guesses = await Promise.all(Array.from({ length: 40 }, () => mint("guessed")));
    expect(new Set(guesses.map(({ status }) => status))).toEqual(new Set([401, 429]));
    expect((await mint(client_secret)).status).toBe(200);
  });

  test.each(operations.filter(({ contract }) => contract.sandboxOnly))(
    "$method $path of a live account is a path that does not exist",
    async ({ method, path }) => {
      const [live, nobody] = [await makeAccount({ mode: "live" }), await tokenOfNobody()];
      const answer = await host.ask(method, anyId(path), { token: live.token, ...(method !== "GET" && { body: "{" }) });
      const unknown = await host.ask(method, "/api/partner/v1/sandbox/no-such-thing", { token: nobody });
      expect({ status: answer.status, text: answer.text }).toEqual({ status: 404, text: unknown.text });
    },
  );

  const tokenOfNobody = async () => (await makeAccount()).token;
});

describe("a path", () => {
  test.each([
    "/api",
    "/api/",
    "/api/partner/v1/no-such-thing",
    "/api/partner/v1/balance/more",
    "/api/partner/v1/transaction",
    "/v1",
    "/v1/gateway",
    "/v2/gateway/api/x",
    "/s1/nothing",
    "/callbacks/cards",
    "/simulator/pix",
    "/api/partner/v1/transaction/a/b",
    `/api/partner/v1/transaction/${"x".repeat(300)}`,
    `/api/${"x".repeat(8_000)}`,
    "/api/partner/v1/%62alanc",
    "/api/partner/v1/balance%00",
    "/api//partner/v1/balance",
  ])("%s is unknown: 404 as JSON", async (path) => {
    for (const method of ["GET", "POST", "DELETE"]) {
      const answer = await host.ask(method, path);
      expect(answer).toMatchObject({ status: 404, json: MESSAGE });
      expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  test("may be percent-encoded and may end with a slash", async () => {
    const { token } = await makeAccount();
    for (const path of ["/api/partner/v1/%62alance", "/api/partner/v1/balance/", "/api/partner/v1/b%61lance?x=1"]) {
      expect(await host.ask("GET", path, { token }), path).toMatchObject({ status: 200 });
    }
  });

  test.each(["/api/partner/v1/%", "/api/partner/v1/%zz", "/api/partner/v1/transaction/%E0%A4%A", "/v1/%ff"])(
    "%s cannot be read: 400 as JSON",
    async (path) => {
      const answer = await host.ask("GET", path, { token: "x" });
      expect(answer).toMatchObject({ status: 400, json: MESSAGE });
      expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    },
  );

  test("of more than 16 KB is refused before it is read: 431 as JSON", async () => {
    const answer = await host.ask("GET", `/api/${"x".repeat(17_000)}`);
    expect(answer).toMatchObject({ status: 431, json: MESSAGE });
  });
});

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];
const paths = [...new Set(operations.map(({ path }) => path))].map((path) => ({
  path,
  allowed: [...operations.flatMap((other) => (other.path === path ? other.method : [])), ...optionsOf(path)].sort(),
}));

/** A preflight has no contract. */
function optionsOf(path: string): string[] {
  const { module } = routes.find((route) => route.path === path) ?? {};
  return module && "OPTIONS" in module ? ["OPTIONS"] : [];
}

/** The status for any method, also one that fetch() would not send. */
function rawStatus(method: string, path: string) {
  return new Promise<{ status?: number; allow?: string; type?: string }>((resolve, reject) => {
    const sent = rawRequest(`${host.url}${path}`, { method }, (response) => {
      response.resume();
      const { allow, "content-type": type } = response.headers;
      resolve({
        ...(response.statusCode && { status: response.statusCode }),
        ...(allow && { allow }),
        ...(type && { type }),
      });
    });
    sent.on("error", reject).end();
  });
}

test.each(paths)("$path answers every method it does not have with 405, JSON, and Allow", async ({ path, allowed }) => {
  for (const method of METHODS.filter((name) => !allowed.includes(name))) {
    const answer = await host.ask(method, anyId(path), method === "GET" ? {} : { body: "{" });
    expect(answer, method).toMatchObject({ status: 405, json: MESSAGE });
    expect(answer.headers.get("allow")?.split(", ").sort(), method).toEqual(allowed);
  }
  for (const method of ["OPTIONS", "PROPFIND", "TRACE"].filter((name) => !allowed.includes(name))) {
    const { status, allow, type } = await rawStatus(method, anyId(path));
    expect({ status, type, allow: allow?.split(", ").sort() }, method).toEqual({
      status: 405,
      type: "application/json",
      allow: allowed,
    });
  }
});

test("HEAD answers as GET does, without the body", async () => {
  const { token } = await makeAccount();
  const answer = await host.ask("HEAD", "/api/partner/v1/balance", { token });
  expect(answer).toMatchObject({ status: 200, text: "" });
});

test.each(routes.map(({ path }) => path).filter((path) => !path.includes("[...")))(
  "every answer of %s carries X-Request-Id, a new one each",
  async (path) => {
    const seen: (string | null)[] = [];
    for (const method of METHODS) {
      const { headers } = await host.ask(method, anyId(path), method === "GET" ? {} : { body: "{}" });
      seen.push(headers.get("x-request-id"));
    }
    for (const id of seen) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}$/);
    expect(new Set(seen).size).toBe(METHODS.length);
  },
);

/** All that the host answers to these bytes until it closes the connection. */
function rawAnswer(bytes: string) {
  const { port, hostname } = new URL(host.url);
  return new Promise<string>((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let read = "";
    socket.on("data", (data) => {
      read += data;
    });
    socket.on("close", () => resolve(read));
  });
}

test.each([
  ["a request that is not HTTP", "not http\r\n\r\n"],
  ["a malformed host", "GET /api/partner/v1/balance HTTP/1.1\r\nHost: a b/c\r\n\r\n"],
  ["no host at all", "GET /api/partner/v1/balance HTTP/1.1\r\n\r\n"],
  ["a target that is not an address", "OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n"],
  ["a malformed port", "GET /api/partner/v1/balance HTTP/1.1\r\nHost: a:99999\r\n\r\n"],
  ["a malformed address", "GET /api/partner/v1/balance HTTP/1.1\r\nHost: [::::]\r\n\r\n"],
  ["a backslash for a slash", "GET /\\api\\partner HTTP/1.1\r\nHost: localhost\r\n\r\n"],
  ["a host with user info", "GET /home HTTP/1.1\r\nHost: me@here\r\n\r\n"],
])("%s gets a sentence in JSON before the connection closes", async (_, bytes) => {
  expect(await rawAnswer(bytes)).toMatch(/^HTTP\/1\.1 400 [\s\S]*x-request-id: [\s\S]*\{"message":"[^"]+"\}/i);
});

test.each([
  "/x/../api/partner/v1/balance",
  "/api/auth/../partner/v1/balance",
  "/api/auth/%2e%2e/partner/v1/balance",
  "//api/partner/v1/balance",
  "/%61pi/partner/v1/balance",
  "\\api/partner/v1/balance",
])("%s, which a router behind us might read as a path of the API, is refused by the host", async (path) => {
  const answer = await rawAnswer(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 40[014] [\s\S]*\{"message":"[^"]+"\}/);
  expect(answer).not.toContain("a page");
});

test("a request that asks for an upgrade is answered like any other", async () => {
  const upgrade = "Upgrade: websocket\r\nConnection: Upgrade, close\r\n";
  const answer = await rawAnswer(`GET /api/partner/v1/balance HTTP/1.1\r\nHost: localhost\r\n${upgrade}\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 401 /);
});

test("paths that are not the API's go to Next, and so do sign-in's", async () => {
  for (const path of ["/", "/home", "/apis", "/api/auth/session"]) {
    expect(await host.ask("GET", path)).toMatchObject({ status: 404, text: "a page" });
  }
  expect(await host.ask("GET", "/api/auth/nothing")).toMatchObject({ status: 404, json: MESSAGE });
});

test("a whole URL as target is the same request as its path, whatever its host", async () => {
  const { token } = await makeAccount();
  const ask = (target: string) =>
    rawAnswer(
      `GET ${target} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`,
    );
  for (const target of ["http://localhost/api/partner/v1/balance", "http://elsewhere.example/api/partner/v1/balance"]) {
    expect(await ask(target)).toMatch(/^HTTP\/1\.1 200 /);
  }
});

test("an HTTP/1.0 client need not name the host", async () => {
  expect(await rawAnswer("GET /api/partner/v1/balance HTTP/1.0\r\n\r\n")).toMatch(/^HTTP\/1\.1 401 /);
});
