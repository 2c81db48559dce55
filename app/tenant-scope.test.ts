import { afterAll, describe, expect, test } from "vitest";
import { routes } from "@/app/routes.generated";
import { requireContext } from "@/lib/accounts/read";
import { createCredential } from "@/lib/credentials/create";
import { forAccount, prisma } from "@/lib/db";
import { completeDeposit } from "@/lib/deposits/complete";
import { requestDeposit } from "@/lib/deposits/request";
import { simulatePayment } from "@/lib/deposits/simulate";
import { sendEvidence } from "@/lib/disputes/evidence";
import { newId, newSecret, sha256 } from "@/lib/ids";
import { type CallKey, resolveCall } from "@/lib/outside/calls";
import { createPlan } from "@/lib/plans/create";
import { PlanInput } from "@/lib/plans/schema";
import { createProduct } from "@/lib/products/create";
import { ProductInput } from "@/lib/products/schema";
import { addDomain } from "@/lib/public-keys/domains";
import { requestRefund } from "@/lib/refunds/request";
import { RefundBody } from "@/lib/refunds/schema";
import { InviteInput } from "@/lib/splits/schema";
import { inviteToPlan } from "@/lib/subscription-splits/invite";
import { pauseSubscription } from "@/lib/subscriptions/pause";
import { makeLink } from "@/lib/testing/checkout";
import { disputed, disputesOf } from "@/lib/testing/disputes";
import { type Answered, fill, openHost, operationsOf } from "@/lib/testing/http";
import { call, cashIn, fund, type Made, makeAccount } from "@/lib/testing/make";
import { askPayout } from "@/lib/testing/payouts";
import { pictures } from "@/lib/testing/pictures";
import { aCardSale } from "@/lib/testing/refunds";
import { aToken } from "@/lib/testing/shop";
import { anActive, device, enrolled, enrolledByCard, aPlan as flatPlan } from "@/lib/testing/subscriptions";
import { tracesOf } from "@/lib/testing/traces";
import { askedWithdrawal, awaitingWithdrawal } from "@/lib/testing/withdrawals";
import { createWebhook } from "@/lib/webhooks/create";
import { WebhookInput } from "@/lib/webhooks/schema";
import { deliveriesOf, dispatchEvent, happen } from "@/lib/webhooks/testing";
import { withdrawalCall } from "@/lib/withdrawals/call";

const host = openHost(routes);
const operations = operationsOf(routes);

type Params = Record<string, string>;

async function charge({ account }: Made): Promise<string> {
  const deposit = await requestDeposit(account, cashIn(), call());
  return deposit.identifier;
}

async function hook({ account }: Made): Promise<string> {
  const input = { title: "Loja", url: "http://localhost:9/", event: "transaction" };
  const webhook = await createWebhook(account, WebhookInput.parse(input), call());
  return String(webhook.id);
}

async function deliver(seller: Made): Promise<Params> {
  const id = await hook(seller);
  await dispatchEvent(await happen({ accountId: seller.accountId, id: await charge(seller) }, "pending"));
  const [delivery] = await deliveriesOf(seller.accountId);
  return { id, delivery_id: delivery?.id ?? "" };
}

async function anEvent(seller: Made): Promise<string> {
  await deliver(seller);
  const [delivery] = await deliveriesOf(seller.accountId);
  return delivery?.eventId ?? "";
}

async function credential({ accountId }: Made): Promise<string> {
  const made = await createCredential(await requireContext(accountId), { name: "Teste" }, call());
  return made.data.client_id;
}

async function domain({ accountId }: Made): Promise<string> {
  const made = await addDomain({ id: accountId }, { origin: "https://loja.example" }, call());
  return made.data.id;
}

async function product({ account }: Made): Promise<string> {
  const made = await createProduct(account, ProductInput.parse({ name: "Clube" }), call());
  return made.data.reference_id;
}

const aRefund = { reason: "other", amount: "1.00" };

/** A paid sale of the seller's. */
async function paid({ account, accountId }: Made): Promise<string> {
  await fund(accountId, 1_000);
  const { identifier: id } = await requestDeposit(account, cashIn({ amount: 1 }), call());
  const { end_to_end_id: endToEndId } = await simulatePayment(account, { id }, call());
  await completeDeposit({ provider: "simulator", endToEndId });
  return id;
}

const refund = async (seller: Made): Promise<string> =>
  (await requestRefund(seller.account, { ...RefundBody.parse(aRefund), id: await paid(seller) }, call())).data.code;

