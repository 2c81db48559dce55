import { randomBytes } from "node:crypto";
import { once } from "node:events";
import type { IncomingHttpHeaders, Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { encode } from "next-auth/jwt";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { callbackCookieName, sessionCookieName } from "@/lib/auth/session-cookie";
import { env } from "@/lib/env";
import { createHost } from "@/lib/http/host";
import { pages } from "@/lib/http/pages";
import { newId, newSecret } from "@/lib/ids";
import { askAt } from "@/lib/testing/http";

const paths = [
  { path: "/", isOpen: true },
  { path: "/sign-in", isOpen: true },
  { path: "/reset/[secret]", isOpen: true },
  { path: "/[account]/home", isOpen: false },
  { path: "/charges/[id]", isOpen: false },
];
const files = new Set(["/_next/static/chunks/a.js", "/icon.svg"]);

const waitingPage: Parameters<typeof pages>[1]["waitingPage"] = ({ locale }, { status, seconds }) =>
  `<p lang="${locale}">${status} ${seconds}</p>`;

/** The requests that Next got, in order. */
type Passed = { method: string | undefined; url: string | undefined; headers: IncomingHttpHeaders };
let passed: Passed[] = [];
let host: Server;
let url: string;
beforeAll(async () => {
  const next = pages(
    async ({ method, url, headers }, response) => {
      passed.push({ method, url, headers });
      const nonce = String(headers["x-nonce"]);
      response.writeHead(url === "/_not-found" ? 404 : 200, { "content-type": "text/html", "x-of-next": "1" });
      response.write(`<script nonce="${nonce}">`);
      response.end(`${headers.cookie}</script>`);
    },
    { dev: false, paths, files, waitingPage },
  );
  host = createHost([], next);
  await new Promise<void>((listening) => host.listen(0, "127.0.0.1", listening));
  url = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((closed) => host.close(closed)));
beforeEach(() => {
  passed = [];
});

const ask = (method: string, path: string, headers: Record<string, string> = {}, body?: string) =>
  askAt(url, method, path, { headers, ...(body !== undefined && { body }) });
const signedIn = async () =>
  `${sessionCookieName()}=${await encode({ token: { sid: newId() }, secret: env.SESSION_SECRET })}`;
const form = { "content-type": "application/x-www-form-urlencoded" };

/** Sends bytes over a socket of its own, and returns the whole answer. */
const raw = (bytes: string) =>
  new Promise<string>((resolve) => {
    let read = "";
    const socket = connect((host.address() as AddressInfo).port, "127.0.0.1", () => socket.write(bytes));
    socket.setEncoding("utf8").on("data", (text) => {
      read += text;
    });
    socket.on("close", () => resolve(read));
  });

describe("Next gets nothing of", () => {
  test.each([
    ["GET", "/_next/image?url=%2Fapi%2Fpartner%2Fv1%2Fbalance&w=64&q=1"],
    ["GET", "/_next/data/build/home.json"],
    ["GET", "/_next/webpack-hmr"],
    ["GET", "/_next/static/chunks/none.js"],
    ["GET", "/_next/static/../image?url=%2Fhome"],
    ["GET", "/_next/static/chunks/%2e%2e/a.js"],
    ["GET", "/_next/static/chunks//a.js"],
    ["GET", "/%5fnext/image?url=%2Fhome"],
    ["GET", "//home"],
    ["GET", "/home%2f"],
    ["GET", "/charges/..%2f..%2f_next%2fimage"],
    ["GET", "/charges/a%00"],
    ["GET", "/__nextjs_original-stack-frames"],
    ["GET", "/_not-found/x"],
    ["POST", "/home"],
    ["POST", "/charges/7"],
    ["POST", "/_next/static/chunks/a.js"],
    ["PUT", "/sign-in"],
    ["OPTIONS", "/home"],
    ["POST", "/nothing"],
    ["POST", "/api/auth/_log"],
    ["GET", "/api/auth/_log"],
    ["POST", "/api/auth/signin/credentials"],
    ["GET", "/api/auth/signin"],
    ["GET", "/api/auth/error?error=x"],
    ["POST", "/api/auth/session"],
    ["GET", "/api/auth/signout"],
    ["GET", "/api/auth/callback/credentials"],
    ["GET", "/api/auth/%63srf"],
    ["GET", "/api/auth/csrf/"],
  ])("%s %s", async (method, path) => {
    const cookie = await signedIn();
    const bytes = `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\nNext-Action: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`;
    expect(await raw(bytes)).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(passed.filter(({ url }) => url !== "/_not-found")).toEqual([]);
  });

  test("a header that we do not use, or a query or return address at sign-in", async () => {
    const cookie = await signedIn();
    const headers = {
      "next-action": "x",
      "x-middleware-subrequest": "a",
      "x-invoke-path": "/a",
      "x-matched-path": "/a",
      "x-nextjs-data": "1",
      "x-forwarded-host": "evil.example",
      "x-forwarded-for": "6.6.6.6",
      "x-prerender-revalidate": "a",
      "next-resume": "1",
      rsc: "1",
    };
    await ask("GET", "/home?_rsc=a", { cookie, ...headers });
    const back = `${callbackCookieName()}=%%%; a=b; ${callbackCookieName()}=x`;
    await ask("POST", "/api/auth/signout?callbackUrl=%%%", { cookie: back, ...form, ...headers }, "a=b");
    const [home, signOut] = passed;
    expect(home).toMatchObject({ url: "/home?_rsc=a", headers: { rsc: "1", "x-forwarded-for": "127.0.0.1", cookie } });
    expect(signOut).toMatchObject({ url: "/api/auth/signout", headers: { cookie: "a=b" } });
    const ours = ["content-security-policy", "x-nonce", "x-path", "x-forwarded-for"];
    for (const name of Object.keys(headers).filter((name) => !["rsc", ...ours].includes(name))) {
      expect([home?.headers[name], signOut?.headers[name]], name).toEqual([undefined, undefined]);
    }
  });

  test.each([
    ["a body over 8 kB", form, "x".repeat(8_001), 413],
    ["JSON", { "content-type": "application/json" }, "{}", 415],
  ])("a sign-in of %s", async (_, headers, body, status) => {
    expect((await ask("POST", "/api/auth/callback/credentials", headers, body)).status).toBe(status);
    expect(passed).toEqual([]);
  });
});

test("a request for a page's data keeps every header that the hash in its address covers", async () => {
  const parts = ["rsc", "next-router-prefetch", "next-router-segment-prefetch", "next-router-state-tree", "next-url"];
  const headers = Object.fromEntries(parts.map((name) => [name, "%5B%22a%22%5D"]));
  await ask("GET", "/home?_rsc=hash", { cookie: await signedIn(), ...headers });
  expect(passed).toMatchObject([{ url: "/home?_rsc=hash", headers }]);
  for (const state of ["%%%", "x", "{}", "%5B"]) {
    const answer = await ask("GET", "/home", { cookie: await signedIn(), "next-router-state-tree": state });
    expect(answer.status, state).toBe(400);
  }
  expect(passed).toHaveLength(1);
});

test("Next gets files, pages of a signed-in visitor, and sign-in's own routes", async () => {
  const cookie = await signedIn();
  for (const path of [...files, "/home?a=b", "/charges/7-a"])
    expect((await ask("GET", path, { cookie })).status, path).toBe(200);
  for (const path of files) expect((await ask("GET", path)).status, path).toBe(200);
  for (const name of ["csrf", "providers", "session"]) expect((await ask("GET", `/api/auth/${name}`)).status).toBe(200);
  for (const name of ["callback/credentials", "signout"])
    expect((await ask("POST", `/api/auth/${name}`, form, "")).status).toBe(200);
  expect(passed).toHaveLength(11);
});

test("sign-in's routes admit 120 calls per address and minute, counted before Next gets them", async () => {
  Object.assign(env, { TRUSTED_PROXIES: 1 });
  onTestFinished(() => void Object.assign(env, { TRUSTED_PROXIES: 0 }));
  const headers = { "x-forwarded-for": `10.${randomBytes(3).join(".")}` };
  const answers = await Promise.all(Array.from({ length: 130 }, () => ask("GET", "/api/auth/csrf", headers)));
  const refused = answers.filter(({ status }) => status === 429);
  expect([passed.length, refused.length]).toEqual([120, 10]);
  expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(refused[0]?.json).toMatchObject({ error: "rate_limit_exceeded" });
});

test("a session's 601st page of a minute is a page that loads again by itself; what is fetched ahead uses up no page", async () => {
  const cookie = await signedIn();
  const ahead = { cookie, rsc: "1", "next-router-prefetch": "1" };
  const opening = { cookie: `${cookie}; locale=en`, accept: "text/html,*/*;q=0.8" };
  const visits = async (count: number, headers: Record<string, string>) => {
    const statuses: number[] = [];
    for (let left = count; left > 0; left -= 100) {
      const some = Array.from({ length: Math.min(left, 100) }, () => ask("GET", "/home", headers));
      statuses.push(...(await Promise.all(some)).map(({ status }) => status));
    }
    return statuses.filter((status) => status === 200).length;
  };
  expect([await visits(620, ahead), await visits(600, opening)]).toEqual([600, 600]);
  const refused = await ask("GET", "/home", opening);
  const wait = refused.headers.get("retry-after");
  expect(Number(wait)).toBeGreaterThan(0);
  expect([refused.status, refused.headers.get("refresh")]).toEqual([429, wait]);
  expect(refused.text).toBe(`<p lang="en">429 ${wait}</p>`);
  expect(refused.headers.get("content-security-policy")).toContain("default-src 'self'");
  const data = await ask("GET", "/home", { ...opening, rsc: "1" });
  expect([data.status, data.json]).toMatchObject([429, { error: "rate_limit_exceeded" }]);
});

describe("a visitor who is not signed in", () => {
  afterEach(() => expect(passed.filter(({ url = "" }) => !["/sign-in", "/_not-found"].includes(url))).toEqual([]));

  test.each([
    ["/", "/sign-in"],
    ["/home", "/sign-in"],
    ["/charges/7?a=b&_rsc=c", "/sign-in?next=%2Fcharges%2F7%3Fa%3Db"],
  ])("is sent from %s to %s, also with a cookie that we did not sign", async (path, location) => {
    for (const cookie of ["", `${sessionCookieName()}=forged`]) {
      const answer = await ask("GET", path, { cookie });
      expect([answer.status, answer.headers.get("location")]).toEqual([307, location]);
    }
  });

  test("gets an open page, rendered once per language and theme, with a nonce of its own", async () => {
    const cookies = ["locale=en; theme=dark", "locale=en; theme=dark; a=b", "theme=dark; locale=en"];
    await ask("GET", "/sign-in?next=%2Fa", { cookie: "locale=en; theme=dark; b=c" });
    const answers = await Promise.all(cookies.map((cookie) => ask("GET", `/sign-in?${newId()}`, { cookie, rsc: "1" })));
    expect(passed).toMatchObject([{ url: "/sign-in", headers: { cookie: "locale=en; theme=dark" } }]);
    expect(passed[0]?.headers.rsc).toBeUndefined();
    const nonces = answers.map(({ status, headers, text }) => {
      const [, nonce] = text.match(/^<script nonce="([^"]{20,})">locale=en; theme=dark<\/script>$/) ?? [];
      expect(headers.get("content-security-policy")).toContain(`'nonce-${nonce}'`);
      expect([status, headers.get("content-type"), headers.get("x-of-next")]).toEqual([200, "text/html", "1"]);
      return nonce;
    });
    expect(new Set([...nonces, passed[0]?.headers["x-nonce"]]).size).toBe(4);
    expect((await ask("HEAD", "/sign-in", { cookie: "locale=en; theme=dark" })).text).toBe("");
    await ask("GET", "/sign-in", { cookie: "locale=en; theme=light" });
    expect(passed).toHaveLength(2);
  });

  test("reads in the browser's language until one is chosen", async () => {
    const asked = [
      ["en-GB,en;q=0.9", "", "en"],
      ["pt-BR,en;q=0.5", "", "pt-BR"],
      ["de", "", "pt-BR"],
      ["en-GB,en;q=0.9", "locale=pt-BR; ", "pt-BR"],
    ] as const;
    for (const [language, choice, locale] of asked) {
      const cookie = `${choice}theme=dark`; // no other test's rendering is made by this one
      const { text, headers } = await ask("GET", `/sign-in?${newId()}`, { "accept-language": language, cookie });
      expect(text, language).toContain(`locale=${locale};`);
      expect(headers.get("vary") ?? "accept-language").toContain("accept-language");
    }
  });

  test("gets one rendering of a page whose path holds a link's secret, and Next never the secret", async () => {
    const secrets = Array.from({ length: 3 }, () => newSecret());
    for (const secret of secrets) {
      const { status, text } = await ask("GET", `/reset/${secret}`, { referer: `${url}/reset/${secret}` });
      expect([status, text.includes(secret)]).toEqual([200, false]);
    }
    expect(passed.map(({ url }) => url)).toEqual(["/reset/0"]);
    expect(JSON.stringify(passed)).not.toMatch(new RegExp(secrets.join("|")));
    passed = [];
  });

  test("waits while the same page is rendered for another visitor", async () => {
    const cookie = "locale=en";
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask("GET", "/sign-in", { cookie })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(20); // they differ by their nonces
    expect(passed).toHaveLength(1);
  });

  test("does not wait for another who reads the same page slowly", async () => {
    const piece = Buffer.alloc(1_000_000, "x");
    let rendered = 0;
    const next = pages(
      async (_, response) => {
        rendered += 1;
        for (let n = 0; n < 24; n += 1) if (!response.write(piece)) await once(response, "drain");
        response.end();
      },
      { dev: false, paths, files, waitingPage },
    );
    const WIDE = 1_000_000_000;
    const slow = createHost([], next, { bounds: { process: WIDE, address: WIDE, socket: WIDE, untakenMs: WIDE } });
    await new Promise<void>((listening) => slow.listen(0, "127.0.0.1", listening));
    onTestFinished(() => void slow.close().closeAllConnections());
    const { port } = slow.address() as AddressInfo;
    const socket = connect(port, "127.0.0.1").pause();
    onTestFinished(() => void socket.destroy());
    socket.write("GET /sign-in HTTP/1.1\r\nHost: a\r\n\r\n");
    while (rendered === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    const other = await askAt(`http://127.0.0.1:${port}`, "GET", "/sign-in");
    expect([other.status, other.text.length, rendered]).toEqual([200, 24 * piece.length, 1]);
  });

  test("who sends a form before its script was loaded gets the page again; other pages accept no form", async () => {
    const again = await ask("POST", "/sign-in?a=b", form, "email=a&password=b");
    expect([again.status, again.headers.get("location")]).toEqual([303, "/sign-in"]);
    const refused = await ask("POST", "/home", form, "a=b");
    expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    expect(await ask("DELETE", "/api/auth/csrf")).toMatchObject({ status: 405, json: { message: expect.any(String) } });
  });

  test("gets the same not-found page for every unknown path", async () => {
    for (const path of ["/nothing", "/_next/x", "/a/b/c"]) expect((await ask("GET", path)).status).toBe(404);
    expect(passed.length).toBeLessThanOrEqual(1);
  });
});

test.each([
  ["two hosts", "GET /home HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n", 400],
  ["two equal hosts", "GET /home HTTP/1.1\r\nHost: localhost\r\nhost: localhost\r\n\r\n", 400],
  ["two hosts, at the API", "GET /api/partner/v1/balance HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400],
  ["no HTTP", "nothing\r\n\r\n", 400],
  ["headers that are too long", `GET / HTTP/1.1\r\nHost: a\r\nA: ${"x".repeat(20_000)}\r\n\r\n`, 431],
  ["an expectation", "GET / HTTP/1.1\r\nHost: a\r\nExpect: x\r\nConnection: close\r\n\r\n", 417],
  ["an unknown path of the API", "GET /api/x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 404],
  ["a method that is refused", "PUT /home HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 405],
  ["a form that is too large", "POST /api/auth/signout HTTP/1.1\r\nHost: a\r\nContent-Length: 9000\r\n\r\n", 413],
])("%s: refused in JSON, hardened", async (_, bytes, status) => {
  const [head = "", body = ""] = (await raw(bytes)).split("\r\n\r\n");
  expect(head.split(" ")[1]).toBe(String(status));
  expect(head).toMatch(/^strict-transport-security: max-age=63072000; includeSubDomains$/im);
  expect(head).toMatch(/^x-content-type-options: nosniff$/im);
  expect(head).toMatch(/^x-request-id: [\da-f-]{36}$/im);
  expect(JSON.parse(body.replace(/^[\da-f]+\r\n|\r\n0$/g, ""))).toEqual({ message: expect.any(String) });
  expect(passed).toEqual([]);
});
