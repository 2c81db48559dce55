import { expect, test } from "vitest";
import { routes } from "@/app/routes.generated";
import { newSecret } from "@/lib/ids";
import { createProduct } from "@/lib/products/create";
import { setImage } from "@/lib/products/image";
import { ProductInput } from "@/lib/products/schema";
import { openHost } from "@/lib/testing/http";
import { call, makeAccount } from "@/lib/testing/make";
import { pictures } from "@/lib/testing/pictures";
import { aCard, makeShop, SHOP } from "@/lib/testing/shop";

const host = openHost(routes);

/** The headers that differ from answer to answer. All others are compared byte for byte (PCI DSS 11.6.1). */
const VARIES = ["content-length", "date", "x-request-id", "x-page-token", "etag", "ratelimit"];

/** Of what is the same for all, in the form that a browser takes. */
const fixed = { "content-encoding": "gzip", etag: "…", vary: "Accept-Encoding" };

const headersOf = (headers: Headers) =>
  Object.fromEntries(
    [...headers].map(([name, value]) => [
      name,
      VARIES.includes(name) ? "…" : value.replaceAll(/'nonce-[\w-]{43}'/g, "'nonce-…'"),
    ]),
  );

/** The headers of the connection, and those of every answer. */
const always = {
  connection: "keep-alive",
  date: "…",
  "keep-alive": "timeout=65",
  "strict-transport-security": "max-age=63072000; includeSubDomains",
  "x-content-type-options": "nosniff",
  "x-request-id": "…",
};

const json = { ...always, "cache-control": "no-store", "content-length": "…", "content-type": "application/json" };

const limited = { ...json, ratelimit: "…", "ratelimit-policy": '"partner";q=600;w=60' };

const policyFor = (ancestors: string) =>
  "default-src 'none'; script-src 'nonce-…'; style-src 'nonce-…'; connect-src 'self'; base-uri 'none'; " +
  `form-action 'none'; frame-ancestors ${ancestors}; report-uri /csp-reports`;

const frame = {
  ...always,
  "cache-control": "no-store",
  "content-length": "…",
  "content-type": "text/html; charset=utf-8",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
  "referrer-policy": "same-origin",
};

const tokenize = async (origin: string) =>
  host.ask("POST", "/api/public/v1/card-tokens", {
    body: aCard(),
    headers: { "x-public-key": (await makeShop()).key, origin },
  });

/** The path of a new product's image. */
async function anImage(): Promise<string> {
  const { account } = await makeAccount();
  const { data } = await createProduct(account, ProductInput.parse({ name: "Clube" }), call());
  const made = await setImage(account, { id: data.reference_id, file: pictures["webp, lossy"] }, call());
  return new URL(made.data.image_url ?? "").pathname;
}

const answers: Record<string, { ask: () => ReturnType<typeof host.ask>; status: number; headers: object }> = {
  "the card fields of a shop": {
    ask: async () => host.ask("GET", `/fields?key=${(await makeShop()).key}`),
    status: 200,
    headers: { ...frame, "content-security-policy": policyFor(SHOP), "x-page-token": "…" },
  },
  "the card fields of an unknown key": {
    ask: () => host.ask("GET", "/fields?key=nobody"),
    status: 404,
    headers: { ...frame, "content-security-policy": policyFor("'none'") },
  },
  "the script that mounts them": {
    ask: () => host.ask("GET", "/fields.js"),
    status: 200,
    headers: {
      ...always,
      ...fixed,
      "cache-control": "public, max-age=600",
      "content-length": "…",
      "content-type": "text/javascript; charset=utf-8",
      "cross-origin-resource-policy": "cross-origin",
    },
  },
  "a product's image": {
    ask: async () => host.ask("GET", await anImage()),
    status: 200,
    headers: {
      ...always,
      "cache-control": "public, max-age=31536000, immutable",
      "content-disposition": "inline",
      "content-length": "…",
      "content-security-policy": "default-src 'none'; sandbox",
      "content-type": "image/webp",
      "cross-origin-resource-policy": "cross-origin",
      etag: "…",
    },
  },
  "no image": { ask: () => host.ask("GET", `/images/${newSecret()}`), status: 404, headers: json },
  "a card token, to a page that is listed": {
    ask: () => tokenize(SHOP),
    status: 201,
    headers: {
      ...json,
      ratelimit: "…",
      "ratelimit-policy": '"card-token-address";q=60;w=60, "card-token";q=20;w=60',
      "access-control-allow-origin": SHOP,
      "access-control-expose-headers": "Retry-After, X-Request-Id, RateLimit-Policy, RateLimit",
      vary: "Origin",
    },
  },
  "no card token, to a page that is not": { ask: () => tokenize("https://evil.example"), status: 403, headers: json },
  "an answer of the API": {
    ask: async () => host.ask("GET", "/api/partner/v1/balance", { token: (await makeAccount()).token }),
    status: 200,
    headers: limited,
  },
  "the API's document": {
    ask: () => host.ask("GET", "/api/openapi.json"),
    status: 200,
    headers: {
      ...{ ...always, ...fixed, "cache-control": "no-cache" },
      ...{ "content-length": "…", "content-type": "application/json" },
    },
  },
  "a refused callback of a rail": {
    ask: () => host.ask("POST", "/callbacks/pix/simulator", { body: {} }),
    status: 401,
    headers: json,
  },
  "a method that a rail's route refuses": {
    ask: () => host.ask("GET", "/callbacks/pix/simulator"),
    status: 405,
    headers: { ...json, allow: "POST" },
  },
  "a browser's report": {
    ask: () => host.ask("POST", "/csp-reports", { body: "{}" }),
    status: 204,
    headers: always,
  },
  "a browser's preflight before it tokenizes a card": {
    ask: () => host.ask("OPTIONS", "/api/public/v1/card-tokens"),
    status: 204,
    headers: {
      ...always,
      "access-control-allow-headers": "content-type, x-public-key",
      "access-control-allow-methods": "POST",
      "access-control-allow-origin": "*",
      "access-control-max-age": "7200",
    },
  },
  "an unknown path of the API": { ask: () => host.ask("GET", "/api/none"), status: 404, headers: json },
  "no card token, to a page without a key": {
    ask: () => host.ask("POST", "/api/public/v1/card-tokens", { body: aCard() }),
    status: 401,
    headers: { ...json, "www-authenticate": "X-Public-Key" },
  },
  "a refusal of the API": {
    ask: async () => host.ask("POST", "/api/partner/v1/cash-in", { token: (await makeAccount()).token, body: {} }),
    status: 422,
    headers: limited,
  },
};

test.each(Object.entries(answers))("%s has exactly these headers", async (_, { ask, status, headers }) => {
  const answer = await ask();
  expect(answer.status).toBe(status);
  expect(headersOf(answer.headers)).toEqual(headers);
});
