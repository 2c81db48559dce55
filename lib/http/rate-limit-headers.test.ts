import { afterEach, expect, test } from "vitest";
import { routes } from "@/app/routes.generated";
import { env } from "@/lib/env";
import { countSlots } from "@/lib/rate-limits/spend-slot";
import { openHost } from "@/lib/testing/http";
import { makeAccount } from "@/lib/testing/make";
import { aCard, makeShop, SHOP } from "@/lib/testing/shop";

const host = openHost(routes);
const { PARTNER_LIMIT_PER_MINUTE } = env;
afterEach(() => Object.assign(env, { PARTNER_LIMIT_PER_MINUTE }));

const limitsOf = ({ headers }: { headers: Headers }) => [headers.get("ratelimit-policy"), headers.get("ratelimit")];
/** The slots that are left, by the limits' names. */
const leftIn = ({ headers }: { headers: Headers }) =>
  Object.fromEntries(
    [...(headers.get("ratelimit") ?? "").matchAll(/"([\w-]+)";r=(\d+);t=\d+/g)].map(([, name, left]) => [
      name,
      Number(left),
    ]),
  );

test("every answer says what it spent and what is left, also a refusal and an answer given again", async () => {
  const { token, accountId } = await makeAccount();
  Object.assign(env, { PARTNER_LIMIT_PER_MINUTE: 40 });
  const ask = (method: string, path: string, more: object = {}) =>
    host.ask(method, `/api/partner/v1${path}`, { token, ...more });
  const answers = [
    await ask("GET", "/balance"),
    await ask("GET", "/payment-links"),
    await ask("POST", "/payment-links", { body: {} }),
    await ask("GET", "/statement/export"),
    await ask("GET", "/refunds/rfd_none"),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 422, 200, 404]);
  for (const [at, answer] of answers.entries()) expect(leftIn(answer).partner).toBe(39 - at);
  expect(40 - (await countSlots("partner", accountId))).toBe(35);
  const last = answers.at(-1);
  expect(last && limitsOf(last)[0]).toBe('"partner";q=40;w=60, "refund-lookup";q=60;w=60');
  expect(last && leftIn(last)).toEqual({ partner: 35, "refund-lookup": 59 });
  expect(limitsOf(answers[0] as never)[1]).toMatch(/^"partner";r=39;t=(59|60)$/);
});

test("requests at once are each told of a slot of their own, and a 429 says that none is left until it may be repeated", async () => {
  const { token } = await makeAccount();
  Object.assign(env, { PARTNER_LIMIT_PER_MINUTE: 20 });
  const answers = await Promise.all(
    Array.from({ length: 26 }, () => host.ask("GET", "/api/partner/v1/balance", { token })),
  );
  const served = answers.filter(({ status }) => status === 200);
  expect(served.map((answer) => leftIn(answer).partner).sort((one, other) => Number(one) - Number(other))).toEqual(
    Array.from({ length: 20 }, (_, left) => left),
  );
  for (const answer of answers.filter(({ status }) => status === 429)) {
    const retryAfter = Number(answer.headers.get("retry-after"));
    const [, r, t] = /^"partner";r=(\d+);t=(\d+)$/.exec(answer.headers.get("ratelimit") ?? "") ?? [];
    expect([r, Number(t) <= retryAfter, Number(t) > 0]).toEqual(["0", true, true]);
  }
});

test("who is not known is told nothing by a refusal, so that no limit says what exists", async () => {
  const { clientId, clientSecret } = await makeAccount();
  const mint = (body: object) => host.ask("POST", "/api/partner/v1/auth-token", { body });
  const made = await mint({ client_id: clientId, client_secret: clientSecret });
  expect(Object.keys(leftIn(made))).toEqual(["auth-token-address", "auth-token"]);
  for (const refused of [
    await mint({ client_id: clientId, client_secret: "wrong" }),
    await host.ask("GET", "/api/partner/v1/balance", { token: "unknown" }),
    await host.ask("POST", "/api/public/v1/card-tokens", { body: aCard(), headers: { "x-public-key": "pk_test_x" } }),
  ]) {
    expect([refused.status >= 400, ...limitsOf(refused)]).toEqual([true, null, null]);
  }
  const { key } = await makeShop();
  const sealed = await host.ask("POST", "/api/public/v1/card-tokens", {
    body: aCard(),
    headers: { "x-public-key": key, origin: SHOP },
  });
  expect(leftIn(sealed)).toMatchObject({ "card-token": 19, "card-token-address": expect.any(Number) });
});
