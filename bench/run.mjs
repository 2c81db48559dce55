#!/usr/bin/env node
// node bench/run.mjs <name>|all [--seconds n] [--rounds n] [--rows n] [--minutes n]; README.md describes what each compares.
import { parseArgs } from "node:util";
import { INTERRUPTED, stopAll, stopOnSignals } from "../bin/lifecycle.mjs";
import { verdict } from "./figures.mjs";

const benchmarks = {
  "cash-in": async () => (await import("./cash-in.mjs")).cashIn,
  balance: async () => (await import("./balance.mjs")).balance,
  "hot-account": async () => (await import("./hot-account.mjs")).hotAccount,
  "card-tokens": async () => (await import("./card-tokens.mjs")).cardTokens,
  "refusal-timing": async () => (await import("./refusal-timing.mjs")).refusalTiming,
  lists: async () => (await import("./lists.mjs")).lists,
  catalogue: async () => (await import("./catalogue.mjs")).catalogue,
  rewrap: async () => (await import("./rewrap.mjs")).rewrap,
  "whole-cycle": async () => (await import("./whole-cycle.mjs")).wholeCycle,
  "whole-cycle-psp": async () => (await import("./whole-cycle-psp.mjs")).wholeCyclePsp,
  backlog: async () => (await import("./backlog.mjs")).backlog,
  churn: async () => (await import("./churn.mjs")).churn,
  storm: async () => (await import("./storm.mjs")).storm,
  billing: async () => (await import("./billing.mjs")).billing,
  subscriptions: async () => (await import("./subscriptions.mjs")).subscriptions,
  statement: async () => (await import("./statement.mjs")).statement,
  webhooks: async () => (await import("./webhooks.mjs")).webhooks,
  "webhooks-killed": async () => (await import("./webhooks-killed.mjs")).webhooksKilled,
  "webhooks-attack": async () => (await import("./webhooks-attack.mjs")).webhooksAttack,
  "webhooks-replay": async () => (await import("./webhooks-replay.mjs")).webhooksReplay,
  unread: async () => (await import("./unread.mjs")).unread,
};

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: "string", default: "10" },
    rounds: { type: "string", default: "5" },
    rows: { type: "string" },
    minutes: { type: "string" },
  },
});
const [name = "all"] = positionals;
const chosen = name === "all" ? Object.keys(benchmarks) : [name];
const options = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Number(value)]));

stopOnSignals(INTERRUPTED);
try {
  const isKnown = chosen.every((one) => Object.hasOwn(benchmarks, one));
  if (!isKnown || !Object.values(options).every((number) => number > 0)) {
    const names = Object.keys(benchmarks).join("|");
    throw new Error(`Usage: node bench/run.mjs ${names}|all [--seconds n] [--rounds n] [--rows n] [--minutes n]`);
  }
  const { openEnvironment } = await import("./environment.mjs");
  const environment = await openEnvironment();
  console.log(`\nLoad comes in ${options.rounds} rounds of ${options.seconds} s`);
  for (const benchmark of chosen) {
    const bench = await benchmarks[benchmark]();
    console.log(`\n${benchmark}:`);
    for (const line of verdict(await bench(environment, options))) console.log(line);
  }
} catch (error) {
  console.error(error.stack);
  process.exitCode = 1;
}
await stopAll();
process.exit();