const dispute = async (seller: Made): Promise<string> => {
  await disputed(seller, await paid(seller));
  return (await disputesOf(seller))[0]?.code ?? "";
};

const aPlan = { name: "Mensal", amount: "49.90", billing_method: "qr_code" };

async function plan(seller: Made): Promise<Params> {
  const reference_id = await product(seller);
  const made = await createPlan(seller.account, { ...PlanInput.parse(aPlan), productId: reference_id }, call());
  return { reference_id, plan_token: made.data.token, token: made.data.token };
}

const aSplit = { email: "ana@example.com", percentage: 10 };

async function split(seller: Made, { email }: { email: string } = aSplit): Promise<string> {
  const { token } = await plan(seller);
  const made = await inviteToPlan(
    seller.account,
    { ...InviteInput.parse({ ...aSplit, email }), planId: token ?? "" },
    call(),
  );
  return String(made.data.id);
}

async function paused(seller: Made): Promise<string> {
  const token = await anActive(seller, await flatPlan(seller));
  await pauseSubscription(seller.account, { id: token, reason: null, resumes_at: null }, call());
  return token;
}

const payouts: CallKey[] = [];

/** What a sandbox ends at the rail is heard of at the end, as a worker would hear of it. */
afterAll(() => Promise.all(payouts.map((key) => resolveCall(withdrawalCall, key).catch(() => {}))));

async function payout(seller: Made): Promise<string> {
  await fund(seller.accountId, 20_000);
  const id = await askPayout(seller);
  payouts.push({ accountId: seller.accountId, id });
  return id;
}

async function clock({ accountId }: Made): Promise<string> {
  const id = newId();
  const data = { accountId, id, target: new Date(), doneAt: new Date() };
  await forAccount(accountId, (tx) => tx.clockAdvance.create({ data }));
  return id;
}

/** For each path with parameters, how to make a seller's record, and parameters that name no record. */
type Kind = {
  path: RegExp;
  make: (seller: Made) => Promise<Params>;
  none: Params;
  body?: object;
  /** What else the request names of the seller's: a body, or the members of a query. */
  with?: (seller: Made) => Promise<object>;
};

