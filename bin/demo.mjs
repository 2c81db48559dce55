import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { sentence } from "./lifecycle.mjs";
import { readSettings, shown } from "./settings.mjs";

const WAIT_MS = 15_000;
const AMOUNT = 19.99;

/**
 * Plays a partner against the running server, with nothing but fetch: token, cash-in with a split, the payer pays,
 * the webhook arrives signed, and V1, V2 and the balance agree to the cent. Throws at the first step that fails.
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

async function play({ url, seller, recipient, receiver }) {
  const { client_id, client_secret } = seller;
  const token = await call(url, "POST", "/api/partner/v1/auth-token", { body: { client_id, client_secret } });
  say("token", `one hour, until ${token.expires_at}`);
  const api = (method, path, body, headers) =>
    call(url, method, path, { body, headers: { authorization: `Bearer ${token.access_token}`, ...headers } });

  const webhook = await api("POST", "/api/partner/v1/webhooks", {
    title: "Demo",
    url: receiver.url,
    event: "transaction",
    trigger_all_products: true,
  });
  try {
    say("webhook", `${webhook.event} to ${receiver.url}`);
    const before = await api("GET", "/api/partner/v1/balance");

    const charge = await api("POST", "/api/partner/v1/cash-in", chargeFor(recipient), {
      "idempotency-key": randomUUID(),
    });
    say("cash-in", `R$ ${AMOUNT} as ${charge.identifier}`);
    say("Pix code", `${charge.pix_code.slice(0, 44)}…`);

    const paid = await api("POST", `/api/partner/v1/sandbox/pix/${charge.identifier}/pay`, {});
    say("the payer pays", paid.end_to_end_id);

    const delivery = await receiver.next((body) => body.transaction.status === "completed");
    await checkStandardWebhooks(delivery, webhook.secret);
    say("webhook arrives", "its signature is right by Standard Webhooks");
    checkSyncPaySignature(delivery, webhook.token);
    say("", "and by X-SyncPay-Signature");

    const v1 = (await api("GET", `/api/partner/v1/transaction/${charge.identifier}`)).data;
    const v2 = (await api("GET", `/api/partner/v2/transactions/${charge.identifier}`)).data.transaction;
    const after = await api("GET", "/api/partner/v1/balance");
    checkMoney({ v1, v2, event: JSON.parse(delivery.body).transaction, before, after });
    say("V1, V2, event", `agree: ${v2.amount} gross, ${v2.net_amount} net, ${v2.status}`);
    say("balance", `${before.balance} → ${after.balance}, after 30 % to the recipient`);
  } finally {
    await api("DELETE", `/api/partner/v1/webhooks/${webhook.id}`);
  }
  say("done", "every step agreed to the cent");
}

const chargeFor = ({ client_id }) => ({
  amount: AMOUNT,
  description: "Demo",
  client: { name: "Zélia Prado", cpf: "52998224725", email: "zelia@example.com", phone: "11987654321" },
  split: [{ percentage: 30, user_id: client_id }],
});

function readLogins(dataDir) {
  const file = join(dataDir, "demo.json");
  if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8"));
  throw sentence(`There is no ${shown(file)}: start the server first (npm start) with the same DATA_DIR.`);
}

async function call(url, method, path, { body, headers }) {
  const response = await fetch(url + path, {
    method,
    headers: { "content-type": "application/json", ...headers },
    ...(body && { body: JSON.stringify(body) }),
  }).catch(() => {
    throw sentence(`No server answers at ${url}: start it with npm start.`);
  });
  const answer = await response.json();
  if (!response.ok) throw sentence(`${method} ${path} answered ${response.status}: ${JSON.stringify(answer)}`);
  return answer;
}

/** A receiver on a port of its own. `next` waits for a delivery that fits. */
async function openReceiver() {
  const seen = [];
  const waiting = [];
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    response.end("ok");
    const delivery = { headers: request.headers, body: Buffer.concat(chunks).toString() };
    seen.push(delivery);
    for (const look of waiting) look(delivery);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const fits = (wanted, { body }) => wanted(JSON.parse(body));
  return {
    url: `http://127.0.0.1:${server.address().port}/hooks`,
    close: () => server.close(),
    next: (wanted) =>
      new Promise((done, fail) => {
        const known = seen.find((delivery) => fits(wanted, delivery));
        if (known) return done(known);
        const late = sentence(`No webhook came within ${WAIT_MS / 1000} s.`);
        const timer = setTimeout(() => fail(late), WAIT_MS);
        waiting.push((delivery) => {
          if (!fits(wanted, delivery)) return;
          clearTimeout(timer);
          done(delivery);
        });
      }),
  };
}

async function checkStandardWebhooks({ headers, body }, secret) {
  const { Webhook } = await import("standardwebhooks");
  new Webhook(secret).verify(body, headers);
}

/** operations.md section 7: HMAC-SHA256 with the token over `<t>.<raw body>`, at most 300 s old. */
function checkSyncPaySignature({ headers, body }, token) {
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(headers["x-syncpay-signature"] ?? "") ?? [];
  const right = createHmac("sha256", token).update(`${t}.${body}`).digest();
  const fresh = Math.abs(Date.now() / 1000 - Number(t)) <= 300;
  if (!v1 || !fresh || !timingSafeEqual(right, Buffer.from(v1, "hex"))) throw sentence("X-SyncPay-Signature is wrong.");
}

function checkMoney({ v1, v2, event, before, after }) {
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
  const wrong = Object.keys(facts).filter((name) => !facts[name]);
  if (wrong.length > 0) throw sentence(`Not what it should be: ${wrong.join(", ")}.`);
}

const say = (step, text) => console.log(`${step.padEnd(16)}${text}`);
