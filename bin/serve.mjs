import { connect } from "node:net";
import { pathToFileURL } from "node:url";
import { build, devServerFile, prepareDev, serverFile, workerFile } from "./build.mjs";
import { readState, writeState } from "./cluster.mjs";
import { parseUrl, prepareDatabase } from "./database.mjs";
import { codeOf, messageOf } from "./faults.mjs";
import { readJson, replaceFile } from "./files.mjs";
import { giveUp, onStop, plainError } from "./lifecycle.mjs";
import { lockDataDir } from "./lock.mjs";
import { keepPostgres } from "./postgres.mjs";
import { seconds } from "./progress.mjs";
import { readOrMakeSecrets, requireSecrets, serverSecrets } from "./secrets.mjs";
import { checkPort, demoFile, openDataDir, readSettings, root, shown } from "./settings.mjs";

/** @import { Env, Settings } from "./settings.mjs" */
/** @typedef {typeof import("../server")} Server The module that is bundled as server.mjs. */
/** @typedef {("web" | "worker")[]} Roles */
/** @typedef {Awaited<ReturnType<Server["run"]>>["demo"]} Demo */

const REACH_WITHIN_MS = 5_000;

/**
 * Brings up everything the given roles need, then runs them until a signal comes.
 *
 * @param {Roles} roles
 * @param {{ dev?: boolean }} [options] `dev` builds pages when they are asked for.
 */
export async function serve(roles, { dev = false } = {}) {
  const startedAt = performance.now();
  const settings = readSettings();
  const embedded = !settings.databaseUrl;
  if (embedded && roles.length === 1) throw plainError(`Set DATABASE_URL: the ${roles[0]} alone shares a database.`);
  await checkSurroundings(settings, roles);
  await (dev ? prepareDev() : build());
  if (!roles.includes("web")) findSimulator(process.env);
  const { seed } = await setUp(settings);
  Object.assign(process.env, { NODE_ENV: dev ? "development" : "production" });
  const worker = roles.includes("worker");
  if (!roles.includes("web")) {
    const { run } = await import(pathToFileURL(workerFile).href);
    onStop((await run()).stop);
    return console.log("The worker is running");
  }
  /** @type {Server} */
  const server = await import(pathToFileURL(dev ? devServerFile : serverFile).href);
  const { url, demo, stop } = await server.run({ port: settings.port, worker, seed, dev });
  onStop(stop);
  keepDemo(settings.dataDir, url, demo);
  if (embedded && seed) writeState(settings.dataDir, { seeded: true });
  announce({ url, demo, dataDir: settings.dataDir, tookMs: performance.now() - startedAt });
}

/**
 * Throws at once, before anything slow, what would stop us later.
 *
 * @param {Settings} settings
 * @param {Roles} roles
 */
async function checkSurroundings({ port, bind, metrics, dataDir, databaseUrl, directUrl = databaseUrl }, roles) {
  if (roles.includes("web")) await checkPort({ port, bind });
  if (metrics) await checkPort(metrics, "METRICS_");
  openDataDir(dataDir);
  if (!databaseUrl) return lockDataDir(dataDir, port);
  requireSecrets(process.env);
  await checkReachable(databaseUrl, "DATABASE_URL");
  if (directUrl && directUrl !== databaseUrl) await checkReachable(directUrl, "DIRECT_URL");
}

/**
 * Starts or finds the database, brings it up to date, and puts into the environment what the server reads there.
 *
 * It deletes the owner's address from the environment: the server never has more rights than the program's role.
 *
 * @param {Settings} settings
 */
export async function setUp({ port, dataDir, databaseUrl, directUrl }) {
  const { ownerUrl, secrets } = directUrl ? ownDatabase(directUrl) : await embeddedDatabase(dataDir);
  const programUrl = await prepareDatabase(ownerUrl, secrets.SESSION_SECRET);
  Object.assign(process.env, serverSecrets(secrets), { DATABASE_PROGRAM_URL: programUrl });
  if (databaseUrl && directUrl !== databaseUrl) {
    Object.assign(process.env, { DATABASE_PROGRAM_URL: at(databaseUrl, programUrl), DIRECT_PROGRAM_URL: programUrl });
  }
  Object.assign(process.env, { PORT: String(port), DATA_DIR: dataDir, NEXT_TELEMETRY_DISABLED: "1" });
  delete process.env.DATABASE_URL;
  delete process.env.DIRECT_URL;
  process.chdir(root);
  const seed = wantsDemo({ dataDir, databaseUrl });
  return { ownerUrl, programUrl, seed };
}

