import { expect, test } from "vitest";
import { routes } from "@/app/routes.generated";
import { prisma } from "@/lib/db";
import { newId } from "@/lib/ids";
import { openHost } from "@/lib/testing/http";
import { makeAccount } from "@/lib/testing/make";
import { cookieOf } from "@/lib/testing/staff";

const host = openHost(routes);
const V1 = "/api/partner/v1";
const RESET = `${V1}/sandbox/reset`;

test("a program goes on with the token, the pair and the API key that it had, and finds an empty sandbox", async () => {
  const { token, apiKey, clientId: client_id, clientSecret: client_secret } = await makeAccount({ available: 5_000 });
  const sold = await host.ask("POST", `${V1}/cash-in`, { token, body: { amount: 10 } });
  const answer = await host.ask("POST", RESET, { token });
  expect(answer).toMatchObject({ status: 200, json: { account_id: expect.any(String), message: expect.any(String) } });

  const minted = await host.ask("POST", `${V1}/auth-token`, { body: { client_id, client_secret } });
  for (const each of [token, String(minted.json.access_token)]) {
    expect((await host.ask("GET", `${V1}/balance`, { token: each })).json).toMatchObject({ balance: "0.00" });
    expect((await host.ask("GET", `${V1}/transaction/${sold.json.identifier}`, { token: each })).status).toBe(404);
  }
  const authorization = `Basic ${Buffer.from(apiKey).toString("base64")}`;
  expect((await host.ask("GET", "/s1/getsaldo/api/", { authorization })).json).toMatchObject({
    data: { saldo_liquido: 0 },
  });
  expect((await host.ask("POST", `${V1}/cash-in`, { token, body: { amount: 10 } })).status).toBe(200);
});

test("the same Idempotency-Key resets once and answers the same, also at once and after all the day's resets", async () => {
  const { token } = await makeAccount();
  const key = newId();
  const answers = await Promise.all([0, 1, 2].map(() => host.ask("POST", RESET, { token, key })));
  answers.push(await host.ask("POST", RESET, { token, key }));
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  const more = [];
  for (let left = 20; left > 0; left -= 1) more.push((await host.ask("POST", RESET, { token })).status);
  expect(more.at(-1)).toBe(429);
  expect(more.filter((status) => status === 200).length).toBeGreaterThan(15);
});

test("a session goes on in the new sandbox, and reaches the former one no more", async () => {
  const seller = await makeAccount();
  const { id: userId } = await prisma().user.findUniqueOrThrow({ where: { email: seller.email } });
  const cookie = await cookieOf(userId, seller.accountId);
  const asked = (account: string) => ({
    headers: { cookie, "x-account": account, "sec-fetch-site": "same-origin" },
  });
  const { status, json } = await host.ask("POST", RESET, { ...asked(seller.accountId), body: {} });
  expect(status).toBe(200);
  const id = String(json.account_id);
  expect((await host.ask("GET", `${V1}/balance`, asked(id))).status).toBe(200);
  expect(await host.ask("GET", `${V1}/balance`, asked(seller.accountId))).toMatchObject({
    status: 409,
    json: { error: "account_changed" },
  });
  expect(await prisma().session.findFirstOrThrow({ where: { userId } })).toMatchObject({ accountId: id });
});

test("what a request made that was overtaken by a reset reaches nothing", async () => {
  const { token, clientId, accountId } = await makeAccount();
  await host.ask("POST", RESET, { token });
  await prisma().accessToken.updateMany({ where: { clientId }, data: { accountId } });
  for (const [method, path] of [
    ["GET", "balance"],
    ["POST", "sandbox/reset"],
  ] as const) {
    expect((await host.ask(method, `${V1}/${path}`, { token })).status, path).toBe(401);
  }
});

test("a live account has no such path, and a credential without the scope is refused", async () => {
  const live = await makeAccount({ mode: "live" });
  expect((await host.ask("POST", RESET, { token: live.token })).status).toBe(404);
  const { token, clientId } = await makeAccount();
  await prisma().accessToken.updateMany({ where: { clientId }, data: { scopes: ["transactions:read"] } });
  expect(await host.ask("POST", RESET, { token })).toMatchObject({
    status: 403,
    json: { error: "insufficient_scope" },
  });
});
