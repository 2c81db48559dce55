import { encode } from "next-auth/jwt";
import { describe, expect, onTestFinished, test } from "vitest";
import { routes } from "@/app/routes.generated";
import { allScopes, roles, type Scope } from "@/lib/auth/scopes";
import { sessionCookieName } from "@/lib/auth/session-cookie";
import { prisma } from "@/lib/db";
import { env } from "@/lib/env";
import { newId } from "@/lib/ids";
import { openHost, operationsOf } from "@/lib/testing/http";
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

type Caller = { cookie: string; account: string };

/** Signs a person of the seller in. Returns the cookie and the account that the page shows. */
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
  await prisma().session.create({
    data: { id, userId, accountId, ip: "::1", userAgent: "", expiresAt, steppedUpAt: new Date() },
  });
  const { accountId: liveId, sandboxId } = membership;
  return { sessionId: id, userId, cookie: await cookieOf(id), account: accountId, liveId, sandboxId };
}

const sameOrigin = { "sec-fetch-site": "same-origin" };

const by = ({ cookie, account }: Caller) => ({ cookie, "x-account": account });

const read = (caller: Caller) => host.ask("GET", BALANCE, { headers: by(caller) });
const write = (caller: Caller, headers: Record<string, string> = sameOrigin) =>
  host.ask("POST", CASH_IN, { body: { amount: 1 }, headers: { ...by(caller), ...headers } });

const set = (id: string, data: object) => prisma().session.update({ where: { id }, data });
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

test("a session of the dashboard reads and writes as its person's role allows", async () => {
  const seller = await makeAccount({ available: 500 });
  const caller = await signedIn(seller);
  expect(await read(caller)).toMatchObject({ status: 200, json: { balance: "5.00" } });
  expect(await read({ ...caller, cookie: `a=b; ${caller.cookie}; c="d"` })).toMatchObject({ status: 200 });
  expect(await write(caller)).toMatchObject({ status: 200 });
});

describe("is refused:", () => {
  test("a session that was signed out, from its next request on", async () => {
    const caller = await signedIn(await makeAccount());
    expect((await read(caller)).status).toBe(200);
    await signOut(caller.sessionId);
    expect((await read(caller)).status).toBe(401);
    expect((await read({ ...caller, account: "" })).status, "whatever account it names").toBe(401);
  });

  test("a session that was idle for 30 minutes; a request after 29 minutes restarts the count", async () => {
    const { sessionId, ...caller } = await signedIn(await makeAccount());
    await set(sessionId, { lastSeenAt: minutesAgo(31) });
    expect((await read(caller)).status).toBe(401);
    await set(sessionId, { lastSeenAt: minutesAgo(29) });
    expect((await read(caller)).status).toBe(200);
    const { lastSeenAt } = await prisma().session.findUniqueOrThrow({ where: { id: sessionId } });
    expect(Number(lastSeenAt)).toBeGreaterThan(Date.now() - 30_000);
  });

  test("a session of 12 hours ago, however busy it was", async () => {
    const { sessionId, ...caller } = await signedIn(await makeAccount());
    await set(sessionId, { expiresAt: new Date(Date.now() - 1) });
    expect((await read(caller)).status).toBe(401);
    const { lastSeenAt } = await prisma().session.findUniqueOrThrow({ where: { id: sessionId } });
    await set(sessionId, { expiresAt: new Date(Date.now() + 60_000), lastSeenAt });
    expect((await read(caller)).status).toBe(200);
  });

  test("a cookie that is forged, cut, unknown, of another name, or holds no id", async () => {
    const { cookie, sessionId, account } = await signedIn(await makeAccount());
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
      expect((await read({ cookie: wrong, account })).status, wrong.slice(0, 40)).toBe(401);
    }
  });

  test("a good cookie beside a bad token, because the header counts", async () => {
    const headers = by(await signedIn(await makeAccount()));
    expect(await host.ask("GET", BALANCE, { token: "x", headers })).toMatchObject({ status: 401 });
  });

  test("a session at the old API, which has no sessions", async () => {
    const headers = by(await signedIn(await makeAccount()));
    expect(await host.ask("GET", "/s1/getsaldo/api/", { headers })).toMatchObject({ status: 401 });
  });
});

