import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { withClient } from "./client.mjs";
import { prepareDatabase } from "./database.mjs";
import { onStop, plainError } from "./lifecycle.mjs";
import { findHolder } from "./lock.mjs";
import { destroyPostgres, findPostgres, startPostgres } from "./postgres.mjs";
import { programUrl } from "./roles.mjs";
import { findLeftFolders, makeRunFolder, TEST_PREFIX } from "./run-folder.mjs";
import { readOrMakeSecrets, serverSecrets } from "./secrets.mjs";
import { demoFile, freePort, launcherFile, root } from "./settings.mjs";

/** @import { ChildProcess } from "node:child_process" */
/** @import { Secrets } from "./secrets.mjs" */
/** @import { Env } from "./settings.mjs" */
/** @typedef {{ folder: string, screenshots: string }} WorkFolder */
/** @typedef {Record<string, string>} TestEnv */
/** @typedef {{ lastLines: () => string, stop: () => Promise<void> }} TestServer */

/** What the launcher prints last, once the server answers and demo.json is written. */
const OPEN = "Repasse is open";
const LIB_DATABASE = "repasse_test_lib";
const POLL_MS = 50;
const SERVER_READY_WITHIN_MS = 120_000;
const SERVER_STOPPED_WITHIN_MS = 40_000;
const CLEARED_WITHIN_MS = 30_000;
const LAST_LINES = 60;
/** Variables of a developer's shell that must not reach the tests, which have a database and secrets of their own. */
const NOT_INHERITED =
  /^(DATABASE_|SESSION_SECRET$|VAULT_KEYS$|CARD_|SIMULATOR_|CIELO_|APP_URL$|PORT$|BIND$|TRUSTED_PROXIES$|DATA_DIR$|SEED_DEMO$|NODE_ENV$)/;

/** @type {Promise<WorkFolder> | undefined} */
let workFolder;

/** A folder for this run, outside the project. It is deleted at the end. Screenshots are kept beside it. */
export async function openWorkFolder() {
  workFolder ??= makeWorkFolder();
  return workFolder;
}

async function makeWorkFolder() {
  for (const left of findLeftFolders(TEST_PREFIX)) await clear(left).catch(() => {});
  const folder = makeRunFolder(TEST_PREFIX);
  onStop(() => clear(folder), CLEARED_WITHIN_MS);
  return { folder, screenshots: join(tmpdir(), `repasse-screenshots-${process.pid}`) };
}

/**
 * Ends what runs in the data folders of a run, and deletes the run's folder.
 *
 * @param {string} folder
 */
async function clear(folder) {
  const dataDirs = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const { name } of dataDirs) {
    const orphan = findHolder(join(folder, name));
    if (orphan) process.kill(orphan.pid, "SIGKILL");
    await destroyPostgres(join(folder, name));
  }
  rmSync(folder, { recursive: true, force: true });
}

/**
 * A new database with the program's role, for the lib tests.
 *
 * @param {WorkFolder} work
 * @returns {Promise<TestEnv>} The environment of the tests.
 */
export async function openLibDatabase({ folder }) {
  const dataDir = join(folder, "lib");
  mkdirSync(dataDir, { mode: 0o700 });
  const secrets = readOrMakeSecrets(dataDir, {});
  const postgres = await startPostgres(dataDir, secrets.POSTGRES_PASSWORD, LIB_DATABASE);
  await spareDisk(postgres.url);
  await prepareDatabase(postgres.url, secrets.SESSION_SECRET);
  const env = testEnv({ dataDir, secrets, ownerUrl: postgres.url, port: await freePort() });
  return { ...env, NODE_ENV: "test" };
}

/**
 * Starts the built server with a new, seeded database.
 *
 * @param {WorkFolder} work
 * @returns {Promise<TestServer & { env: TestEnv }>} `env` is the environment of the e2e tests.
 */