const records: Kind[] = [
  {
    path: /\/transaction\/\[identifier\]\/refund/,
    make: async (seller) => ({ identifier: await paid(seller) }),
    none: { identifier: newId() },
    body: aRefund,
  },
  {
    path: /\/sandbox\/cash-out\/\[id\]/,
    make: async (seller) => ({ id: await payout(seller) }),
    none: { id: newId() },
  },
  {
    path: /\/refunds\/\[code\]/,
    make: async (seller) => ({ code: await refund(seller) }),
    none: { code: `rfd_${newId().replaceAll("-", "")}` },
  },
  {
    path: /\/withdrawals\/\[id\]\/(approve|reject)/,
    make: async (seller) => ({ id: await awaitingWithdrawal(seller) }),
    none: { id: newId() },
  },
  {
    path: /\/(withdrawals|cash-out)\/\[id\]/,
    make: async (seller) => ({ id: await askedWithdrawal(seller) }),
    none: { id: newId() },
  },
  {
    path: /\/disputes\/\[code\]\/files\/\[id\]/,
    async make(seller) {
      const code = await dispute(seller);
      const { id } = (await sendEvidence(seller.account, { code, name: "nota", file: pictures.png }, call())).data;
      return { code, id };
    },
    none: { code: `dsp_${newId().replaceAll("-", "")}`, id: newId() },
  },
  {
    path: /\/disputes\/\[code\]/,
    make: async (seller) => ({ code: await dispute(seller) }),
    none: { code: `dsp_${newId().replaceAll("-", "")}` },
    body: { text: "Entregue." },
  },
  {
    path: /\/\[identifier\]\/med/,
    make: async (seller) => ({ identifier: await paid(seller) }),
    none: { identifier: newId() },
  },
  {
    path: /\/\[identifier\]\/chargeback/,
    make: async (seller) => ({ identifier: await aCardSale(seller) }),
    none: { identifier: newId() },
  },
  {
    path: /\/(transaction|sandbox\/pix)\/\[identifier\]/,
    make: async (seller) => ({ identifier: await charge(seller) }),
    none: { identifier: newId() },
  },
  {
    path: /\/timeline\/\[subject\]\/\[id\]/,
    make: async (seller) => ({ subject: "transaction", id: await charge(seller) }),
    none: { subject: "transaction", id: newId() },
  },
  { path: /\/transactions\/\[id\]/, make: async (seller) => ({ id: await charge(seller) }), none: { id: newId() } },
  {
    path: /\/transactions\/\[reference_id\]/,
    make: async (seller) => ({ reference_id: await charge(seller) }),
    none: { reference_id: newId() },
  },
  {
    path: /\/\[plan_token\]/,
    make: async (seller) => only(await plan(seller), "reference_id", "plan_token"),
    none: { reference_id: newId(), plan_token: newId() },
  },
  {
    path: /\/subscription-plans\/order/,
    make: async (seller) => ({ reference_id: await product(seller) }),
    none: { reference_id: newId() },
    body: { tokens: [] },
  },
  {
    path: /\/products\/\[reference_id\]/,
    make: async (seller) => ({ reference_id: await product(seller) }),
    none: { reference_id: newId() },
    body: aPlan,
  },
  {
    path: /\/subscription-plans\/\[token\]\/enroll/,
    make: async (seller) => only(await plan(seller), "token"),
    none: { token: newId() },
    body: { name: "Ana Prado", email: "ana@example.com", document: "529.982.247-25" },
  },
  {
    path: /\/sandbox\/subscriptions\/\[token\]\/mandate/,
    make: async (seller) =>
      only(await enrolled(seller, await flatPlan(seller, { billing_method: "pix_automatico" })), "token"),
    none: { token: newId() },
    body: { action: "authorise" },
  },
  {
    path: /\/subscriptions\/\[token\]\/resend-charge/,
    make: async (seller) => ({ token: (await enrolled(seller, await flatPlan(seller))).token }),
    none: { token: newId() },
  },
  {
    path: /\/subscriptions\/\[token\]\/(reactivate|resume)/,
    make: async (seller) => ({ token: await paused(seller) }),
    none: { token: newId() },
  },
  {
    path: /\/subscriptions\/\[token\]\/change-plan/,
    make: async (seller) => ({ token: await anActive(seller, await flatPlan(seller)) }),
    none: { token: newId() },
    with: async (seller) => ({ new_plan_token: await flatPlan(seller, { amount: "60.00" }) }),
  },
  {
    path: /\/subscriptions\/\[token\]\/card/,
    make: async (seller) => enrolledByCard(seller, await flatPlan(seller, { billing_method: "credit_card" })),
    none: { token: newId() },
    with: async (seller) => ({ card: { token: await aToken(seller) }, device }),
  },
  {
    path: /\/subscriptions\/\[token\]/,
    make: async (seller) => ({ token: await anActive(seller, await flatPlan(seller)) }),
    none: { token: newId() },
  },
  { path: /\/clock\/advance\/\[id\]/, make: async (seller) => ({ id: await clock(seller) }), none: { id: newId() } },
  {
    path: /\/subscription-plans\/\[token\]/,
    make: async (seller) => only(await plan(seller), "token"),
    none: { token: newId() },
    body: aSplit,
  },
  {
    path: /\/payment-links\/\[token\]/,
    make: async (seller) => ({ token: await makeLink(seller) }),
    none: { token: newId() },
  },
  {
    path: /\/subscription-splits\/\[id\]\/(accept|reject)/, // the record of its recipient
    make: async (recipient) => ({ id: await split(await makeAccount(), recipient) }),
    none: { id: "2000000000" },
  },
  {
    path: /\/subscription-splits\/\[id\]/,
    make: async (seller) => ({ id: await split(seller) }),
    none: { id: "2000000000" },
  },
  { path: /\/domains\/\[id\]/, make: async (seller) => ({ id: await domain(seller) }), none: { id: newId() } },
  { path: /\/credentials\/\[id\]/, make: async (seller) => ({ id: await credential(seller) }), none: { id: newId() } },
  {
    path: /\/events\/\[event_id\]/,
    make: async (seller) => ({ event_id: await anEvent(seller) }),
    none: { event_id: newId() },
  },
  {
    path: /\/webhooks\/\[id\]\/replay/,
    make: async (seller) => ({ id: await hook(seller) }),
    none: { id: "2000000000" },
    body: { from: "2026-01-01", to: "2026-01-31" },
  },
  { path: /\/\[delivery_id\]/, make: deliver, none: { id: "2000000000", delivery_id: newId() } },
  { path: /\/webhooks\/\[id\]/, make: async (seller) => ({ id: await hook(seller) }), none: { id: "2000000000" } },
];

const only = (params: Params, ...names: string[]): Params =>
  Object.fromEntries(names.map((name) => [name, params[name] ?? ""]));

