import { expect, test } from "vitest";
import * as resendRoute from "@/app/api/partner/v1/webhooks/[id]/deliveries/[delivery_id]/resend/route";
import * as deliveriesRoute from "@/app/api/partner/v1/webhooks/[id]/deliveries/route";
import * as rotateRoute from "@/app/api/partner/v1/webhooks/[id]/rotate-secret/route";
import * as oneRoute from "@/app/api/partner/v1/webhooks/[id]/route";
import * as allRoute from "@/app/api/partner/v1/webhooks/route";
import { createCredential } from "@/lib/credentials/create";
import { mintToken } from "@/lib/credentials/mint-token";
import { newId } from "@/lib/ids";
import { type Made, makeAccount } from "@/lib/testing/make";
import {
  CreatedWebhook,
  DeliveryPage,
  RotatedSecret,
  Webhook,
  WebhookPage,
  webhookEvents,
} from "@/lib/webhooks/schema";
import {
  attemptsMade,
  deliveriesOf,
  deliverOnce,
  dispatchEvent,
  happen,
  makeSale,
  receiver,
} from "@/lib/webhooks/testing";

type Call = { body?: unknown; params?: Record<string, string>; headers?: Record<string, string>; query?: string };
type Route = (request: Request, context: { params: Promise<Record<string, string>> }) => Promise<Response>;

