import { setTimeout as sleep } from "node:timers/promises";
import { saleOf } from "./partner.mjs";

const SENDERS = 6;
const THINK_MS = [80, 400];
const APPROVED = "4111111111111111";
/** Approved at once, refused, approved after 3 s, approved without an answer, refused without an answer. */
const NUMBERS = [
  ...Array(7).fill(APPROVED),
  "4000000000000002",
  "4000000000009995",
  "4000000000000101",
  "4000000000000119",
  "4000000000000259",
];
const chance = (part) => Math.random() < part;
const anyOf = (list) => list[Math.floor(Math.random() * list.length)];

/**
 * Callers that ask for deposits, pay them, charge cards and repeat requests, until `stop()`. Four in five requests have
 * an Idempotency-Key. A request without one is never sent again, even when it is not answered.
 */
export function startSenders(partner, records) {
  let isOver = false;
  const over = () => isOver;

  const deposit = async () => {
    const sale = partner.cashIn({ keyed: chance(0.75), split: chance(0.3) });
    // Sometimes an impatient caller sends the same request twice at once.
    if (sale.key && chance(0.15)) await Promise.all([partner.finish(sale, over), partner.ask(sale)]);
    else await partner.finish(sale, over);
    if (!saleOf(sale) || chance(0.25)) return;
    await think();
    const payment = partner.payment({ keyed: chance(0.75), of: sale });
    await partner.finish(payment, over);
  };

  const charge = async () => {
    const intent = await partner.card({ keyed: chance(0.85), number: anyOf(NUMBERS), split: chance(0.2) });
    if (!intent) return;
    if (intent.key && chance(0.15)) await Promise.all([partner.finish(intent, over), partner.ask(intent)]);
    else await partner.finish(intent, over);
  };

  const repeat = async () => {
    const answered = records.intents.filter(({ key, open }) => key && !open);
    if (answered.length > 0) await partner.ask(anyOf(answered.slice(-200)));
  };

  const think = () => sleep(THINK_MS[0] + Math.random() * (THINK_MS[1] - THINK_MS[0]));
  const senders = Array.from({ length: SENDERS }, async () => {
    while (!isOver) {
      const share = Math.random();
      await (share < 0.6 ? deposit() : share < 0.88 ? charge() : repeat());
      await think();
    }
  });
  return {
    stop() {
      isOver = true;
      return Promise.all(senders);
    },
  };
}

/** Runs `work` for each item, `atOnce` at a time. */
export async function eachOf(items, atOnce, work) {
  const queue = [...items];
  const lane = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}
