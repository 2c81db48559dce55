#!/usr/bin/env node
// node bench/chaos.mjs [--faults 150] [--minutes 30] [--topology one|many] [--seed n] [--only kind,kind] [--installs 0]; README.md says what it does.
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { build } from "../bin/build.mjs";
import { isStopping, sentence, stopAll, stopOnSignals } from "../bin/lifecycle.mjs";

const FIRST_PORT = 3520;
const PORTS = 7;

const { values } = parseArgs({
  options: {
    faults: { type: "string", default: "150" },
    minutes: { type: "string", default: "30" },
    topology: { type: "string", default: "one" },
    seed: { type: "string", default: String(randomInt(1_000_000)) },
    only: { type: "string", default: "" },
    installs: { type: "string", default: "0" },
  },
});
const options = {
  faults: Number(values.faults),
  minutes: Number(values.minutes),
  topology: values.topology,
  seed: Number(values.seed),
  installs: Number(values.installs),
  only: values.only.split(",").filter(Boolean),
};

stopOnSignals(130);
try {
  if (!["one", "many"].includes(options.topology) || ![options.faults, options.minutes].every((number) => number > 0)) {
    throw sentence(
      "Usage: node bench/chaos.mjs [--faults n] [--minutes n] [--topology one|many] [--seed n] [--only kinds] [--installs n]",
    );
  }
  await build();
  // Only now are the packages surely there.
  const { run } = await import("./chaos/run.mjs");
  const ports = Array.from({ length: PORTS }, (_, index) => FIRST_PORT + index);
  if (!(await run(options, ports))) process.exitCode = 1;
} catch (error) {
  if (!isStopping()) console.error(error.plain ? error.message : error.stack);
  process.exitCode = 1;
}
await stopAll();
process.exit();
