import { afterEach, beforeAll, expect, test } from "vitest";
import { routes } from "@/app/routes.generated";
import { forAccount } from "@/lib/db";
import { env } from "@/lib/env";
import { openHost } from "@/lib/testing/http";
import { type Made, makeAccount } from "@/lib/testing/make";
import { anOrder, aToken } from "@/lib/testing/shop";
import { tracesOf } from "@/lib/testing/traces";
import type { AccountStatus } from "@/prisma/client/enums";

/** Each refusal of a route that asks for money has its own code in the route's contract (lib/http/endpoint.ts). */
const host = openHost(routes);

const { MIN_CASHIN, MAX_CASHIN_WITHOUT_FEE } = env;
afterEach(() => void Object.assign(env, { MIN_CASHIN, MAX_CASHIN_WITHOUT_FEE }));

const address = {
  ...{ city: "São Paulo", state: "SP", street: "Rua A", country: "BR" },
  ...{ zipCode: "01001000", neighborhood: "Centro", streetNumber: "1" },
};
const customer = {
  ...{ cpf: "52998224725", name: "Ana", email: "ana@example.com", phone: "11987654321", externaRef: "7" },
  address,
};

type Asked = { split?: object[]; url?: string };

/** The body of each route, with a split and an address to call back. */
const bodies = {
  "/api/partner/v1/cash-in": async (_: Made, { split, url }: Asked) => ({ amount: 100, split, webhook_url: url }),
  "/v1/gateway/api": async (_: Made, { split, url }: Asked) => ({
    ...{ ip: "203.0.113.7", amount: 100, customer, split, postbackUrl: url },
  }),
  "/api/partner/v1/credit-card": async (seller: Made, { split, url }: Asked) =>
    anOrder(await aToken(seller), { split, webhook_url: url }),
};
type Path = keyof typeof bodies;
const paths = Object.keys(bodies) as Path[];
const deposits = paths.filter((path) => path !== "/api/partner/v1/credit-card");

async function expectRefusal(path: Path, seller: Made, asked: Asked, status: number, error: string) {
  const body = await bodies[path](seller, asked);
  const answer = await host.ask("POST", path, { token: seller.token, body });
  expect(answer).toMatchObject({ status, json: { message: expect.any(String), error } });
  expect(await tracesOf(seller.accountId)).toMatchObject({ transactions: 0, events: 0 });
}

let recipient: Made;
beforeAll(async () => {
  recipient = await makeAccount();
});

test.each(paths)("POST %s: an account that may not sell", async (path) => {
  const seller = await makeAccount();
  const setStatus = (status: AccountStatus) =>
    forAccount(seller.accountId, (tx) => tx.account.update({ where: { id: seller.accountId }, data: { status } }));
  await setStatus("pending");
  await expectRefusal(path, seller, {}, 422, "account_not_approved");
  await setStatus("suspended");
  await expectRefusal(path, seller, {}, 403, "account_suspended");
});

test.each(paths)("POST %s: a split or an address to call back that is not allowed", async (path) => {
  const seller = await makeAccount();
  const splitWith = ({ clientId }: Made, percentage: number) => [{ user_id: clientId, percentage }];
  await expectRefusal(path, seller, { split: splitWith(recipient, 100) }, 422, "split_exceeds_total");
  await expectRefusal(path, seller, { split: splitWith(seller, 10) }, 422, "split_own_account");
  await expectRefusal(path, seller, { url: "http://example.com/" }, 422, "webhook_url_not_allowed");
});

test.each(deposits)("POST %s: an amount outside of the platform's limits", async (path) => {
  const seller = await makeAccount({ feeBasisPoints: null });
  Object.assign(env, { MIN_CASHIN: 10_001 });
  await expectRefusal(path, seller, {}, 422, "amount_below_minimum");
  Object.assign(env, { MIN_CASHIN, MAX_CASHIN_WITHOUT_FEE: 9_999 });
  await expectRefusal(path, seller, {}, 422, "max_cashin_without_fee");
});

test.each(deposits)("POST %s: a live account, for which no rail is configured", async (path) => {
  await expectRefusal(path, await makeAccount({ mode: "live" }), {}, 409, "rail_not_configured");
});

test("POST /credit-card: a token that was spent, and one that expired", async () => {
  const path = "/api/partner/v1/credit-card";
  const seller = await makeAccount();
  const charge = async (token: string) =>
    (await host.ask("POST", path, { token: seller.token, body: anOrder(token) })).json;
  const [spent, expired] = [await aToken(seller), await aToken(seller)];
  await forAccount(seller.accountId, (tx) =>
    tx.cardToken.updateMany({ where: { spentAt: null }, data: { expiresAt: new Date(0) } }),
  );
  expect(await charge(expired)).toMatchObject({ error: "card_token_expired" });
  await forAccount(seller.accountId, (tx) => tx.cardToken.updateMany({ data: { spentAt: new Date() } }));
  expect(await charge(spent)).toMatchObject({ error: "DUPLICATE_CARD_TOKEN" });
});