/** Calls a route as the host does, and reads the answer. */
async function call(
  method: string,
  route: Route,
  token: string,
  { body, params = {}, headers, query = "" }: Call = {},
) {
  const init = {
    method,
    headers: { ...(token && { authorization: `Bearer ${token}` }), "content-type": "application/json", ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
  const request = new Request(`http://localhost/api/partner/v1/webhooks${query}`, init);
  const response = await route(request, { params: Promise.resolve(params) });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: JSON.parse(text) };
}

const input = { title: "Loja", url: "http://localhost:9/hook", event: "transaction" };

async function register({ token }: Made, changes: object = {}): Promise<CreatedWebhook> {
  const { json } = await call("POST", allRoute.POST, token, { body: { ...input, ...changes } });
  return CreatedWebhook.parse(json);
}

/** A webhook with one failed delivery, at a receiver that accepts the next one. */
async function failedDelivery(seller: Made) {
  const { url, close } = await receiver({ status: 500 }, { status: 200 });
  const webhook = await register(seller, { url });
  await dispatchEvent(await happen(await makeSale(seller.accountId), "completed"));
  const [delivery] = await deliveriesOf(seller.accountId);
  const job = { accountId: seller.accountId, deliveryId: delivery?.id ?? "" };
  await deliverOnce(job);
  return { webhook, job, close, params: { id: String(webhook.id), delivery_id: job.deliveryId } };
}

test("a new webhook is answered with its secret at the root, and the secret is never shown again", async () => {
  const seller = await makeAccount();
  const created = await call("POST", allRoute.POST, seller.token, { body: { ...input, trigger_all_products: true } });

  expect(created.status).toBe(201);
  const webhook = CreatedWebhook.parse(created.json);
  expect(webhook).toMatchObject({ ...input, trigger_all_products: true, status: "active" });
  expect(webhook.token).toMatch(/^[\w-]{43}$/);
  expect(webhook.secret).toBe(`whsec_${Buffer.from(webhook.token).toString("base64")}`);

  const list = await call("GET", allRoute.GET, seller.token);
  const changed = await call("PUT", oneRoute.PUT, seller.token, { params: { id: String(webhook.id) }, body: {} });
  expect(WebhookPage.parse(list.json).data).toEqual([Webhook.parse(webhook)]);
  expect(webhook).toMatchObject({ token_prefix: webhook.token.slice(0, 4), token_last4: webhook.token.slice(-4) });
  for (const { text } of [list, changed]) {
    expect(text).not.toContain(webhook.token);
    expect(text).not.toContain("whsec_");
  }
});

test("every registration of the interface is accepted", async () => {
  const seller = await makeAccount();
  for (const event of webhookEvents) expect(await register(seller, { event })).toMatchObject({ event });
});

test("the same Idempotency-Key creates one webhook and answers the same secret, byte for byte", async () => {
  const seller = await makeAccount();
  const again = { body: input, headers: { "idempotency-key": newId() } };

  const answers = [];
  for (let time = 0; time < 3; time += 1) answers.push(await call("POST", allRoute.POST, seller.token, again));

  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
  expect(answers[2]?.headers.get("idempotency-replayed")).toBe("true");
  expect((await call("GET", allRoute.GET, seller.token)).json.meta.total).toBe(1);
});

test("a rotation is answered with the new secret at the root, the same one byte for byte under its key, and lists say until when the old one holds", async () => {
  const seller = await makeAccount();
  const { id, token } = await register(seller);
  const rotate = (key: string, body: object = {}) =>
    call("POST", rotateRoute.POST, seller.token, {
      ...{ body, params: { id: String(id) } },
      headers: { "idempotency-key": key },
    });
  const [one, again] = [await rotate("k1"), await rotate("k1")];
  expect(one.status).toBe(200);
  expect(again.text).toBe(one.text);
  expect(RotatedSecret.parse(one.json)).toMatchObject({ id, token: expect.stringMatching(/^[\w-]{43}$/) });
  expect(one.json.token).not.toBe(token);
  const { json } = await call("GET", allRoute.GET, seller.token);
  expect(json.data[0]).toMatchObject({ previous_token_expires_at: one.json.previous_token_expires_at });
  expect(Date.parse(one.json.previous_token_expires_at) - Date.now()).toBeGreaterThan(86_000_000);
  expect(JSON.stringify(json)).not.toContain(one.json.token);
  expect((await rotate("k2", { immediately: true })).json.previous_token_expires_at).toBeNull();
});

test("the fifty-first webhook is refused, also of many at once, until one is removed", async () => {
  const seller = await makeAccount();
  const { id } = await register(seller);
  for (let count = 2; count <= 48; count += 1) await register(seller);
  const answers = await Promise.all(
    [49, 50, 51, 52, 53].map(() => call("POST", allRoute.POST, seller.token, { body: input })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 422, 422, 422]);
  expect(answers.find(({ status }) => status === 422)?.json).toEqual({
    error: "webhook_limit_reached",
    message: expect.stringContaining("50"),
  });
  expect((await call("GET", allRoute.GET, seller.token)).json.meta.total).toBe(50);

  await call("DELETE", oneRoute.DELETE, seller.token, { params: { id: String(id) } });
  const again = { body: input, headers: { "idempotency-key": newId() } };
  const made = await call("POST", allRoute.POST, seller.token, again);
  expect(made.status).toBe(201);
  expect(await call("POST", allRoute.POST, seller.token, again)).toMatchObject({ status: 201, text: made.text });
  expect((await call("POST", allRoute.POST, seller.token, { body: input })).status).toBe(422);
});

test("lists page and search, newest first", async () => {
  const seller = await makeAccount();
  for (const title of ["Um", "Dois", "Três"]) await register(seller, { title });

  const page = await call("GET", allRoute.GET, seller.token, { query: "?per_page=2&page=2" });
  expect(page.json).toMatchObject({
    data: [{ title: "Um" }],
    meta: { total: 3, current_page: 2, per_page: 2, last_page: 2 },
  });
  const found = await call("GET", allRoute.GET, seller.token, { query: "?search=doi" });
  expect(found.json.data).toMatchObject([{ title: "Dois" }]);
});

test("an address of another origin gets a new secret, shown once, and all open deliveries", async () => {
  const seller = await makeAccount();
  const [before, after] = [await receiver({ status: 500 }), await receiver({ status: 200 })];
  const webhook = await register(seller, { event: "cashin", url: `${before.url}/a` });
  const params = { id: String(webhook.id) };
  const move = (url: string) => call("PUT", oneRoute.PUT, seller.token, { params, body: { url } });
  await dispatchEvent(await happen(await makeSale(seller.accountId), "completed"));
  const [delivery] = await deliveriesOf(seller.accountId);
  const job = { accountId: seller.accountId, deliveryId: delivery?.id ?? "" };
  await deliverOnce(job);

  const same = await move(`${before.url}/b`);
  expect(Object.keys(same.json)).not.toEqual(expect.arrayContaining(["token"]));
  expect(same.json).toMatchObject({ token_last4: webhook.token_last4 });
  const moved = await move(`${after.url}/a`);
  const { token, secret } = CreatedWebhook.parse(moved.json);
  expect(token).not.toBe(webhook.token);
  expect(moved.json).toMatchObject({ id: webhook.id, token_prefix: token.slice(0, 4), token_last4: token.slice(-4) });
  expect(secret).toBe(`whsec_${Buffer.from(token).toString("base64")}`);
  expect((await call("GET", allRoute.GET, seller.token)).text).not.toContain(token);

  await deliverOnce(job);
  expect(before.received.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${webhook.token}`]);
  expect(after.received.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${token}`]);
  const back = await move(`${before.url}/a`);
  expect([webhook.token, token]).not.toContain(back.json.token);
  await Promise.all([before.close(), after.close()]);
});

