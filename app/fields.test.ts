import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test, vi } from "vitest";
import { routes } from "@/app/routes.generated";
import { frame } from "@/browser/fields/browser.generated";
import { isPageToken } from "@/lib/auth/page-token";
import { forAccount } from "@/lib/db";
import { env } from "@/lib/env";
import { addDomain, removeDomain } from "@/lib/public-keys/domains";
import { readPublicKey, regeneratePublicKey } from "@/lib/public-keys/public-key";
import { type Answered, openHost } from "@/lib/testing/http";
import { call, makeAccount } from "@/lib/testing/make";
import { aCard, makeShop, SHOP } from "@/lib/testing/shop";

const host = openHost(routes);
afterEach(() => void vi.useRealTimers());

const read = (key: string, more: Record<string, string> = {}) =>
  host.ask("GET", `/fields?${new URLSearchParams({ key, ...more })}`);

/** The directives of an answer's policy by name. */
const policyOf = ({ headers }: Answered) =>
  Object.fromEntries(
    (headers.get("content-security-policy") ?? "").split("; ").map((directive) => {
      const [name = "", ...sources] = directive.split(" ");
      return [name, sources];
    }),
  );

const setupOf = ({ text }: Answered) => {
  const [, json = "{}"] = /<script type="application\/json" id="setup">(.*?)<\/script>/.exec(text) ?? [];
  return JSON.parse(json) as { publicKey?: string; pageToken?: string; parent?: string | null };
};

const pageTokenOf = async (key: string) => setupOf(await read(key)).pageToken ?? "";