/**
 * The simulated PSP answers where the web is. A process that does not listen finds it at the address of all.
 *
 * @param {Env} env
 */
export function findSimulator(env) {
  if (!env.SIMULATOR_URL && env.APP_URL) env.SIMULATOR_URL = env.APP_URL;
}

/**
 * The program's URL by the hosts, and the name of the database, of a pooler.
 *
 * @param {string} poolerUrl
 * @param {string} programUrl
 */
function at(poolerUrl, programUrl) {
  const { username, password } = new URL(programUrl);
  return Object.assign(new URL(poolerUrl), { username, password }).href;
}

/**
 * Whether the demo's people are seeded. A server with an APP_URL may be reached by others, so it gets logins only on request.
 *
 * @param {{ dataDir: string, databaseUrl?: string }} settings
 * @param {Env} [env]
 */
export function wantsDemo({ dataDir, databaseUrl }, { SEED_DEMO, APP_URL } = process.env) {
  return SEED_DEMO === "1" || (!databaseUrl && !APP_URL && !readState(dataDir).seeded);
}

/**
 * The operator's own database. Its secrets come from the environment alone.
 *
 * @param {string} ownerUrl
 */
function ownDatabase(ownerUrl) {
  const secrets = process.env;
  requireSecrets(secrets);
  return { ownerUrl, secrets };
}

/** @param {string} dataDir */
async function embeddedDatabase(dataDir) {
  const secrets = readOrMakeSecrets(dataDir);
  const postgres = await keepPostgres(dataDir, secrets.POSTGRES_PASSWORD, giveUp);
  return { ownerUrl: postgres.url, secrets };
}

/**
 * Tries a socket of each host alone, because the packages that log in may not be installed yet.
 *
 * @param {string} url
 * @param {string} name The setting's.
 */
async function checkReachable(url, name) {
  const { server, hosts } = parseUrl(url, name);
  if (hosts.length === 0) return;
  await Promise.any(hosts.map(reach)).catch(({ errors }) => {
    throw plainError(`PostgreSQL at ${server} (${name}) cannot be reached: ${messageOf(errors[0])}.`);
  });
}

/**
 * @param {{ host: string, port: number }} server
 * @returns {Promise<void>}
 */
function reach({ host, port }) {
  return new Promise((done, fail) => {
    const socket = connect({ host, port });
    /** @param {string | undefined} reason */
    const refuse = (reason) => {
      socket.destroy();
      fail(new Error(reason));
    };
    socket.setTimeout(REACH_WITHIN_MS, () => refuse("no answer"));
    socket.once("error", (error) => refuse(codeOf(error)));
    socket.once("connect", () => {
      socket.destroy();
      done();
    });
  });
}

/**
 * Keeps the demo sellers' logins in DATA_DIR/demo.json, and updates its address when the port changes.
 *
 * @param {string} dataDir
 * @param {string} url
 * @param {Demo} demo Undefined unless it was seeded just now.
 */
function keepDemo(dataDir, url, demo) {
  const file = demoFile(dataDir);
  const kept = demo ?? readJson(file);
  if (!kept) return;
  const { url: before, ...logins } = kept;
  if (before !== url) replaceFile(file, `${JSON.stringify({ url, ...logins }, null, 2)}\n`);
}

/** @param {{ url: string, demo: Demo, dataDir: string, tookMs: number }} started */
function announce({ url, demo, dataDir, tookMs }) {
  const file = demoFile(dataDir);
  console.log(`Repasse is open at ${url} (${seconds(tookMs)})`);
  if (demo) {
    const { email, password, client_id, client_secret } = demo.seller;
    console.log(`
  sign in         ${email}
  password        ${password}
  client id       ${client_id}
  client secret   ${client_secret}
  operator        ${demo.operator.email} at ${url}/operator/sign-in
  password        ${demo.operator.password}
  all logins      ${shown(file)}
  try next        npm run demo
`);
  } else if (readJson(file)) {
    console.log(`The demo sellers' logins are in ${shown(file)}.`);
  }
}