/**
 * The staff's routes are left out, because their records belong to no seller (`app/operator.test.ts`), those that only a
 * session may call (`app/people.test.ts`), and so are those of the checkout, which are for whoever has the token (`app/checkout.test.ts`).
 */
const withParams = operations.filter(
  ({ path, contract }) => path.includes("[") && !["staff", "session", "person", "none"].includes(contract.auth ?? ""),
);

/** All of an answer except what differs from request to request. */
function seen({ status, headers, text }: Answered) {
  const names = [...headers].filter(([name]) => !["x-request-id", "date", "ratelimit"].includes(name));
  return { status, text, headers: names };
}

describe("another account's record", () => {
  test.each(withParams)(
    "$method $path: answers byte for byte like a record that does not exist",
    async ({ method, path, contract }) => {
      const record = records.find((candidate) => candidate.path.test(path));
      if (!record) throw new Error(`Say above what record ${path} names`);
      const [mine, theirs] = [await makeAccount(), await makeAccount()];
      const params = await record.make(theirs);
      const more = (await record.with?.(theirs)) ?? {};
      const before = await tracesOf(theirs.accountId);
      const mineBefore = await tracesOf(mine.accountId);
      const body = method === "GET" ? {} : { body: contract.file ? pictures.png : { ...record.body, ...more } };
      const query = method === "GET" ? `?${new URLSearchParams(more as Params)}` : "";
      const ask = (token: string, names: Params) =>
        host.ask(method, fill(path, (name) => names[name] ?? "") + query, { token, ...body });

      const nobodys = seen(await ask(mine.token, record.none));
      expect(nobodys.status).toBe(404);
      expect(JSON.parse(nobodys.text)).toEqual({ message: expect.any(String) });
      expect(seen(await ask(mine.token, params))).toEqual(nobodys);
      for (const name of Object.keys(params)) {
        for (const odd of ["x", "0", "-1", "1e3", "%00", "%F0%9F%92%B8", "9".repeat(30), newId().toUpperCase()]) {
          const answer = await ask(mine.token, { ...params, [name]: odd });
          expect(answer, `${name} ${odd}`).toMatchObject({ status: 404, json: { message: expect.any(String) } });
        }
      }
      expect(await tracesOf(theirs.accountId)).toEqual(before);
      expect(await tracesOf(mine.accountId)).toEqual(mineBefore);

      const own = await ask(theirs.token, params); // its owner does get it, or this would prove nothing
      expect(own.status).toBeLessThan(300);
      const { end_to_end_id: endToEndId } = own.json as { end_to_end_id?: string };
      if (endToEndId) await completeDeposit({ provider: "simulator", endToEndId });
    },
  );

  test("that is a delivery is unknown under one's own webhook as well", async () => {
    const [mine, theirs] = [await makeAccount(), await makeAccount()];
    const [{ id = "" }, { delivery_id = "" }] = [await deliver(mine), await deliver(theirs)];
    const resend = (delivery: string) =>
      host.ask("POST", `/api/partner/v1/webhooks/${id}/deliveries/${delivery}/resend`, { token: mine.token, body: {} });
    expect(seen(await resend(delivery_id))).toEqual(seen(await resend(newId())));
  });

  test("is answered by the old API's status like one that does not exist", async () => {
    const [mine, theirs] = [await makeAccount(), await makeAccount()];
    const ask = (token: string, id: string) =>
      host.ask("GET", `/s1/getTransaction/api/getTransactionStatus.php?id_transaction=${id}`, { token });
    const id = await charge(theirs);
    const nobodys = seen(await ask(mine.token, newId()));
    expect(nobodys).toMatchObject({ status: 404, text: expect.stringContaining('"errCode":404') });
    expect(seen(await ask(mine.token, id))).toEqual(nobodys);
    expect(seen(await ask(mine.token, "x"))).toEqual(nobodys);
    expect((await ask(theirs.token, id)).status).toBe(200);
  });

  test("is in no list, whatever the search", async () => {
    const [mine, theirs] = [await makeAccount(), await makeAccount()];
    const id = await charge(theirs);
    const sale = await host.ask("GET", `/api/dashboard/v1/transactions/${id}`, { token: theirs.token });
    expect(sale.status).toBe(200);
    for (const query of ["", `?search=${id}`, `?cursor=${newId()}`, "?status=pending"]) {
      const list = await host.ask("GET", `/api/partner/v2/transactions${query}`, { token: mine.token });
      expect(list.json).toMatchObject({ data: [], meta: { total: 0 } });
    }
    for (const path of ["credentials", "webhooks"]) {
      const { text } = await host.ask("GET", `/api/partner/v1/${path}`, { token: mine.token });
      expect(text).not.toContain(theirs.clientId);
    }
  });
});

