import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import { readJson } from "./files.mjs";
import { plainError } from "./lifecycle.mjs";
import { demoFile, portOf, readSettings, shown } from "./settings.mjs";

/** @typedef {{ client_id: string, client_secret: string }} Login */
/** @typedef {{ url: string, seller: Login, recipient: Login }} Logins What demo.json holds. */
/** @typedef {{ headers: import("node:http").IncomingHttpHeaders, body: string }} Delivery */
/** @typedef {Awaited<ReturnType<typeof openReceiver>>} Receiver */

const DELIVERED_WITHIN_MS = 15_000;
const AMOUNT = 19.99;
const PLAN = { name: "Demo", amount: "49.90", billing_method: "qr_code" };
/** Where a receiver of the demo listens, also one that was killed before it took its webhook away. */
const RECEIVER = /^http:\/\/127\.0\.0\.1:\d+\/hooks$/;

/**
 * Acts as a partner of the running server, over HTTP alone: token, cash-in with a split, the payer pays, the webhook
 * arrives signed, and V1, V2 and the balance agree to the cent. Throws a plain error at the first step that fails.
 */
export async function demo() {
  const { url, seller, recipient } = readLogins(readSettings().dataDir);
  const receiver = await openReceiver();
  try {
    await play({ url, seller, recipient, receiver });
  } finally {
    receiver.close();
  }
}

/** @param {Logins & { receiver: Receiver }} partner */
async function play({ url, seller, recipient, receiver }) {
  const { client_id, client_secret } = seller;
  const token = await call(url, "POST", "/api/partner/v1/auth-token", { body: { client_id, client_secret } });
  report("token", `one hour, until ${token.expires_at}`);
  /**
   * @param {string} method
   * @param {string} path
   * @param {object} [body]
   * @param {Record<string, string>} [headers]
   */
  const api = (method, path, body, headers) =>
    call(url, method, path, { body, headers: { authorization: `Bearer ${token.access_token}`, ...headers } });

  await removeLeftWebhooks(api);
  const webhook = await api("POST", "/api/partner/v1/webhooks", {
    title: "Demo",
    url: receiver.url,
    event: "transaction",
    trigger_all_products: true,
  });
  try {
    report("webhook", `${webhook.event} to ${receiver.url}`);
    const before = await api("GET", "/api/partner/v1/balance");

    const deposit = await api("POST", "/api/partner/v1/cash-in", depositFor(recipient), {
      "idempotency-key": randomUUID(),
    });
    report("cash-in", `R$ ${AMOUNT} as ${deposit.identifier}`);
    report("Pix code", `${deposit.pix_code.slice(0, 44)}…`);

    const paid = await api("POST", `/api/partner/v1/sandbox/pix/${deposit.identifier}/pay`, {});
    report("the payer pays", paid.end_to_end_id);

    const delivery = await receiver.next(
      ({ transaction }) => transaction?.reference_id === deposit.identifier && transaction.status === "completed",
    );
    await checkStandardWebhooks(delivery, webhook.secret);
    report("webhook arrives", "its signature is right by Standard Webhooks");
    checkSyncPaySignature(delivery, webhook.token);
    report("", "and by X-SyncPay-Signature");

    const v1 = (await api("GET", `/api/partner/v1/transaction/${deposit.identifier}`)).data;
    const v2 = (await api("GET", `/api/partner/v2/transactions/${deposit.identifier}`)).data.transaction;
    const after = await api("GET", "/api/partner/v1/balance");
    checkMoney({ v1, v2, event: JSON.parse(delivery.body).transaction, before, after });
    report("V1, V2, event", `agree: ${v2.amount} gross, ${v2.net_amount} net, ${v2.status}`);
    report("balance", `${before.balance} → ${after.balance}, after 30 % to the recipient`);
    await subscribe(api);
  } finally {
    await api("DELETE", `/api/partner/v1/webhooks/${webhook.id}`);
  }
  report("operator", `signs in at ${url}/operator/sign-in`);
  report("done", "every step agreed to the cent");
}

/**
 * Enrols a person in the demo's plan and pays the first charge. Throws a plain error where it does not become active.
 *
 * @param {(method: string, path: string, body?: object) => Promise<any>} api
 */
