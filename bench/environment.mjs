import { fork } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, bundle } from "../bin/build.mjs";
import { locateCluster } from "../bin/cluster.mjs";
import { onStop } from "../bin/lifecycle.mjs";
import { destroyPostgres } from "../bin/postgres.mjs";
import { findServer } from "../bin/postmaster.mjs";
import { step } from "../bin/progress.mjs";
import { findLeftFolders, makeRunFolder } from "../bin/run-folder.mjs";
import { setUp } from "../bin/serve.mjs";
import { checkPort, root } from "../bin/settings.mjs";

const FIRST_PORT = 3500;
const PORTS = 20;
const PREFIX = "repasse-bench-";
const bundles = join(root, "dist/bench");
/** What shares code with the server is bundled as the server is. */
const BUNDLED = [
  ...["fixtures.ts", "complete-deposits.ts", "balance-open.ts", "balance-peer.mjs", "cash-in-peer.mjs"],
  ...["card-tokens-peer.mjs", "rewrap-cards.ts", "open-charges.ts", "churn-cycles.ts", "due-subscriptions.ts"],
];
/** As `npm start` has it (package.json). */
const HEAP = ["--max-old-space-size=512", "--max-semi-space-size=8"];
const MALLOC = { MALLOC_ARENA_MAX: "1" };
/** No limit is reached. The log is silent, because the generator hangs up on its last requests, which is logged as a failure. */
const SETTINGS = { NODE_ENV: "production", PARTNER_LIMIT_PER_MINUTE: "1000000000", LOG_LEVEL: "silent" };

const host = join(root, "bench/host.mjs");
/** What to start for the built server, web and worker in one process. */
export const npmStart = [host, ["worker"]];
/** The same as two processes: one that serves, and one that works for it (`npm run web`, `npm run worker`). */
export async function startApart(start) {
  const web = await startWeb(start);
  return { web, worker: await startWorker(start, web) };
}
export const startWeb = (start, env) => start(host, [], env);
export const startWorker = (start, { url }, env) =>
  start(host, ["worker-only"], { APP_URL: url, SIMULATOR_URL: url, ...env });

/** The built server, a new embedded database with the program's role, and a way to start programs against them. */
export async function openEnvironment() {
  for (let port = FIRST_PORT; port < FIRST_PORT + PORTS; port++) await checkPort(port);
  await build();
  await step("Bundling the benchmarks", bundleBenchmarks);
  for (const left of findLeftFolders(PREFIX)) await clear(left).catch(() => {});
  const dataDir = makeRunFolder(PREFIX);
  onStop(() => clear(dataDir));
  Object.assign(process.env, SETTINGS);
  const { ownerUrl } = await setUp({ port: FIRST_PORT, dataDir });
  const { default: pg } = await import("pg");
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  onStop(() => owner.end());
  const fixtures = await import(pathToFileURL(bundled("fixtures")));
  onStop(fixtures.close);
  let next = FIRST_PORT;
  const port = () => next++;
  return {
    owner,
    ownerUrl,
    fixtures,
    postmaster: findServer(locateCluster(dataDir).data).pid,
    /** A port that nothing else of this run uses. */
    port,
    start: (file, args = [], env = {}) => start(file, args, { ...env, PORT: env.PORT ?? String(port()) }),
  };
}

async function clear(dataDir) {
  await destroyPostgres(dataDir);
  rmSync(dataDir, { recursive: true, force: true });
}

function bundleBenchmarks() {
  const files = BUNDLED.map((file) => `bench/${file}`);
  return bundle(files, { outdir: bundles, outExtension: { ".js": ".mjs" } });
}

/** The bundle of a file of this folder. */
export const bundled = (name) => join(bundles, `${name}.mjs`);

/** Starts a program that counts its statements. Resolves once the program listens at its port. */
async function start(file, args, settings) {
  const url = `http://127.0.0.1:${settings.PORT}`;
  const child = fork(file, args.map(String), {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    env: { ...process.env, ...MALLOC, APP_URL: url, ...settings },
    execArgv: [...HEAP, "--import", pathToFileURL(join(root, "bench/count.mjs")).href, ...profiling()],
  });
  const ended = new Promise((done) => child.once("exit", done));
  const stop = onStop(async () => {
    child.kill("SIGTERM");
    await ended;
  });
  await nextMessage(child, "ready");
  const ask = async () => {
    child.send("figures");
    return nextMessage(child, "figures");
  };
  const [rest, watch] = ["rest", "watch"].map((word) => () => child.send(word));
  return { url, ask, rest, watch, stop, kill: () => child.kill("SIGKILL") };
}

/** The next message of this kind. Rejects when the program ends before. */
function nextMessage(child, kind) {
  return new Promise((done, fail) => {
    const gone = (code) => fail(new Error(`A program under test ended with ${code}`));
    const listen = (message) => {
      if (message.kind !== kind) return;
      child.off("message", listen);
      child.off("exit", gone);
      done(message);
    };
    child.on("message", listen);
    child.once("exit", gone);
  });
}

/** BENCH_PROFILE=<folder> leaves a CPU profile of each program there. */
const profiling = () =>
  process.env.BENCH_PROFILE ? ["--cpu-prof", `--cpu-prof-dir=${process.env.BENCH_PROFILE}`] : [];
