import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { routes } from "@/app/routes.generated";
import { forAccount } from "@/lib/db";
import { env } from "@/lib/env";
import { errors } from "@/lib/errors";
import { openHost } from "@/lib/testing/http";
import { aCard, makeShop, SHOP, someAddress } from "@/lib/testing/shop";
import { tracesOf } from "@/lib/testing/traces";

const host = openHost(routes);

/** A public installation behind one trusted proxy on this machine. */
const { TRUSTED_PROXIES } = env;
beforeEach(() => Object.assign(env, { APP_URL: "https://repasse.example", TRUSTED_PROXIES: 1 }));
afterEach(() => Object.assign(env, { APP_URL: host.url, TRUSTED_PROXIES }));

const PUBLIC = "/api/public/v1/card-tokens";

type Shop = Awaited<ReturnType<typeof makeShop>>;
const send = ({ key, token }: Shop, method: string, path: string, forwarded?: string) =>
  host.ask(method, path, {
    ...(path !== PUBLIC && { token }),
    ...(method === "POST" && { body: aCard() }),
    headers: {
      "x-public-key": key,
      origin: SHOP,
      "x-forwarded-for": someAddress(),
      ...(forwarded && { "x-forwarded-proto": forwarded }),
    },
  });

const tokensOf = ({ accountId }: Shop) => forAccount(accountId, (tx) => tx.cardToken.count());

const refusal = { status: 403, text: JSON.stringify({ message: errors.https_required[1] }) };

describe("a request in plain text is refused, and neither done nor redirected, at", () => {
  test.each([
    ["POST", PUBLIC],
    ["POST", `${PUBLIC}/`],
    ["POST", "/api/public/v1/card%2dtokens"],
    ["POST", "/api/partner/v1/card-tokens"],
    ["POST", "/api/partner/v1/credit-card"],
    ["GET", "/fields"],
  ])("%s %s", async (method, path) => {
    const shop = await makeShop();
    const before = await tracesOf(shop.accountId);
    for (const forwarded of ["http", "https, http", "HTTP", "nonsense"]) {
      const answer = await send(shop, method, path, forwarded);
      expect(answer, forwarded).toMatchObject(refusal);
      expect(answer.headers.get("location")).toBeNull();
      expect(answer.headers.get("x-request-id")).toMatch(/^[\da-f-]{36}$/);
    }
    expect(await tracesOf(shop.accountId)).toEqual(before);
    expect(await tokensOf(shop)).toBe(0);
    const over = await send(shop, method, path, "https");
    expect(over.text).not.toBe(refusal.text);
  });
});

test("over TLS a page and a partner get their tokens, however many proxies a caller claims before ours", async () => {
  const shop = await makeShop();
  for (const forwarded of ["https", "HTTPS", "http, https"]) {
    expect((await send(shop, "POST", PUBLIC, forwarded)).status, forwarded).toBe(201);
    expect((await send(shop, "POST", "/api/partner/v1/card-tokens", forwarded)).status, forwarded).toBe(201);
  }
});

test("a preflight, which carries no card, and all other routes are answered in plain text too", async () => {
  const shop = await makeShop();
  expect((await send(shop, "OPTIONS", PUBLIC, "http")).status).toBe(204);
  expect((await send(shop, "GET", "/api/partner/v1/balance", "http")).status).toBe(200);
  expect((await send(shop, "GET", PUBLIC, "http")).status).toBe(405);
});

test("callers on this machine, and installations without TLS, need no TLS", async () => {
  const shop = await makeShop();
  expect((await send(shop, "POST", PUBLIC)).status).toBe(201);
  Object.assign(env, { TRUSTED_PROXIES: 0 });
  expect((await send(shop, "POST", PUBLIC, "http")).status, "nobody's word is believed").toBe(201);
  Object.assign(env, { TRUSTED_PROXIES: 1, APP_URL: "http://repasse.example" });
  expect((await send(shop, "POST", PUBLIC, "http")).status).toBe(201);
});
