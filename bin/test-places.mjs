import { spawn } from "node:child_process";
import { closeSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { prepareDatabase } from "./database.mjs";
import { onStop, sentence } from "./lifecycle.mjs";
import { findHolder } from "./lock.mjs";
import { destroyPostgres, findPostgres, startPostgres } from "./postgres.mjs";
import { isAlive } from "./processes.mjs";
import { programUrl } from "./roles.mjs";
import { readOrMakeSecrets, serverSecrets } from "./secrets.mjs";
import { freePort, root } from "./settings.mjs";

/** What the launcher prints last, once the server answers and demo.json is written. */
const OPEN = "Repasse is open";
const PREFIX = "repasse-test-";
const LIB_DATABASE = "repasse_test_lib";
const POLL_MS = 50;
const SERVER_READY_WITHIN_MS = 120_000;
const SERVER_STOPPED_WITHIN_MS = 40_000;
const CLEARED_WITHIN_MS = 30_000;
const LAST_LINES = 60;
/** What a developer's shell may hold must not reach the tests: they have a database and secrets of their own. */
const NOT_INHERITED =
  /^(DATABASE_|SESSION_SECRET$|VAULT_KEYS$|CARD_|SIMULATOR_|CIELO_|APP_URL$|PORT$|BIND$|TRUSTED_PROXIES$|DATA_DIR$|SEED_DEMO$|NODE_ENV$)/;

let place;

/** A folder for this run, outside the project and gone after it; pictures are kept beside it. */
export async function openWorkFolder() {
  place ??= makeWorkFolder();
  return place;
}

async function makeWorkFolder() {
  await clearLeftovers();
  const folder = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
  onStop(() => clear(folder), CLEARED_WITHIN_MS);
  return { folder, screenshots: join(tmpdir(), `repasse-screenshots-${process.pid}`) };
}

/** A run that was killed could not clear up: the next one does it. */
async function clearLeftovers() {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(PREFIX))) {
    const pid = Number(name.slice(PREFIX.length).split("-")[0]);
    if (!isAlive(pid)) await clear(join(tmpdir(), name)).catch(() => {});
  }
}

async function clear(folder) {
  const places = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const { name } of places) {
    const orphan = findHolder(join(folder, name));
    if (orphan) process.kill(orphan.pid, "SIGKILL");
    await destroyPostgres(join(folder, name));
  }
  rmSync(folder, { recursive: true, force: true });
}

/** A new database with the program's role, for the lib tests. Returns their environment. */
export async function openLibDatabase({ folder }) {
  const dataDir = join(folder, "lib");
  mkdirSync(dataDir, { mode: 0o700 });
  const secrets = readOrMakeSecrets(dataDir, {});
  const postgres = await startPostgres(dataDir, secrets.POSTGRES_PASSWORD, LIB_DATABASE);
  return testEnv({ dataDir, secrets, ownerUrl: postgres.url, port: await freePort(), nodeEnv: "test", migrate: true });
}

/** The built server with a new, seeded database. Returns the e2e tests' environment, and how to stop it. */
export async function openServer({ folder }) {
  const dataDir = join(folder, "e2e");
  mkdirSync(dataDir, { mode: 0o700 });
  const port = await freePort();
  const logFile = join(folder, "e2e.log");
  const server = await spawnServer("start", logFile, {
    ...inherited(),
    PORT: String(port),
    DATA_DIR: dataDir,
  });
  const secrets = readOrMakeSecrets(dataDir, {});
  const ownerUrl = findPostgres(dataDir, secrets.POSTGRES_PASSWORD);
  const env = await testEnv({ dataDir, secrets, ownerUrl, port });
  return { ...server, env: { ...env, DEMO_JSON: join(dataDir, "demo.json"), SERVER_LOG: logFile } };
}

/** A server over the database of the lib tests, which left none: the simulated rail is asked over HTTP. */
export function openRail({ folder }, env) {
  return spawnServer("web", join(folder, "lib.log"), { ...env, DATABASE_URL: env.DATABASE_OWNER_URL });
}

/** Starts the launcher as a person would, and resolves when it says that it is open. */
async function spawnServer(command, logFile, env) {
  const log = openSync(logFile, "a");
  const args = [join(root, "bin/repasse.mjs"), command];
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ["ignore", log, log] });
  closeSync(log);
  const ended = new Promise((done) => child.once("exit", (code, signal) => done(code ?? signal)));
  const stop = onStop(() => stopServer(child, ended), SERVER_STOPPED_WITHIN_MS + POLL_MS);
  const lastWords = () => readFileSync(logFile, "utf8").split("\n").slice(-LAST_LINES).join("\n");
  const until = performance.now() + SERVER_READY_WITHIN_MS;
  while (!readFileSync(logFile, "utf8").includes(OPEN)) {
    if (child.exitCode !== null || child.signalCode !== null) throw sentence(`The server ended:\n${lastWords()}`);
    if (performance.now() > until) throw sentence(`The server did not get ready:\n${lastWords()}`);
    await sleep(POLL_MS);
  }
  return { lastWords, stop };
}

async function stopServer(child, ended) {
  child.kill("SIGTERM");
  const code = await Promise.race([ended, sleep(SERVER_STOPPED_WITHIN_MS, "timeout", { ref: false })]);
  if (code === 0) return;
  child.kill("SIGKILL");
  throw sentence(`The server did not stop in good order (${code}).`);
}

async function testEnv({ dataDir, secrets, ownerUrl, port, nodeEnv, migrate }) {
  const { SESSION_SECRET } = secrets;
  const program = migrate ? await prepareDatabase(ownerUrl, SESSION_SECRET) : programUrl(ownerUrl, SESSION_SECRET);
  return {
    ...inherited(),
    ...(nodeEnv ? { NODE_ENV: nodeEnv } : {}),
    ...serverSecrets(secrets),
    DATABASE_OWNER_URL: ownerUrl,
    DATABASE_PROGRAM_URL: program,
    APP_URL: `http://localhost:${port}`,
    PORT: String(port),
    DATA_DIR: dataDir,
  };
}

function inherited() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !NOT_INHERITED.test(name)));
}