describe("the card fields", () => {
  test("may be framed by exactly the domains that their key has at that moment", async () => {
    const { key, account, accountId } = await makeShop();
    await makeShop(); // another seller's domains are not among them
    expect(policyOf(await read(key))["frame-ancestors"]).toEqual([SHOP]);
    await addDomain({ id: accountId }, { origin: "http://localhost:5173" }, call());
    await addDomain({ id: accountId }, { origin: "https://loja.example:8443" }, call());
    const ancestors = policyOf(await read(key))["frame-ancestors"];
    expect(ancestors?.sort()).toEqual(["http://localhost:5173", SHOP, "https://loja.example:8443"]);
    for (const { id } of (await readPublicKey(account)).data.domains) await removeDomain({ id: accountId }, { id });
    expect(policyOf(await read(key))["frame-ancestors"]).toEqual(["'none'"]);
  });

  const closed: Record<string, () => Promise<string>> = {
    "no key": async () => "",
    "an unknown key": async () => `pk_test_${"x".repeat(43)}`,
    "a malformed key": async () => "'; frame-ancestors *",
    "a key without domains": async () => (await readPublicKey((await makeAccount()).account)).data.key,
    "an account without cards": async () => (await makeShop({ features: ["refunds"] })).key,
    "an account that is suspended": async () => {
      const { key, accountId } = await makeShop();
      const suspend = { where: { id: accountId }, data: { status: "suspended" as const } };
      await forAccount(accountId, (tx) => tx.account.update(suspend));
      return key;
    },
    "a replaced key": async () => {
      const { key, account } = await makeShop();
      await regeneratePublicKey(account, call());
      return key;
    },
  };

  test.each(Object.entries(closed))("of %s may be framed by nobody, and get no page token", async (_, keyOf) => {
    const answer = await read(await keyOf(), { parent: SHOP });
    expect(answer.status).toBe(404);
    expect(policyOf(answer)["frame-ancestors"]).toEqual(["'none'"]);
    expect(answer.headers.get("x-page-token")).toBeNull();
    expect(answer.text).not.toMatch(/<script|<input/);
  });

  test("run only our one script, load nothing, and connect only to our origin", async () => {
    const { key } = await makeShop();
    const [one, other] = [await read(key), await read(key)];
    const policy = policyOf(one);
    const [, nonce = ""] = /^'nonce-([\w-]{43})'$/.exec(policy["script-src"]?.join(" ") ?? "") ?? [];
    expect(policy).toEqual({
      "default-src": ["'none'"],
      "script-src": [`'nonce-${nonce}'`],
      "style-src": [`'nonce-${nonce}'`],
      "connect-src": ["'self'"],
      "base-uri": ["'none'"],
      "form-action": ["'none'"],
      "frame-ancestors": [SHOP],
      "report-uri": ["/csp-reports"],
    });
    const scripts = one.text.split("<script").slice(1);
    expect(scripts).toHaveLength(2); // the page's data, which is no program, and the script
    expect(scripts[0]).toMatch(/^ type="application\/json" id="setup">/);
    expect(scripts[1]?.split("</script>")[0]).toBe(` nonce="${nonce}">${frame}`);
    expect(other.text).not.toContain(nonce);
    expect(one.text).not.toMatch(
      /(src|href|action)=|url\(|@import|\son\w+=|<(link|object|embed|iframe|base|meta http)/,
    );
  });

  test("post messages only to the page that asked, if exactly its origin is listed", async () => {
    const { key } = await makeShop();
    expect(setupOf(await read(key, { parent: SHOP })).parent).toBe(SHOP);
    for (const parent of ["", "*", "null", "https://other.example", `${SHOP}/`, `${SHOP}.evil.example`]) {
      expect(setupOf(await read(key, { parent })).parent, parent).toBeNull();
    }
  });

  test("may be framed by our own checkout, and then by no other page, without a listed domain", async () => {
    const { data } = await readPublicKey((await makeAccount()).account);
    for (const key of [data.key, (await makeShop()).key]) {
      const answer = await read(key, { parent: env.APP_URL });
      expect(policyOf(answer)["frame-ancestors"]).toEqual([env.APP_URL]);
      expect(setupOf(answer).parent).toBe(env.APP_URL);
    }
    for (const parent of [`${env.APP_URL}/`, env.APP_URL.toUpperCase(), `${env.APP_URL}.evil.example`]) {
      expect((await read(data.key, { parent })).status, parent).toBe(404);
    }
    for (const key of [
      await closed["an account without cards"]?.(),
      await closed["an account that is suspended"]?.(),
    ]) {
      expect((await read(key ?? "", { parent: env.APP_URL })).status).toBe(404);
    }
  });

  test("show nothing of their address in the page", async () => {
    const { key } = await makeShop();
    const evil = `"><script>alert(1)</script>`;
    const plain = await read(key);
    const answer = await read(key, { parent: evil, locale: evil, theme: evil });
    expect(answer.text).not.toContain("alert(1)");
    expect(answer.text.length).toBe(plain.text.length);
  });

  test.each([
    ["pt-BR", "Número do cartão"],
    ["en", "Card number"],
  ])("speak %s", async (locale, label) => {
    const { text } = await read((await makeShop()).key, { locale, theme: "dark" });
    expect(text).toContain(`<html lang="${locale}" data-theme="dark">`);
    expect(text).toContain(label);
  });

  test("have at most 10 kB, compressed, with look and script", async () => {
    expect(gzipSync((await read((await makeShop()).key)).text).length).toBeLessThan(10_000);
  });
});

describe("the page token of the card fields", () => {
  test("is valid for only their key and for 10 minutes", async () => {
    const [{ key }, other] = [await makeShop(), await makeShop()];
    const token = await pageTokenOf(key);
    expect(isPageToken(token, key)).toBe(true);
    expect(isPageToken(token, other.key)).toBe(false);
    const madeAt = Date.now();
    vi.useFakeTimers({ toFake: ["Date"], now: madeAt + 10 * 60_000 - 5_000 });
    expect(isPageToken(token, key)).toBe(true);
    vi.setSystemTime(madeAt + 10 * 60_000 + 1);
    expect(isPageToken(token, key)).toBe(false);
  });

  test("is renewed by a HEAD of the page", async () => {
    const { key } = await makeShop();
    const answer = await host.ask("HEAD", `/fields?key=${key}`);
    expect(answer).toMatchObject({ status: 200, text: "" });
    expect(isPageToken(answer.headers.get("x-page-token") ?? "", key)).toBe(true);
  });

  test("admits our own origin, which is refused without it, with an old one, and with another key's", async () => {
    const [{ key }, other] = [await makeShop(), await makeShop()];
    const tokenize = async (token: string | null) => {
      const headers = { "x-public-key": key, origin: env.APP_URL, ...(token !== null && { "x-page-token": token }) };
      return (await host.ask("POST", "/api/public/v1/card-tokens", { body: aCard(), headers })).status;
    };
    const token = await pageTokenOf(key);
    expect(await tokenize(token)).toBe(201);
    expect(await tokenize(null)).toBe(403);
    expect(await tokenize(await pageTokenOf(other.key))).toBe(403);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 10 * 60_000 + 1 });
    expect(await tokenize(token)).toBe(403);
  });
});

test("fields.js has at most 10 kB, compressed, and imports nothing", async () => {
  const { status, text } = await host.ask("GET", "/fields.js");
  expect(status).toBe(200);
  expect(gzipSync(text).length).toBeLessThan(10_000);
  expect(text).not.toMatch(/\b(import|require|eval)\b|"\*"|https?:/);
});