async function subscribe(api) {
  const plan = await ownPlan(api);
  const person = { name: "Zélia Prado", document: "52998224725", email: "zelia@example.com" };
  const enrolled = await api("POST", `/api/partner/v1/subscription-plans/${plan.token}/enroll`, person);
  report("enroll", `${plan.name}, R$ ${plan.amount}: ${enrolled.status}`);
  await api("POST", `/api/partner/v1/sandbox/pix/${enrolled.payment.identifier}/pay`, {});
  const until = Date.now() + DELIVERED_WITHIN_MS;
  for (;;) {
    const { data } = await api("GET", `/api/partner/v1/subscriptions/${enrolled.subscription_token}`);
    if (data.status === "active") return report("subscription", `active, next charge at ${data.next_charge_at}`);
    if (Date.now() > until) throw plainError("The paid subscription did not become active.");
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/**
 * Deletes the webhooks of demos that were killed: an account may have a few only.
 *
 * @param {(method: string, path: string, body?: object) => Promise<any>} api
 */
async function removeLeftWebhooks(api) {
  const { data } = await api("GET", "/api/partner/v1/webhooks?per_page=100");
  for (const { id, title, url } of data) {
    if (title === "Demo" && RECEIVER.test(url)) await api("DELETE", `/api/partner/v1/webhooks/${id}`);
  }
}

/**
 * The demo's plan, which it makes where an older installation or its people left none.
 *
 * @param {(method: string, path: string, body?: object) => Promise<any>} api
 */
async function ownPlan(api) {
  const { data } = await api("GET", "/api/partner/v1/subscription-plans?status=active&per_page=100&search=Demo");
  const kept = data.find((/** @type {any} */ plan) => plan.name === PLAN.name && plan.billing_method === "qr_code");
  return kept ?? (await api("POST", "/api/partner/v1/subscription-plans", PLAN)).data;
}

/** @param {Login} recipient */
const depositFor = ({ client_id }) => ({
  amount: AMOUNT,
  description: "Demo",
  client: { name: "Zélia Prado", cpf: "52998224725", email: "zelia@example.com", phone: "11987654321" },
  split: [{ percentage: 30, user_id: client_id }],
});

/**
 * @param {string} dataDir
 * @returns {Logins}
 */
function readLogins(dataDir) {
  const file = demoFile(dataDir);
  const logins = readJson(file);
  if (logins) return logins;
  throw plainError(`There is no ${shown(file)}: start the server first (npm start) with the same DATA_DIR.`);
}

/**
 * @param {string} url
 * @param {string} method
 * @param {string} path
 * @param {{ body?: object, headers?: Record<string, string> }} options
 * @returns {Promise<any>} The answer's body, whose shape depends on the route.
 */
async function call(url, method, path, { body, headers }) {
  const response = await fetch(url + path, {
    method,
    headers: { "content-type": "application/json", ...headers },
    ...(body && { body: JSON.stringify(body) }),
  }).catch(() => {
    throw plainError(`No server answers at ${url}: start it with npm start.`);
  });
  const answer = await response.json();
  if (!response.ok) throw plainError(`${method} ${path} answered ${response.status}: ${JSON.stringify(answer)}`);
  return answer;
}

/** A receiver of webhooks on a port of its own. `next` waits for a delivery whose body is wanted. */
async function openReceiver() {
  /** @type {Delivery[]} */
  const received = [];
  /** @type {((delivery: Delivery) => void)[]} */
  const waiting = [];
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    response.end("ok");
    const delivery = { headers: request.headers, body: Buffer.concat(chunks).toString() };
    received.push(delivery);
    for (const check of waiting) check(delivery);
  });
  await new Promise((/** @type {(value?: unknown) => void} */ done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${portOf(server)}/hooks`,
    close: () => server.close(),
    /**
     * @param {(body: any) => boolean} isWanted
     * @returns {Promise<Delivery>}
     */
    next: (isWanted) =>
      new Promise((done, fail) => {
        const known = received.find(({ body }) => isWanted(JSON.parse(body)));
        if (known) return done(known);
        const timeout = plainError(`No webhook came within ${DELIVERED_WITHIN_MS / 1000} s.`);
        const timer = setTimeout(() => fail(timeout), DELIVERED_WITHIN_MS);
        waiting.push((delivery) => {
          if (!isWanted(JSON.parse(delivery.body))) return;
          clearTimeout(timer);
          done(delivery);
        });
      }),
  };
}

/**
 * @param {Delivery} delivery
 * @param {string} secret
 */
async function checkStandardWebhooks({ headers, body }, secret) {
  const { Webhook } = await import("standardwebhooks");
  new Webhook(secret).verify(body, /** @type {Record<string, string>} */ (headers));
}

/**
 * HMAC-SHA256 with the token over `<t>.<raw body>`, at most 300 s old.
 *
 * @param {Delivery} delivery
 * @param {string} token
 */
function checkSyncPaySignature({ headers, body }, token) {
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers["x-syncpay-signature"])) ?? [];
  const right = createHmac("sha256", token).update(`${t}.${body}`).digest();
  const fresh = Math.abs(Date.now() / 1000 - Number(t)) <= 300;
  if (!v1 || !fresh || !timingSafeEqual(right, Buffer.from(v1, "hex")))
    throw plainError("X-SyncPay-Signature is wrong.");
}

/** @param {Record<"v1" | "v2" | "event" | "before" | "after", any>} answers */
function checkMoney({ v1, v2, event, before, after }) {
  /** @param {string | number} amount In reais. */
  const cents = (amount) => Math.round(Number(amount) * 100);
  const share = Math.round(cents(v2.net_amount) * 0.3);
  const facts = {
    "V1's status": v1.status === "completed",
    "V2's status": v2.status === "completed",
    "the event's status": event.status === "completed",
    "the amounts": [v1.amount, v2.amount, event.amount].every((amount) => amount === AMOUNT),
    "the event's net": event.net_amount === v2.net_amount,
    "the balance": cents(after.balance) - cents(before.balance) === cents(v2.net_amount) - share,
  };
  const wrong = Object.entries(facts).flatMap(([name, isRight]) => (isRight ? [] : name));
  if (wrong.length > 0) throw plainError(`Not what it should be: ${wrong.join(", ")}.`);
}

/**
 * @param {string} step
 * @param {string} text
 */
const report = (step, text) => console.log(`${step.padEnd(16)}${text}`);
