import { randomBytes } from "node:crypto";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { root } from "../bin/settings.mjs";
import { median, table } from "./figures.mjs";

const SAMPLES = 2_000;
const WARM_UP = 300;
const PATH = "/api/public/v1/card-tokens";
const SHOP = "https://loja.example";
const BODY = JSON.stringify({
  card: { number: "4111111111111111", holder_name: "ANA", expiry_month: "12", expiry_year: "2039", cvv: "123" },
});

/**
 * How long each cause of the public route's one 403 takes: one call after the other over one connection, all causes
 * in each round in a new order, every call from an address of its own through one trusted proxy.
 */
export async function refusalTiming(environment) {
  const { url, stop } = await environment.start(join(root, "bench/host.mjs"), [], { TRUSTED_PROXIES: "1" });
  const causes = await makeCauses(environment, url);
  const names = Object.keys(causes);
  const times = Object.fromEntries(names.map((name) => [name, []]));
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const seen = new Set();
  for (let round = -WARM_UP; round < SAMPLES; round++) {
    for (const name of shuffled(names)) {
      const { ms, answer } = await call(url, agent, causes[name]);
      seen.add(answer);
      if (round >= 0) times[name].push(ms);
    }
  }
  agent.destroy();
  await stop();
  if (seen.size !== 1 || ![...seen][0].startsWith("403 ")) throw new Error(`Void: ${[...seen].join(" / ")}`);
  return print(times);
}

/** The headers of each cause, each of a shop of its own. The first cause is there twice, to show the noise. */
async function makeCauses({ fixtures, owner }, ours) {
  const shop = async (overrides, change) => {
    const { key, accountId } = await fixtures.makeShop(overrides);
    if (change) await owner.query(change, [accountId]);
    return key;
  };
  const call = (key, origin) => ({ "x-public-key": key, ...(origin && { origin }) });
  return {
    "origin not listed": call(await shop(), "https://other.example"),
    "the same of another shop": call(await shop(), "https://other.example"),
    "no Origin": call(await shop()),
    "no registered domain": call(await shop({}, "delete from card_domains where account_id = $1"), SHOP),
    "account without the feature": call(await shop({ features: [] }), SHOP),
    "suspended account": call(await shop({}, "update accounts set status = 'suspended' where id = $1"), SHOP),
    "our origin without page token": call(await shop(), ours),
  };
}

/** Returns the time from the first byte sent to the last byte read, and what must be the same in all answers. */
function call(url, agent, headers) {
  const from = [10, ...randomBytes(3)].join(".");
  const sent = {
    "content-type": "application/json",
    "content-length": BODY.length,
    "x-forwarded-for": from,
    ...headers,
  };
  return new Promise((done, fail) => {
    const started = performance.now();
    const asked = request(url + PATH, { method: "POST", agent, headers: sent }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (data) => {
        text += data;
      });
      response.on("end", () => {
        const ms = performance.now() - started;
        done({ ms, answer: `${response.statusCode} ${Object.keys(response.headers)} ${text}` });
      });
    });
    asked.on("error", fail);
    asked.end(BODY);
  });
}

function shuffled(names) {
  const drawn = names.map((name) => ({ name, at: Math.random() }));
  return drawn.sort((one, other) => one.at - other.at).map(({ name }) => name);
}

function print(times) {
  const medians = Object.values(times).map(median);
  table([
    ["ms", "median", "p10", "p90"],
    ...Object.entries(times).map(([name, values]) => [
      name,
      ...[0.5, 0.1, 0.9].map((part) => values.toSorted((a, b) => a - b)[Math.floor(part * values.length)].toFixed(3)),
    ]),
  ]);
  return [
    {
      what: "largest difference between the medians of two causes, ms",
      value: Math.max(...medians) - Math.min(...medians),
      atMost: 0.3,
      digits: 3,
    },
  ];
}