describe("a write by session must come from our own pages:", () => {
  const own = () => new URL(host.url).host;

  test.each<[string, () => Record<string, string>]>([
    ["no header that names its source", () => ({})],
    ["another site", () => ({ "sec-fetch-site": "cross-site", origin: "https://evil.example" })],
    ["another host of the same site", () => ({ "sec-fetch-site": "same-site", origin: "https://a.example" })],
    ["an address typed in", () => ({ "sec-fetch-site": "none" })],
    ["another origin", () => ({ origin: "https://evil.example" })],
    ["another port", () => ({ origin: "http://127.0.0.1:1" })],
    ["our origin in a longer name", () => ({ origin: `http://${own()}.evil.example` })],
    ["our host over TLS, which we are not served over", () => ({ origin: `https://${own()}` })],
    ["another origin, with a header that says same-origin", () => ({ ...sameOrigin, origin: `https://${own()}` })],
    ["our origin as an address", () => ({ origin: `http://${own()}/` })],
    ["an empty origin", () => ({ ...sameOrigin, origin: "" })],
    ["an empty Sec-Fetch-Site", () => ({ "sec-fetch-site": "" })],
    ["an opaque origin", () => ({ origin: "null" })],
    ["a malformed origin", () => ({ origin: "%" })],
    [
      "another site's origin, with a header that says same-origin",
      () => ({ ...sameOrigin, origin: "https://evil.example" }),
    ],
  ])("%s: 403, and nothing is stored", async (_, headers) => {
    const seller = await makeAccount();
    const caller = await signedIn(seller);
    const before = await tracesOf(seller.accountId);
    expect(await write(caller, headers())).toMatchObject({ status: 403, json: { message: expect.any(String) } });
    expect(await tracesOf(seller.accountId)).toEqual(before);
    expect(await host.ask("GET", BALANCE, { headers: { ...by(caller), ...headers() } })).toMatchObject({ status: 200 });
  });

  test("our own origin, named by either header", async () => {
    const caller = await signedIn(await makeAccount());
    expect(await write(caller, { origin: `http://${own()}` })).toMatchObject({ status: 200 });
    expect(await write(caller, { ...sameOrigin, origin: `http://${own()}` })).toMatchObject({ status: 200 });
  });

  test("behind a proxy that ends TLS our origin is https, and plain http is another origin", async () => {
    const { APP_URL } = env;
    onTestFinished(() => void Object.assign(env, { APP_URL }));
    const caller = await signedIn(await makeAccount());
    Object.assign(env, { APP_URL: "https://repasse.example" });
    expect(await write(caller, { origin: `https://${own()}` })).toMatchObject({ status: 200 });
    expect(await write(caller, { origin: `http://${own()}` })).toMatchObject({ status: 403 });
  });

  test("a write by token needs none of these headers", async () => {
    const { token } = await makeAccount();
    const headers = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    expect(await host.ask("POST", CASH_IN, { token, body: { amount: 1 }, headers })).toMatchObject({ status: 200 });
  });
});

describe("roles", () => {
  const may: Record<Role, readonly Scope[]> = {
    owner: allScopes,
    admin: allScopes,
    finance: allScopes.filter(
      (scope) => !["credentials:write", "cards:write", "webhooks:write", "account:write", "team:write"].includes(scope),
    ),
    developer: allScopes.filter(
      (scope) =>
        ![
          "refunds:write",
          "withdrawals:write",
          "disputes:write",
          "account:write",
          "team:write",
          "personal:read",
        ].includes(scope),
    ),
    viewer: [
      "balance:read",
      "cards:read",
      "disputes:read",
      "plans:read",
      "profile:read",
      "refunds:read",
      "splits:read",
      "subscriptions:read",
      "team:read",
      "transactions:read",
      "webhooks:read",
      "withdrawals:read",
    ],
  };

  test("are one table, whose scopes all exist", () => {
    for (const role of Object.keys(may) as Role[]) {
      expect([...roles[role]].sort(), role).toEqual([...may[role]].sort());
    }
    const asked = operations.flatMap(({ contract }) => contract.scopes ?? []);
    expect(asked.filter((scope) => !allScopes.includes(scope))).toEqual([]);
  });
});

