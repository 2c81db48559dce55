import { spawn } from "node:child_process";
import { closeSync, existsSync, fstatSync, openSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { withClient } from "./client.mjs";
import { checkOwnHome, locateCluster, prepareCluster, readState, writeState } from "./cluster.mjs";
import { sentence } from "./lifecycle.mjs";
import { isAlive, worksIn } from "./processes.mjs";
import { freePort, isPortFree, shown } from "./settings.mjs";

const DATABASE = "repasse";
const POLL_MS = 20;
/** Recovery after a crash replays at most what two checkpoints let pile up. */
const READY_WITHIN_MS = 120_000;
const STOPPED_WITHIN_MS = 60_000;
const STARTS = 5;
const BETWEEN_STARTS_MS = 500;
/** What a client hears when its server is going or gone. */
const GONE = ["ECONNREFUSED", "ECONNRESET", "57P01", "57P02", "57P03"];
const LARGEST_LOG = 10 * 1024 * 1024;

const SETTINGS = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: 100,
  shared_buffers: "256MB",
  timezone: "UTC",
  log_timezone: "UTC",
  // Statements and details of errors hold people's data, and a log file is read by more eyes than a database.
  log_min_error_statement: "panic",
  log_error_verbosity: "terse",
};

/**
 * Starts the embedded PostgreSQL of a data folder, or adopts the one that an earlier, killed launcher left running.
 *
 * Makes `database` when it is missing. Returns the owner's URL of it, and `stop()`, which ends the server in good order.
 */
export async function startPostgres(dataDir, password, database = DATABASE) {
  checkOwnHome(dataDir);
  for (let attempt = 1; ; attempt++) {
    const pid = (await adopt(dataDir)) ?? (await start(dataDir, password));
    try {
      return await enter(pid, dataDir, password, database);
    } catch (error) {
      // The server that was adopted may have been about to die.
      if (!GONE.includes(error.code) || attempt === STARTS) throw error;
      await sleep(BETWEEN_STARTS_MS);
    }
  }
}

async function enter(pid, dataDir, password, database) {
  const { data } = locateCluster(dataDir);
  const port = readPidFile(data)?.port ?? readState(dataDir).port;
  if (port !== readState(dataDir).port) writeState(dataDir, { port });
  await ensureDatabase(urlOf("postgres", port, password), database, dataDir);
  const stop = () => {
    signal(pid, "SIGINT");
    return waitForEnd(pid, data);
  };
  return { url: urlOf(database, port, password), stop };
}

/** The owner's URL of the database that another process runs, or undefined when none is ready. */
export function findPostgres(dataDir, password) {
  const running = readPidFile(locateCluster(dataDir).data);
  return running?.status === "ready" ? urlOf(DATABASE, running.port, password) : undefined;
}

/** Stops the database of a data folder if it runs, and deletes it. */
export async function destroyPostgres(dataDir) {
  const { home, data } = locateCluster(dataDir);
  const running = readPidFile(data);
  if (running && isServerOf(running, data)) {
    signal(running.pid, "SIGINT");
    await waitForEnd(running.pid, data);
  }
  rmSync(home, { recursive: true, force: true });
}

/** The process id of the cluster's living server once it is ready, or undefined when there is none. */
async function adopt(dataDir) {
  const { data } = locateCluster(dataDir);
  const running = readPidFile(data);
  if (!running) return undefined;
  if (!isServerOf(running, data)) {
    rmSync(join(data, "postmaster.pid"), { force: true });
    return undefined;
  }
  endWithUs(running.pid);
  const state = () => (isAlive(running.pid) ? readPidFile(data)?.status : "gone");
  await waitFor(() => ["ready", "gone"].includes(state()), READY_WITHIN_MS);
  return state() === "ready" ? running.pid : undefined;
}

/** A copied folder brings the note of another's server, and after a restart of the machine the id is anyone's. */
function isServerOf({ pid }, data) {
  return isAlive(pid) && worksIn(pid, data);
}