test("ids are numbered within an account, and none is used twice", async () => {
  const sellers = [await makeAccount(), await makeAccount(), await makeAccount()];
  const ids: number[][] = [];
  for (const seller of sellers) ids.push([(await register(seller)).id, (await register(seller)).id]);
  for (const [first = 0, second] of ids) expect(second).toBe(first + 1);
  const starts = ids.map(([first = 0]) => first).sort((one, other) => one - other);
  expect(Math.min(...starts.slice(1).map((start, at) => start - (starts[at] ?? 0)))).toBeGreaterThan(2);

  const [[, last = 0] = []] = ids;
  const [seller] = sellers;
  if (!seller) throw new Error("no account was made");
  await call("DELETE", oneRoute.DELETE, seller.token, { params: { id: String(last) } });
  expect((await register(seller)).id).toBe(last + 1);
});

test("a change keeps the members that it does not name, and a removed webhook is gone", async () => {
  const seller = await makeAccount();
  const { id } = await register(seller);
  const params = { id: String(id) };

  const changed = await call("PUT", oneRoute.PUT, seller.token, { params, body: { event: "all" } });
  expect(changed).toMatchObject({ status: 200, json: { ...input, event: "all", id } });
  const removed = await call("DELETE", oneRoute.DELETE, seller.token, { params });
  expect(removed).toMatchObject({ status: 200, json: { message: expect.any(String) } });
  expect((await call("DELETE", oneRoute.DELETE, seller.token, { params })).status).toBe(404);
  expect((await call("GET", allRoute.GET, seller.token)).json.data).toEqual([]);
});

test("removing a webhook ends its open deliveries", async () => {
  const seller = await makeAccount();
  const { params, close } = await failedDelivery(seller);
  await call("DELETE", oneRoute.DELETE, seller.token, { params });
  expect(await deliveriesOf(seller.accountId)).toMatchObject([{ status: "exhausted", nextAttemptAt: null }]);
  await close();
});

test.each([
  [{}, ["title", "url", "event"]],
  [{ ...input, title: "" }, ["title"]],
  [{ ...input, url: "example.com" }, ["url"]],
  [{ ...input, url: 7 }, ["url"]],
  [{ ...input, event: "everything" }, ["event"]],
  [{ ...input, trigger_all_products: "yes", products: [1] }, ["trigger_all_products", "products.0"]],
])("a malformed body %j is 422 at each field", async (body, fields) => {
  const { token } = await makeAccount();
  const { status, json } = await call("POST", allRoute.POST, token, { body });
  expect(status).toBe(422);
  expect(Object.keys(json.errors).sort()).toEqual([...fields].sort());
});

test.each([
  ["live", "http://localhost:9/"],
  ["live", "https://127.0.0.1/"],
  ["sandbox", "http://example.com/"],
  ["sandbox", "https://user:pass@example.com/"],
  ["sandbox", "https://169.254.169.254/latest"],
  ["sandbox", "https://[::ffff:10.0.0.1]/"],
  ["sandbox", "ftp://example.com/"],
] as const)("a %s account may not register %s, nor move a webhook there", async (mode, url) => {
  const seller = await makeAccount({ mode });
  const refusal = { status: 422, json: { error: "webhook_url_not_allowed", message: expect.any(String) } };
  expect(await call("POST", allRoute.POST, seller.token, { body: { ...input, url } })).toMatchObject(refusal);
  const { id } = await register(seller, { url: "https://8.8.8.8/" });
  const moved = await call("PUT", oneRoute.PUT, seller.token, { params: { id: String(id) }, body: { url } });
  expect(moved).toMatchObject(refusal);
  expect((await call("GET", allRoute.GET, seller.token)).json.data).toMatchObject([{ url: "https://8.8.8.8/" }]);
});

