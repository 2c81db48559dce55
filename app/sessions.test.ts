import { encode } from "next-auth/jwt";
import { describe, expect, onTestFinished, test } from "vitest";
import { routes } from "@/app/routes.generated";
import { allScopes, roles, type Scope } from "@/lib/auth/scopes";
import { sessionCookieName } from "@/lib/auth/session-cookie";
import { prisma } from "@/lib/db";
import { env } from "@/lib/env";
import { newId } from "@/lib/ids";
import { fill, openHost, operationsOf } from "@/lib/testing/http";
import { type Made, makeAccount } from "@/lib/testing/make";
import { tracesOf } from "@/lib/testing/traces";
import { signOut } from "@/lib/users/sign-out";
import type { Role } from "@/prisma/client/enums";

const host = openHost(routes);
const operations = operationsOf(routes);
const BALANCE = "/api/partner/v1/balance";
const CASH_IN = "/api/partner/v1/cash-in";

const cookieOf = async (sid: string, secret = env.SESSION_SECRET) =>
  `${sessionCookieName()}=${await encode({ token: { sid }, secret })}`;

/** A person of the seller's, signed in, who looks at the seller's account. */
async function signedIn({ accountId }: Made, role: Role = "owner") {
  const membership = await prisma().membership.findFirstOrThrow({
    where: { OR: [{ accountId }, { sandboxId: accountId }] },
  });
  const { userId } = membership;
  if (role !== "owner") {
    const where = { userId_accountId: { userId, accountId: membership.accountId } };
    await prisma().membership.update({ where, data: { role } });
  }
  const expiresAt = new Date(Date.now() + 12 * 60 * 60 * 1000);
  const id = newId();
  await prisma().session.create({ data: { id, userId, accountId, ip: "::1", userAgent: "", expiresAt } });
  return { sessionId: id, userId, cookie: await cookieOf(id) };
}

const sameOrigin = { "sec-fetch-site": "same-origin" };

const read = (cookie: string) => host.ask("GET", BALANCE, { headers: { cookie } });
const write = (cookie: string, headers: Record<string, string> = sameOrigin) =>
  host.ask("POST", CASH_IN, { body: { amount: 1 }, headers: { cookie, ...headers } });

const set = (id: string, data: object) => prisma().session.update({ where: { id }, data });
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

test("the dashboard's session reads and writes as its person's role allows", async () => {
  const seller = await makeAccount({ available: 500 });
  const { cookie } = await signedIn(seller);
  expect(await read(cookie)).toMatchObject({ status: 200, json: { balance: "5.00" } });
  expect(await read(`a=b; ${cookie}; c="d"`)).toMatchObject({ status: 200 });
  expect(await write(cookie)).toMatchObject({ status: 200 });
});

