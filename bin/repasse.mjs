#!/usr/bin/env node
// Every command of package.json. Until the packages are installed, only Node's own modules are imported.
/** @typedef {(args: string[]) => Promise<unknown>} Command */

const OLDEST_NODE = { major: 20, minor: 19 };

/**
 * These run until a signal comes.
 *
 * @type {Record<string, Command>}
 */
const services = {
  start: async () => (await import("./serve.mjs")).serve(["web", "worker"]),
  dev: async () => (await import("./serve.mjs")).serve(["web", "worker"], { dev: true }),
  web: async () => (await import("./serve.mjs")).serve(["web"]),
  worker: async () => (await import("./serve.mjs")).serve(["worker"]),
};

/**
 * These end by themselves.
 *
 * @type {Record<string, Command>}
 */
const tasks = {
  build: async () => (await import("./build.mjs")).build({ force: true }),
  generate: async () => (await import("./build.mjs")).generate({ force: true }),
  test: async (args) => (await import("./test.mjs")).test(args),
  demo: async () => (await import("./demo.mjs")).demo(),
  backup: async (args) => (await import("./backup.mjs")).backup(args),
  restore: async (args) => (await import("./backup.mjs")).restore(args),
  reconcile: async () => (await import("./tasks.mjs")).reconcile(),
  "verify-audit": async (args) => (await import("./tasks.mjs")).verifyAudit(args),
  "rebuild-rollups": async () => (await import("./tasks.mjs")).rebuildRollups(),
  rewrap: async () => (await import("./tasks.mjs")).rewrap(),
  "create-operator": async () => (await import("./tasks.mjs")).createOperator(),
  catalogue: async () => (await import("./tasks.mjs")).catalogue(),
  prisma: async (args) => (await import("./tasks.mjs")).prisma(args),
};

const commands = { ...services, ...tasks };
const [name = "start", ...args] = process.argv.slice(2);
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;

if (!isNodeNewEnough()) {
  refuse(`Repasse needs Node.js ${OLDEST_NODE.major}.${OLDEST_NODE.minor} or newer; this is ${process.version}.`);
} else if (!command) {
  refuse(`There is no command "${name}"; there are ${Object.keys(commands).join(", ")}.`);
} else {
  await run(command);
}

/** @param {Command} command */
async function run(command) {
  const { describe } = await import("./faults.mjs");
  const { INTERRUPTED, isStopping, stopAll, stopOnSignals } = await import("./lifecycle.mjs");
  const isTask = Object.hasOwn(tasks, name);
  stopOnSignals(isTask ? INTERRUPTED : 0);
  try {
    await command(args);
    if (!isTask) return;
  } catch (error) {
    if (isStopping()) return;
    refuse(describe(error));
  }
  await stopAll();
  process.exit();
}

function isNodeNewEnough() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  return major > OLDEST_NODE.major || (major === OLDEST_NODE.major && minor >= OLDEST_NODE.minor);
}

/** @param {string} text */
function refuse(text) {
  console.error(text);
  process.exitCode = 1;
}
