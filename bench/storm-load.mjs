// A thread of the storm benchmark: senders and a person who reloads pages, all of one account, until it is asked to stop.
import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { generateCpf } from "@brazilian-utils/brazilian-utils";
import { Agent, request } from "undici";

const SENDERS = 50;
const RELOADS_PER_SECOND = 10;
/** A browser has so many connections to a server, of one person with a few windows. */
const RELOADING = 18;
const API = "/api/partner/v1";
const PAGES = [
  "/api/dashboard/v1/overview",
  "/api/partner/v2/transactions",
  "/api/partner/v2/transactions?status=completed",
];
/** An account that asks too much may be answered so. */
const REFUSED = new Set([429, 503]);

const { url, token } = workerData;
const dispatcher = new Agent({ connect: { timeout: 60_000 } });
const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
const counts = {};
const count = (name) => {
  counts[name] = (counts[name] ?? 0) + 1;
};
let isOver = false;

/** The answer's JSON, or undefined when the server refused to answer. */
async function ask(name, path, body) {
  const sent = body === undefined ? { method: "GET" } : { method: "POST", body: JSON.stringify(body) };
  const { statusCode, body: answer } = await request(url + path, { ...sent, headers, dispatcher });
  const text = await answer.text();
  const isGood = statusCode >= 200 && statusCode < 300;
  if (!isGood && !REFUSED.has(statusCode)) throw new Error(`Void: ${path} answered ${statusCode} ${text}`);
  count(isGood ? name : `${name} ${statusCode}`);
  return isGood ? JSON.parse(text) : undefined;
}

async function payOne() {
  const sale = await ask("cash-in", `${API}/cash-in`, { amount: 129.9 });
  if (sale) await ask("payment", `${API}/sandbox/pix/${sale.identifier}/pay`, {});
}

/** Charges of one card, buyer or address would wait for each other, so each charge has its own. */
async function chargeOne() {
  const card = { number: someNumber(), holder_name: "ANA", expiry_month: "12", expiry_year: "2099", cvv: "123" };
  const made = await ask("card token", `${API}/card-tokens`, { card });
  if (!made) return;
  const buyer = {
    name: "Ana",
    email: "a@b.co",
    phone: "11987654321",
    document: { type: "cpf", number: generateCpf() },
  };
  const device = { ip: [10, randomInt(256), randomInt(256), randomInt(256)].join("."), user_agent: "bench" };
  await ask("charge", `${API}/credit-card`, {
    ...{ amount: 100, card: { token: made.data.token }, client: buyer },
    device: { ...device, page_url: "https://loja.example/" },
  });
}

/** A number whose check digit is right. */
function someNumber() {
  const digits = `411111${String(randomInt(1e9)).padStart(9, "0")}`;
  const sum = [...digits].reduce((total, digit, at) => {
    const doubled = Number(digit) * (at % 2 === 0 ? 2 : 1);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return digits + ((10 - (sum % 10)) % 10);
}

async function send() {
  while (!isOver) {
    await payOne();
    await chargeOne();
  }
}

/** Reloads every page at its pace, except while as many as a browser has connections are not answered. */
async function reload() {
  let waiting = 0;
  const failed = [];
  while (!isOver) {
    for (const page of PAGES) {
      if (waiting >= RELOADING) continue;
      waiting += 1;
      ask("page", page)
        .catch((error) => failed.push(error))
        .finally(() => (waiting -= 1));
    }
    if (failed.length > 0) throw failed[0];
    await sleep(1000 / RELOADS_PER_SECOND);
  }
}

const startedAt = performance.now();
parentPort.once("message", () => {
  isOver = true;
});
await Promise.all([...Array.from({ length: SENDERS }, send), reload()]);
parentPort.postMessage({ seconds: (performance.now() - startedAt) / 1000, counts });
await dispatcher.destroy();