describe("a token", () => {
  const BALANCE = "/api/partner/v1/balance";

  test.each<[string, (seller: Made) => string]>([
    ["unknown", () => `Bearer ${newSecret()}`],
    ["empty", () => "Bearer "],
    ["with a letter changed", ({ token }) => `Bearer ${token.replace(/^./, (first) => (first === "a" ? "b" : "a"))}`],
    ["cut short", ({ token }) => `Bearer ${token.slice(0, -1)}`],
    ["with more after it", ({ token }) => `Bearer ${token}x`],
    ["that is its stored hash", ({ token }) => `Bearer ${sha256(token).toString("hex")}`],
    ["of 10,000 letters", () => `Bearer ${"x".repeat(10_000)}`],
    ["in another scheme", ({ token }) => `Token ${token}`],
    ["that is the client's secret", ({ clientSecret }) => `Bearer ${clientSecret}`],
    ["that is an API key, at the new API", ({ apiKey }) => `Basic ${Buffer.from(apiKey).toString("base64")}`],
    ["of SQL", () => "Bearer ' or '1'='1"],
  ])("%s: 401", async (_, authorization) => {
    const seller = await makeAccount();
    const answer = await host.ask("GET", BALANCE, { authorization: authorization(seller) });
    expect(answer).toMatchObject({ status: 401, json: { message: expect.any(String) } });
    expect(Object.keys(answer.json)).toEqual(["message"]);
  });

  test("expired: 401, byte for byte like an unknown one", async () => {
    const { token } = await makeAccount();
    expect((await host.ask("GET", BALANCE, { token })).status).toBe(200);
    const where = { hash: new Uint8Array(sha256(token)) };
    await prisma().accessToken.update({ where, data: { expiresAt: new Date(Date.now() - 1) } });
    const expired = seen(await host.ask("GET", BALANCE, { token }));
    expect(expired).toEqual(seen(await host.ask("GET", BALANCE, { token: newSecret() })));
    expect(expired.status).toBe(401);
  });

  test("of a revoked credential: 401 from the next request on, and no new one is minted", async () => {
    const seller = await makeAccount();
    const { token, clientId: client_id, clientSecret: client_secret } = seller;
    const revoked = await host.ask("DELETE", `/api/partner/v1/credentials/${client_id}`, { token });
    expect(revoked).toMatchObject({ status: 200, json: { message: expect.any(String) } });
    expect((await host.ask("GET", BALANCE, { token })).status).toBe(401);
    const basic = `Basic ${Buffer.from(seller.apiKey).toString("base64")}`;
    expect((await host.ask("GET", "/s1/getsaldo/api/", { authorization: basic })).status).toBe(401);

    const mint = (pair: object) => host.ask("POST", "/api/partner/v1/auth-token", { body: pair });
    const dead = seen(await mint({ client_id, client_secret }));
    expect(JSON.parse(dead.text)).toEqual({
      message: expect.any(String),
      error: "invalid_client",
      error_description: expect.any(String),
    });
    expect(dead.status).toBe(401);
    expect(seen(await mint({ client_id: newId(), client_secret }))).toEqual(dead);
    expect(seen(await mint({ client_id: "x", client_secret: "" }))).toEqual(dead);
    const other = await makeAccount();
    expect(seen(await mint({ client_id: other.clientId, client_secret }))).toEqual(dead);
  });

  test("that is minted while its credential is revoked never outlives it", async () => {
    const { accountId, token } = await makeAccount();
    for (let time = 0; time < 5; time += 1) {
      const made = await createCredential(await requireContext(accountId), { name: "Teste" }, call());
      const { client_id, client_secret } = made.data;
      const mint = () => host.ask("POST", "/api/partner/v1/auth-token", { body: { client_id, client_secret } });
      const first = await mint(); // at least one token there is
      const [others] = await Promise.all([
        Promise.all(Array.from({ length: 4 }, mint)),
        host.ask("DELETE", `/api/partner/v1/credentials/${client_id}`, { token }),
      ]);
      const tokens = [first, ...others].flatMap(({ json }) => (json as { access_token?: string }).access_token ?? []);
      expect(tokens.length).toBeGreaterThan(0);
      for (const minted of tokens) expect((await host.ask("GET", BALANCE, { token: minted })).status).toBe(401);
    }
  });
});
