#!/usr/bin/env node
// Every command of package.json. Only what Node itself brings is imported until the packages are installed.
const OLDEST_NODE = [20, 19];
/** What shells report for a program that Ctrl-C ended. */
const INTERRUPTED = 130;

/** These stay until a signal comes. */
const services = {
  start: async () => (await import("./serve.mjs")).serve(["web", "worker"]),
  dev: async () => (await import("./serve.mjs")).serve(["web", "worker"], { dev: true }),
  web: async () => (await import("./serve.mjs")).serve(["web"]),
  worker: async () => (await import("./serve.mjs")).serve(["worker"]),
};

/** These end by themselves. */
const tasks = {
  build: async () => (await import("./build.mjs")).build({ force: true }),
  generate: async () => (await import("./build.mjs")).generate({ force: true }),
  test: async (args) => (await import("./test.mjs")).test(args),
  demo: async () => (await import("./demo.mjs")).demo(),
  reconcile: async () => (await import("./tasks.mjs")).reconcile(),
  rewrap: async () => (await import("./tasks.mjs")).rewrap(),
  "create-operator": async () => (await import("./tasks.mjs")).createOperator(),
  catalogue: async () => (await import("./tasks.mjs")).catalogue(),
  prisma: async (args) => (await import("./tasks.mjs")).prisma(args),
};

const commands = { ...services, ...tasks };
const [name = "start", ...args] = process.argv.slice(2);

if (!isNodeNewEnough()) {
  refuse(`Repasse needs Node.js ${OLDEST_NODE.join(".")} or newer; this is ${process.version}.`);
} else if (!Object.hasOwn(commands, name)) {
  refuse(`There is no command "${name}"; there are ${Object.keys(commands).join(", ")}.`);
} else {
  await run();
}

async function run() {
  const { describe } = await import("./faults.mjs");
  const { isStopping, stopAll, stopOnSignals } = await import("./lifecycle.mjs");
  const isTask = Object.hasOwn(tasks, name);
  stopOnSignals(isTask ? INTERRUPTED : 0);
  try {
    await commands[name](args);
    if (!isTask) return;
  } catch (error) {
    if (isStopping()) return;
    refuse(describe(error));
  }
  await stopAll();
  process.exit();
}

function isNodeNewEnough() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  return major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
}

function refuse(text) {
  console.error(text);
  process.exitCode = 1;
}
