import { randomInt, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { parsed } from "./records.mjs";

const API = "/api/partner/v1";
const ANSWER_WITHIN_MS = 20_000;
const CLIENT = { name: "Ana Souza", cpf: "52998224725", email: "ana@example.com", phone: "11987654321" };
const BUYER = { ...CLIENT, document: { type: "cpf", number: CLIENT.cpf } };
const DEVICE = { ip: "203.0.113.7", user_agent: "chaos", page_url: "https://loja.example/" };
const CARD = { holder_name: "ANA SOUZA", expiry_month: "12", expiry_year: "2099", cvv: "123" };

/** A caller's own name of its request: letters alone, since digits could look like a card number. */
const newRef = () => Array.from({ length: 24 }, () => String.fromCharCode(97 + randomInt(26))).join("");

/** One call. `{status, text}`, or `{error}` when no whole answer came. */
export async function call(url, { method = "POST", path, token, key, body }) {
  const headers = {
    "content-type": "application/json",
    ...(token && { authorization: `Bearer ${token}` }),
    ...(key && { "idempotency-key": key }),
  };
  try {
    const response = await fetch(url + path, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    return { status: response.status, text: await response.text() };
  } catch (error) {
    return { error: error.cause?.code ?? error.name };
  }
}

/** A caller of the partner API that records what it asked for and was answered. */
export function openPartner({ url, records, token, recipient }) {
  const ask = async (intent) => records.note(intent, await call(url, intent));

  /** Repeats a request with a key until it is answered or `isOver()`. Sends one without a key once. */
  const finish = async (intent, isOver = () => false) => {
    let isAnswered = await ask(intent);
    while (intent.key && !isAnswered && !isOver()) {
      await sleep(200 + Math.random() * 400);
      isAnswered = await ask(intent);
    }
    return intent;
  };

  const begin = (what, { keyed, path, body, ...facts }) => {
    const key = keyed ? randomUUID() : undefined;
    return records.begin({ what, key, token, path, body, ...facts });
  };

  const cashIn = ({ keyed, split = false, name = CLIENT.name }) => {
    const ref = newRef();
    const amount = 100 + Math.floor(Math.random() * 20_000);
    const client = { ...CLIENT, name };
    const shares = split ? { split: [{ percentage: 1 + Math.floor(Math.random() * 60), user_id: recipient }] } : {};
    const body = { amount: amount / 100, description: ref, external_id: ref, client, ...shares };
    return begin("cash-in", { keyed, ref, amount, split, path: `${API}/cash-in`, body });
  };

  const payment = ({ keyed, of }) => {
    const path = `${API}/sandbox/pix/${saleOf(of)}/pay`;
    return begin("payment", { keyed, ref: newRef(), of: of.ref, amount: of.amount, path, body: {} });
  };

  /** Undefined when the card could not be tokenized, so that no charge was asked for. */
  const card = async ({ keyed, number, split = false }) => {
    const made = await call(url, { path: `${API}/card-tokens`, token, body: { card: { ...CARD, number } } });
    if (made.status !== 201) return undefined;
    const ref = newRef();
    const amount = 100 + Math.floor(Math.random() * 20_000);
    const order = { client: BUYER, device: DEVICE, card: { token: parsed(made.text).data.token } };
    const shares = split ? { split: [{ percentage: 20, user_id: recipient }] } : {};
    const body = { amount: amount / 100, description: ref, ...order, ...shares };
    return begin("card", { keyed, ref, amount, split, number, path: `${API}/credit-card`, body });
  };

  return { ask, finish, cashIn, payment, card };
}

/** The sale that an intent was answered with. */
export const saleOf = ({ answers }) => parsed(answers[0]?.text ?? "").identifier;

/** An access token for these credentials. Throws when none is given. */
export async function mintToken(url, { client_id, client_secret }) {
  const { status, text } = await call(url, { path: `${API}/auth-token`, body: { client_id, client_secret } });
  if (status !== 200) throw new Error(`No token was given: ${status} ${text}`);
  return parsed(text).access_token;
}

/** Registers a webhook. Returns its id and signing token. */
export async function registerWebhook(url, token, { receiver, event }) {
  const body = { title: `chaos ${event}`, url: receiver, event, trigger_all_products: true };
  const { status, text } = await call(url, { path: `${API}/webhooks`, token, body });
  if (status !== 201) throw new Error(`No webhook was registered: ${status} ${text}`);
  const { id, token: secret } = parsed(text);
  return { id, secret };
}

/** Sends a delivery again that waits for its next attempt. */
export const resend = (url, token, { webhook_id, id }) =>
  call(url, { path: `${API}/webhooks/${webhook_id}/deliveries/${id}/resend`, token });

/** A sale as the API shows it, or undefined when it does not. */
export async function readSale(url, token, id) {
  const { status, text } = await call(url, { method: "GET", path: `${API}/transaction/${id}`, token });
  return status === 200 ? parsed(text).data : undefined;
}

/** The status of a route that needs the database. */
export const readBalance = (url, token) => call(url, { method: "GET", path: `${API}/balance`, token });