describe("is worth nothing:", () => {
  test("a session that was signed out, from the next request on", async () => {
    const { cookie, sessionId } = await signedIn(await makeAccount());
    expect((await read(cookie)).status).toBe(200);
    await signOut(sessionId);
    expect((await read(cookie)).status).toBe(401);
  });

  test("one that was idle for 30 minutes; at 29 it lives, and begins to count anew", async () => {
    const { cookie, sessionId } = await signedIn(await makeAccount());
    await set(sessionId, { lastSeenAt: minutesAgo(31) });
    expect((await read(cookie)).status).toBe(401);
    await set(sessionId, { lastSeenAt: minutesAgo(29) });
    expect((await read(cookie)).status).toBe(200);
    const { lastSeenAt } = await prisma().session.findUniqueOrThrow({ where: { id: sessionId } });
    expect(Number(lastSeenAt)).toBeGreaterThan(Date.now() - 30_000);
  });

  test("one of 12 hours ago, however busy it was", async () => {
    const { cookie, sessionId } = await signedIn(await makeAccount());
    await set(sessionId, { expiresAt: new Date(Date.now() - 1) });
    expect((await read(cookie)).status).toBe(401);
    const { lastSeenAt } = await prisma().session.findUniqueOrThrow({ where: { id: sessionId } });
    await set(sessionId, { expiresAt: new Date(Date.now() + 60_000), lastSeenAt });
    expect((await read(cookie)).status).toBe(200);
  });

  test("a person who no longer belongs to the seller", async () => {
    const { cookie, userId } = await signedIn(await makeAccount());
    await prisma().membership.deleteMany({ where: { userId } });
    expect((await read(cookie)).status).toBe(401);
  });

  test("a session that looks at another seller's account", async () => {
    const [seller, other] = [await makeAccount(), await makeAccount()];
    const { cookie, sessionId } = await signedIn(seller);
    await set(sessionId, { accountId: other.accountId });
    expect((await read(cookie)).status).toBe(401);
  });

  test("a cookie that is forged, cut, unknown, of another name, or holds no id", async () => {
    const { cookie, sessionId } = await signedIn(await makeAccount());
    const [, value = ""] = cookie.split("=");
    for (const wrong of [
      await cookieOf(sessionId, "another secret of thirty-two letters."),
      await cookieOf(newId()),
      await cookieOf("x' or 'a'='a"),
      cookie.slice(0, -2),
      `${sessionCookieName()}=`,
      `${sessionCookieName()}=${sessionId}`,
      `__Host-repasse-1=${value}`,
      `next-auth.session-token=${value}`,
    ]) {
      expect((await read(wrong)).status, wrong.slice(0, 40)).toBe(401);
    }
  });

  test("a good cookie beside a bad token: the header is what is asked", async () => {
    const { cookie } = await signedIn(await makeAccount());
    expect(await host.ask("GET", BALANCE, { token: "x", headers: { cookie } })).toMatchObject({ status: 401 });
  });

  test("a session at the old API, which knows none", async () => {
    const { cookie } = await signedIn(await makeAccount());
    expect(await host.ask("GET", "/s1/getsaldo/api/", { headers: { cookie } })).toMatchObject({ status: 401 });
  });
});

describe("a write by session must come from our own pages:", () => {
  const own = () => new URL(host.url).host;

  test.each<[string, () => Record<string, string>]>([
    ["no word of where it comes from", () => ({})],
    ["another site", () => ({ "sec-fetch-site": "cross-site", origin: "https://evil.example" })],
    ["another host of the same site", () => ({ "sec-fetch-site": "same-site", origin: "https://a.example" })],
    ["an address typed in", () => ({ "sec-fetch-site": "none" })],
    ["another origin", () => ({ origin: "https://evil.example" })],
    ["another port", () => ({ origin: "http://127.0.0.1:1" })],
    ["our origin in a longer name", () => ({ origin: `http://${own()}.evil.example` })],
    ["our host over TLS, which we are not served over", () => ({ origin: `https://${own()}` })],
    ["the same, says the browser", () => ({ ...sameOrigin, origin: `https://${own()}` })],
    ["our origin as an address", () => ({ origin: `http://${own()}/` })],
    ["an empty origin", () => ({ ...sameOrigin, origin: "" })],
    ["an empty word of the site", () => ({ "sec-fetch-site": "" })],
    ["an opaque origin", () => ({ origin: "null" })],
    ["no origin that can be read", () => ({ origin: "%" })],
    ["ours, says a header, and not, says the other", () => ({ ...sameOrigin, origin: "https://evil.example" })],
  ])("%s: 403, and nothing is stored", async (_, headers) => {
    const seller = await makeAccount();
    const { cookie } = await signedIn(seller);
    const before = await tracesOf(seller.accountId);
    expect(await write(cookie, headers())).toMatchObject({ status: 403, json: { message: expect.any(String) } });
    expect(await tracesOf(seller.accountId)).toEqual(before);
    expect(await host.ask("GET", BALANCE, { headers: { cookie, ...headers() } })).toMatchObject({ status: 200 });
  });

  test("our own origin, named by either header", async () => {
    const { cookie } = await signedIn(await makeAccount());
    expect(await write(cookie, { origin: `http://${own()}` })).toMatchObject({ status: 200 });
    expect(await write(cookie, { ...sameOrigin, origin: `http://${own()}` })).toMatchObject({ status: 200 });
  });

  test("behind a proxy that ends TLS it is https, and plain http is another origin", async () => {
    const { APP_URL } = env;
    onTestFinished(() => void Object.assign(env, { APP_URL }));
    const { cookie } = await signedIn(await makeAccount());
    Object.assign(env, { APP_URL: "https://repasse.example" });
    expect(await write(cookie, { origin: `https://${own()}` })).toMatchObject({ status: 200 });
    expect(await write(cookie, { origin: `http://${own()}` })).toMatchObject({ status: 403 });
  });

  test("a token needs none of it", async () => {
    const { token } = await makeAccount();
    const headers = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    expect(await host.ask("POST", CASH_IN, { token, body: { amount: 1 }, headers })).toMatchObject({ status: 200 });
  });
});