export async function openServer({ folder }) {
  const dataDir = join(folder, "e2e");
  mkdirSync(dataDir, { mode: 0o700 });
  const port = await freePort();
  const logFile = join(folder, "e2e.log");
  const server = await spawnServer("start", logFile, {
    ...inherited(),
    PORT: String(port),
    DATA_DIR: dataDir,
    SIGN_UP_LIMIT_PER_MINUTE: "1000", // every browser of the tests has the same address
  });
  const secrets = readOrMakeSecrets(dataDir, {});
  const ownerUrl = findPostgres(dataDir, secrets.POSTGRES_PASSWORD);
  if (!ownerUrl) throw new Error("The server answers, and its database does not run");
  await spareDisk(ownerUrl);
  const env = testEnv({ dataDir, secrets, ownerUrl, port });
  return { ...server, env: { ...env, DEMO_JSON: demoFile(dataDir), SERVER_LOG: logFile } };
}

/**
 * A database of tests does not wait for its disk: it survives the death of any process, and the machine's ends the tests.
 *
 * @param {string} ownerUrl
 */
function spareDisk(ownerUrl) {
  return withClient(ownerUrl, async (client) => {
    await client.query("alter system set fsync = off");
    await client.query("select pg_reload_conf()");
  });
}

/**
 * Starts a server over the database of the lib tests, because the simulated rail is asked over HTTP.
 *
 * @param {WorkFolder} work
 * @param {TestEnv} env Of the lib tests.
 */
export function openRail({ folder }, env) {
  return spawnServer("web", join(folder, "lib.log"), { ...env, DATABASE_URL: env.DATABASE_OWNER_URL });
}

/**
 * Starts the launcher as a person would. Resolves when the launcher prints that it is open.
 *
 * @param {string} command
 * @param {string} logFile
 * @param {Env} env
 * @returns {Promise<TestServer>}
 */
async function spawnServer(command, logFile, env) {
  const log = openSync(logFile, "a");
  const child = spawn(process.execPath, [launcherFile, command], {
    cwd: root,
    env: /** @type {NodeJS.ProcessEnv} */ (env),
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  const ended = new Promise((done) => child.once("exit", (code, signal) => done(code ?? signal)));
  const stop = onStop(() => stopServer(child, ended), SERVER_STOPPED_WITHIN_MS + POLL_MS);
  const lastLines = () => readFileSync(logFile, "utf8").split("\n").slice(-LAST_LINES).join("\n");
  const until = performance.now() + SERVER_READY_WITHIN_MS;
  while (!readFileSync(logFile, "utf8").includes(OPEN)) {
    if (child.exitCode !== null || child.signalCode !== null) throw plainError(`The server ended:\n${lastLines()}`);
    if (performance.now() > until) throw plainError(`The server did not get ready:\n${lastLines()}`);
    await sleep(POLL_MS);
  }
  return { lastLines, stop };
}

/**
 * @param {ChildProcess} child
 * @param {Promise<unknown>} ended
 */
async function stopServer(child, ended) {
  child.kill("SIGTERM");
  const code = await Promise.race([ended, sleep(SERVER_STOPPED_WITHIN_MS, "timeout", { ref: false })]);
  if (code === 0) return;
  child.kill("SIGKILL");
  throw plainError(`The server did not stop in good order (${code}).`);
}

/**
 * @param {{ dataDir: string, secrets: Secrets, ownerUrl: string, port: number }} place
 * @returns {TestEnv}
 */
function testEnv({ dataDir, secrets, ownerUrl, port }) {
  return {
    ...inherited(),
    ...serverSecrets(secrets),
    DATABASE_OWNER_URL: ownerUrl,
    DATABASE_PROGRAM_URL: programUrl(ownerUrl, secrets.SESSION_SECRET),
    APP_URL: `http://localhost:${port}`,
    PORT: String(port),
    DATA_DIR: dataDir,
  };
}

/** @returns {TestEnv} */
function inherited() {
  const entries = Object.entries(process.env).filter(([name]) => !NOT_INHERITED.test(name));
  return /** @type {TestEnv} */ (Object.fromEntries(entries));
}
