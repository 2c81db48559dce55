#!/usr/bin/env node
// node bench/chaos.mjs [--faults 150] [--minutes 30] [--topology one|many|pooled|failover] [--seed n] [--only kind,kind] [--installs 0]; README.md describes it.
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { build } from "../bin/build.mjs";
import { describe } from "../bin/faults.mjs";
import { INTERRUPTED, isStopping, plainError, stopAll, stopOnSignals } from "../bin/lifecycle.mjs";

const FIRST_PORT = 3520;
const PORTS = 11;

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

stopOnSignals(INTERRUPTED);
try {
  await build();
  // The build has installed the packages that these files need.
  const { TOPOLOGIES } = await import("./chaos/installation.mjs");
  if (!TOPOLOGIES.includes(options.topology) || ![options.faults, options.minutes].every((number) => number > 0)) {
    throw plainError(
      `Usage: node bench/chaos.mjs [--faults n] [--minutes n] [--topology ${TOPOLOGIES.join("|")}] [--seed n] [--only kinds] [--installs n]`,
    );
  }
  const { run } = await import("./chaos/run.mjs");
  const ports = Array.from({ length: PORTS }, (_, index) => FIRST_PORT + index);
  if (!(await run(options, ports))) process.exitCode = 1;
} catch (error) {
  if (!isStopping()) console.error(describe(error));
  process.exitCode = 1;
}
await stopAll();
process.exit();