test("deliveries are listed with their attempts, and filtered", async () => {
  const seller = await makeAccount();
  const { webhook, params, job, close } = await failedDelivery(seller);

  const { status, text, json } = await call("GET", deliveriesRoute.GET, seller.token, { params });
  expect(status).toBe(200);
  expect(DeliveryPage.parse(json).data).toMatchObject([
    {
      id: job.deliveryId,
      event: "transaction.updated",
      about: { amount: expect.any(String), records: [{ subject: "transaction", id: expect.any(String) }] },
      attempt: 1,
      status: "failed",
      response_status: 500,
      error: "http_error",
      next_attempt_at: expect.any(String),
      attempts: [{ attempt: 1, request_body: expect.stringContaining("transaction.updated"), response_status: 500 }],
    },
  ]);
  expect(text).not.toContain(webhook.token);
  for (const [query, count] of Object.entries({
    "?status=failed": 1,
    "?status=delivered": 0,
    "?event=cashin.create": 0,
  })) {
    expect((await call("GET", deliveriesRoute.GET, seller.token, { params, query })).json.meta.total).toBe(count);
  }
  await close();
});

test("a resend adds an attempt, and works again after a success", async () => {
  const seller = await makeAccount();
  const { params, job, close } = await failedDelivery(seller);

  for (const attempts of [2, 3]) {
    const { status, json } = await call("POST", resendRoute.POST, seller.token, { params });
    expect({ status, json }).toMatchObject({ status: 200, json: { data: { id: job.deliveryId, status: "pending" } } });
    await deliverOnce(job);
    expect(await deliveriesOf(seller.accountId)).toMatchObject([{ status: "delivered", attempts }]);
  }
  expect((await attemptsMade(seller.accountId)).map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
  await close();
});

test("another account's webhook, a missing one and one whose id is no number are the same 404", async () => {
  const [owner, other] = [await makeAccount(), await makeAccount()];
  const { params, close } = await failedDelivery(owner);
  const ids = [params.id, "2147483647", "99999999999999999999", "0", "-1", "1e3", "abc", "%00", ""];
  const routes = [
    ["PUT", oneRoute.PUT, {}],
    ["DELETE", oneRoute.DELETE, undefined],
    ["GET", deliveriesRoute.GET, undefined],
    ["POST", resendRoute.POST, undefined],
  ] as const;
  for (const [method, route, body] of routes) {
    const answers = new Set<string>();
    for (const id of ids) {
      const { status, text } = await call(method, route, other.token, { params: { ...params, id }, body });
      answers.add(`${status} ${text}`);
    }
    expect([...answers]).toEqual([expect.stringMatching(/^404 /)]);
  }
  expect(await attemptsMade(owner.accountId)).toHaveLength(1);
  await close();
});

test("a delivery of another webhook or of another account, and a missing one, are the same 404", async () => {
  const [owner, other] = [await makeAccount(), await makeAccount()];
  const { params, job, close } = await failedDelivery(owner);
  const [second, theirs] = [await register(owner), await register(other)];
  const tries = [
    [owner, { id: String(second.id), delivery_id: job.deliveryId }],
    [other, { id: String(theirs.id), delivery_id: job.deliveryId }],
    [owner, { ...params, delivery_id: newId() }],
    [owner, { ...params, delivery_id: "7" }],
  ] as const;
  const answers = new Set<string>();
  for (const [{ token }, tried] of tries) {
    const { status, text } = await call("POST", resendRoute.POST, token, { params: tried });
    answers.add(`${status} ${text}`);
  }
  expect([...answers]).toEqual([expect.stringMatching(/^404 /)]);
  await close();
});

test("without a token 401, without the scope 403, another method 405", async () => {
  const seller = await makeAccount();
  expect((await call("GET", allRoute.GET, "")).status).toBe(401);
  expect((await call("POST", allRoute.POST, "nonsense", { body: input })).status).toBe(401);

  const made = await createCredential(
    seller.account,
    { name: "Leitura", scopes: ["webhooks:read"] },
    { idem: undefined, requestId: newId() },
  );
  const { client_id, client_secret } = made.data;
  const { access_token: reader } = await mintToken({ client_id, client_secret, ip: "127.0.0.1" });
  expect((await call("GET", allRoute.GET, reader)).status).toBe(200);
  const refused = await call("POST", allRoute.POST, reader, { body: input });
  expect(refused).toMatchObject({ status: 403, json: { error: "insufficient_scope" } });

  const method = await call("PATCH", allRoute.PATCH, seller.token);
  expect(method.status).toBe(405);
  expect(method.headers.get("allow")).toBe("GET, POST");
});