describe("a call of a page names the account that the page shows:", () => {
  const KEY = "/api/partner/v1/public-key";
  const regenerate = (caller: Caller) =>
    host.ask("POST", `${KEY}/regenerate`, { body: {}, headers: { ...by(caller), ...sameOrigin } });
  const keyOf = async (caller: Caller) => {
    const { json } = await host.ask("GET", KEY, { headers: by(caller) });
    return (json as { data: { key: string } }).data.key;
  };
  const changed = { message: expect.any(String), error: "account_changed" };

  test("one session acts on the live account and on its sandbox at once, each call on the one it names", async () => {
    const { cookie, liveId, sandboxId } = await signedIn(await makeAccount({ available: 700 }));
    const [live, sandbox] = [liveId, sandboxId].map((account) => ({ cookie, account })) as [Caller, Caller];
    const before = [await keyOf(live), await keyOf(sandbox)];
    expect(before).toEqual([expect.stringMatching(/^pk_live_/), expect.stringMatching(/^pk_test_/)]);

    expect(await regenerate(sandbox)).toMatchObject({ status: 200 });
    expect(await keyOf(live)).toBe(before[0]);
    expect(await keyOf(sandbox)).not.toBe(before[1]);

    const turns = Array.from({ length: 20 }, (_, turn) => read(turn % 2 ? live : sandbox));
    const balances = (await Promise.all(turns)).map(({ json }) => json.balance);
    expect(balances).toEqual(turns.map((_, turn) => (turn % 2 ? "0.00" : "7.00")));
  });

  test.each<[string, (other: Made) => string | undefined]>([
    ["none", () => undefined],
    ["an empty one", () => ""],
    ["no id", () => "sandbox"],
    ["one that does not exist", () => newId()],
    ["one of another person", ({ accountId }) => accountId],
    ["its own and one of another person", ({ accountId }) => `${accountId}, ${newId()}`],
  ])("%s: 409, and nothing is done, nor read, for any account", async (_, nameOf) => {
    const [mine, theirs] = [await makeAccount(), await makeAccount()];
    const { cookie } = await signedIn(mine);
    const account = nameOf(theirs);
    const before = [await tracesOf(mine.accountId), await tracesOf(theirs.accountId)];
    const headers = { cookie, ...sameOrigin, ...(account !== undefined && { "x-account": account }) };
    expect(await host.ask("POST", CASH_IN, { body: { amount: 1 }, headers })).toMatchObject({ status: 409 });
    const refused = await host.ask("GET", BALANCE, { headers });
    expect([refused.status, refused.json]).toEqual([409, changed]);
    expect([await tracesOf(mine.accountId), await tracesOf(theirs.accountId)]).toEqual(before);
  });

  test("another person's account is refused byte for byte like one that does not exist", async () => {
    const [caller, other] = [await signedIn(await makeAccount()), await signedIn(await makeAccount())];
    const seen = async (account: string) => {
      const { status, text, headers } = await read({ ...caller, account });
      return [status, text, [...headers].filter(([name]) => !["x-request-id", "date"].includes(name))];
    };
    const nobodys = await seen(newId());
    expect(nobodys[0]).toBe(409);
    for (const account of [other.liveId, other.sandboxId]) expect(await seen(account)).toEqual(nobodys);
  });

  test("a person who was removed from the seller is refused from the next call on", async () => {
    const { userId, ...caller } = await signedIn(await makeAccount());
    expect((await read(caller)).status).toBe(200);
    await prisma().membership.deleteMany({ where: { userId } });
    expect(await read(caller)).toMatchObject({ status: 409, json: changed });
  });

  test("after another person signed in, a page of the first is refused and a page of the other is not", async () => {
    const [seller, theirs] = [await makeAccount(), await makeAccount()];
    const [page, other] = [await signedIn(seller), await signedIn(theirs)];
    const before = [await tracesOf(seller.accountId), await tracesOf(theirs.accountId)];
    expect(await write({ ...page, cookie: other.cookie })).toMatchObject({ status: 409, json: changed });
    expect([await tracesOf(seller.accountId), await tracesOf(theirs.accountId)]).toEqual(before);
    expect(await write(other)).toMatchObject({ status: 200 });
  });

  test("a token names its account itself, so the header is ignored", async () => {
    const [{ token }, other] = [await makeAccount({ available: 300 }), await makeAccount()];
    for (const account of ["", "x", newId(), other.accountId]) {
      const answer = await host.ask("GET", BALANCE, { token, headers: { "x-account": account } });
      expect(answer, account).toMatchObject({ status: 200, json: { balance: "3.00" } });
    }
  });
});