describe("roles", () => {
  const may: Record<Role, readonly Scope[]> = {
    owner: allScopes,
    admin: allScopes,
    finance: allScopes.filter((scope) => !["credentials:write", "cards:write", "webhooks:write"].includes(scope)),
    developer: allScopes,
    viewer: ["balance:read", "cards:read", "profile:read", "transactions:read", "webhooks:read"],
  };

  test("are one table, and nobody has a scope that is none", () => {
    for (const role of Object.keys(may) as Role[]) {
      expect([...roles[role]].sort(), role).toEqual([...may[role]].sort());
    }
    const asked = operations.flatMap(({ contract }) => contract.scopes ?? []);
    expect(asked.filter((scope) => !allScopes.includes(scope))).toEqual([]);
  });

  test.each(Object.keys(may) as Role[])("a person who is %s gets as far as that, at every operation", async (role) => {
    const seller = await makeAccount();
    const { cookie } = await signedIn(seller, role);
    for (const { method, path, contract } of operations) {
      if (!contract.scopes || contract.auth) continue;
      const body = method === "GET" ? {} : { body: "{" };
      const headers = { cookie, ...sameOrigin };
      const answer = await host.ask(
        method,
        fill(path, () => newId()),
        { ...body, headers },
      );
      const refused = (answer.json as { error?: string }).error === "insufficient_scope";
      expect(refused, `${method} ${path}`).toBe(!contract.scopes.every((scope) => may[role].includes(scope)));
      expect(answer.status, `${method} ${path}`).not.toBe(500);
    }
  });
});

describe("switching between the two worlds", () => {
  const patch = (cookie: string, mode: string) =>
    host.ask("PATCH", "/api/partner/v1/session", { body: { mode }, headers: { cookie, ...sameOrigin } });

  test("changes what the session looks at, at once", async () => {
    const seller = await makeAccount({ available: 700 });
    const { cookie } = await signedIn(seller);
    expect(await patch(cookie, "live")).toMatchObject({ status: 200, json: { mode: "live" } });
    expect(await read(cookie)).toMatchObject({ status: 200, json: { balance: "0.00" } });
    expect(await patch(cookie, "sandbox")).toMatchObject({ status: 200, json: { mode: "sandbox" } });
    expect(await read(cookie)).toMatchObject({ json: { balance: "7.00" } });
    expect(await patch(cookie, "elsewhere")).toMatchObject({
      status: 422,
      json: { errors: { mode: expect.any(Array) } },
    });
  });

  test("is nothing a token can do", async () => {
    const { token } = await makeAccount();
    const answer = await host.ask("PATCH", "/api/partner/v1/session", { token, body: { mode: "live" } });
    expect(answer).toMatchObject({ status: 401, json: { message: expect.any(String) } });
  });
});