async function start(dataDir, password) {
  const cluster = prepareCluster(dataDir, password);
  for (let attempt = 1; ; attempt++) {
    const pid = await startOnce(cluster, dataDir, await choosePort(dataDir));
    if (pid) return pid;
    if (attempt === STARTS) {
      const log = join(dataDir, "postgres.log");
      throw sentence(`The embedded PostgreSQL did not start; ${shown(log)} ends so:\n${tail(log)}`);
    }
    // Another program may have been faster at the port, or children of a killed server still hold its memory.
    await sleep(BETWEEN_STARTS_MS);
  }
}

async function startOnce({ data, owner, postgres }, dataDir, port) {
  const settings = Object.entries({ ...SETTINGS, port }).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const log = openLog(join(dataDir, "postgres.log"));
  // Detached, or the terminal's Ctrl-C would end it before requests are drained.
  const options = { ...owner, cwd: "/", env: {}, detached: true, stdio: ["ignore", log, log] };
  const child = spawn(postgres, ["-D", data, ...settings], options);
  closeSync(log);
  child.unref();
  endWithUs(child.pid);
  let over = false;
  child.once("exit", () => {
    over = true;
  });
  child.once("error", () => {
    over = true;
  });
  const isReady = () => {
    const running = readPidFile(data);
    return running?.pid === child.pid && running.status === "ready";
  };
  await waitFor(() => over || isReady(), READY_WITHIN_MS);
  return over ? undefined : child.pid;
}

/** Whatever ends this process, short of SIGKILL, ends the database with it. */
function endWithUs(pid) {
  process.once("exit", () => {
    if (pid && isAlive(pid)) signal(pid, "SIGINT");
  });
}

/** The port of the last time, as long as nobody else took it. */
async function choosePort(dataDir) {
  const { port } = readState(dataDir);
  return port && (await isPortFree(port)) ? port : freePort();
}

function openLog(file) {
  const log = openSync(file, "a", 0o600);
  if (fstatSync(log).size < LARGEST_LOG) return log;
  closeSync(log);
  renameSync(file, `${file}.old`);
  return openSync(file, "a", 0o600);
}

/** What the server says of itself in postmaster.pid, or undefined when it is not running. */
function readPidFile(data) {
  try {
    const lines = readFileSync(join(data, "postmaster.pid"), "utf8").split("\n");
    return { pid: Number(lines[0]), data: lines[1], port: Number(lines[3]), status: lines[7]?.trim() };
  } catch {
    return undefined;
  }
}

async function ensureDatabase(url, database, dataDir) {
  try {
    await withClient(url, async (client) => {
      const { rowCount } = await client.query("select from pg_database where datname = $1", [database]);
      if (!rowCount) await client.query(`create database ${client.escapeIdentifier(database)}`);
    });
  } catch (error) {
    if (error.code !== "28P01") throw error;
    const secrets = shown(join(dataDir, "secrets.env"));
    throw sentence(
      `The embedded database does not know the password in ${secrets}: bring back the file it was made with.`,
    );
  }
}

/** Where nobody collects orphans the process id stays, but the server takes its note away as its last act. */
function waitForEnd(pid, data) {
  return waitFor(() => !isAlive(pid) || readPidFile(data)?.pid !== pid, STOPPED_WITHIN_MS);
}

async function waitFor(condition, withinMs) {
  const until = performance.now() + withinMs;
  while (!condition()) {
    if (performance.now() > until) throw sentence("The embedded PostgreSQL does not answer; see postgres.log.");
    await sleep(POLL_MS);
  }
}

function urlOf(database, port, password) {
  return `postgresql://postgres:${password}@127.0.0.1:${port}/${database}`;
}

function signal(pid, name) {
  try {
    process.kill(pid, name);
  } catch {
    // It is gone already.
  }
}

function tail(file) {
  return existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n").slice(-5).join("\n") : "";
}
