import { spawn } from "node:child_process";
import { closeSync, existsSync, fstatSync, openSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ensureDatabase, withClient } from "./client.mjs";
import { checkOwnHome, locateCluster, prepareCluster, readState, writeState } from "./cluster.mjs";
import { codeOf, isAway } from "./faults.mjs";
import { interrupted, onStop, plainError } from "./lifecycle.mjs";
import { clearNote, findServer, killLeftovers, readNote, stopServer, waitFor } from "./postmaster.mjs";
import { isAlive, signal } from "./processes.mjs";
import { printError } from "./progress.mjs";
import { secretsFile } from "./secrets.mjs";
import { freePort, isPortFree, shown } from "./settings.mjs";

/**
 * A server that we started or adopted. `url` is known once it answered; a restart keeps it.
 *
 * @typedef {{ dataDir: string, password: string, database: string, pid?: number, url?: string }} Server
 */

/** The database of an installation. */
export const DATABASE = "repasse";
/** Recovery after a crash replays at most what two checkpoints let pile up. */
const READY_WITHIN_MS = 120_000;
/** A server that another launcher left gets less time: when it hangs, we start our own. */
const ADOPTED_WITHIN_MS = 20_000;
/** How long a server whose note says ready may be in recovery, or not answer. */
const ANSWERS_WITHIN_MS = 20_000;
const START_LIMIT = 5;
/** Doubled with each failed start. */
const BETWEEN_STARTS_MS = 500;
const POLL_MS = 100;
const LOOK_EVERY_MS = 250;
/** SQLSTATEs of a `create database` that the client of a killed launcher still runs. */
const BEING_MADE = ["42P04", "23505", "55006"];
const LOG_LIMIT_BYTES = 10 * 1024 * 1024;

const SETTINGS = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: 100,
  shared_buffers: "256MB",
  max_wal_size: "4GB", // a night of billing 100,000 subscriptions writes 1 GB, and each checkpoint on the way costs it whole pages
  timezone: "UTC",
  log_timezone: "UTC",
  // Statements and details of errors hold people's data, and more people read a log file than a database.
  log_min_error_statement: "panic",
  log_error_verbosity: "terse",
};

/**
 * Data folder → its server. A server ends with this process, and none is spawned without its entry here.
 *
 * @type {Map<string, Server>}
 */
const servers = new Map();

process.once("exit", () => {
  for (const [dataDir, { pid }] of servers) {
    const isStopping = readNote(locateCluster(dataDir).data)?.status === "stopping";
    if (pid && isAlive(pid)) signal(pid, isStopping ? "SIGQUIT" : "SIGINT");
  }
});

/** @param {string} dataDir */
const logFile = (dataDir) => join(dataDir, "postgres.log");

/**
 * Starts the embedded PostgreSQL of a data folder, or adopts the one that an earlier, killed launcher left running.
 *
 * Our stop (lifecycle.mjs) ends the server from the moment it is spawned. Throws a plain error when none can be started.
 *
 * @param {string} dataDir
 * @param {string} password The owner's.
 * @param {string} [database] It is made when it is missing.
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>} The owner's URL of the database.
 */
export async function startPostgres(dataDir, password, database = DATABASE) {
  checkOwnHome(dataDir);
  /** @type {Server} */
  const server = { dataDir, password, database };
  servers.set(dataDir, server);
  const stop = onStop(() => stopPostgres(dataDir));
  const url = await bringUp(server);
  server.url = url;
  return { url, stop };
}

/**
 * Starts PostgreSQL like startPostgres, and starts it again on the same port whenever it ends without our asking.
 *
 * @param {string} dataDir
 * @param {string} password
 * @param {(error: unknown) => void} onLost Gets the error, once, when a restart failed.
 */
export async function keepPostgres(dataDir, password, onLost) {
  const postgres = await startPostgres(dataDir, password);
  const server = servers.get(dataDir);
  const look = async () => {
    if (!server || !isWanted(server)) return;
    try {
      if (isLost(server)) {
        printError("The embedded PostgreSQL ended; it is started again.");
        await bringUp(server);
      }
      setTimeout(look, LOOK_EVERY_MS).unref();
    } catch (error) {
      if (isWanted(server)) onLost(error);
    }
  };
  setTimeout(look, LOOK_EVERY_MS).unref();
  return postgres;
}

/**
 * The owner's URL of the database that another process runs, or undefined when none is ready.
 *
 * @param {string} dataDir
 * @param {string} password
 */
export function findPostgres(dataDir, password) {
  const running = findServer(locateCluster(dataDir).data);
  return running?.status === "ready" ? urlOf(DATABASE, running.port, password) : undefined;
}

/**
 * Stops the server of a data folder, whoever started it. Nothing happens when none runs.
 *
 * @param {string} dataDir
 */
export async function stopPostgres(dataDir) {
  const { data } = locateCluster(dataDir);
  const ours = servers.get(dataDir)?.pid;
  servers.delete(dataDir);
  const pids = new Set([findServer(data)?.pid, ours]);
  for (const pid of pids) if (pid && isAlive(pid)) await stopServer(pid, data);
}

/**
 * Stops the database of a data folder if it runs, and deletes it.
 *
 * @param {string} dataDir
 */
export async function destroyPostgres(dataDir) {
  await stopPostgres(dataDir);
  rmSync(locateCluster(dataDir).home, { recursive: true, force: true });
}

/**
 * Returns the URL of a server that answers. A restarted server keeps its URL.
 *
 * @param {Server} server
 * @returns {Promise<string>}
 */
async function bringUp(server) {
  const { dataDir } = server;
  for (let attempt = 1; ; attempt++) {
    const isUp = (await adopt(server)) || (await start(server));
    const url = isUp ? await enter(server) : undefined;
    if (url) return url;
    if (attempt === START_LIMIT) throw startError(logFile(dataDir));
    // Another program may have taken the port meanwhile, or children of a killed server still hold its memory.
    await sleep(BETWEEN_STARTS_MS * 2 ** (attempt - 1));
    await killLeftovers(locateCluster(dataDir).data);
  }
}

/**
 * Whether the cluster has a living server that is ready now or soon. Any other server is ended.
 *
 * @param {Server} server
 */
async function adopt(server) {
  const { data } = locateCluster(server.dataDir);
  const running = findServer(data);
  if (!running) return false;
  checkWanted(server);
  server.pid = running.pid;
  const status = () => (isAlive(running.pid) ? readNote(data)?.status : undefined);
  await waitFor(() => status() !== "starting", ADOPTED_WITHIN_MS);
  if (status() === "ready") return true;
  await stopServer(running.pid, data);
  return false;
}

/**
 * Spawns a server. Returns whether it is ready. Otherwise it has ended.
 *
 * @param {Server} server
 * @returns {Promise<boolean>}
 */
async function start(server) {
  const { dataDir, password, url } = server;
  const { data, owner, postgres } = await prepareCluster(dataDir, password);
  await clearNote(data);
  const settings = { ...SETTINGS, port: url ? new URL(url).port : await choosePort(dataDir) };
  const args = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const log = openLog(logFile(dataDir));
  checkWanted(server);
  const child = spawn(postgres, ["-D", data, ...args], {
    ...owner,
    cwd: "/",
    env: /** @type {NodeJS.ProcessEnv} */ ({}),
    detached: true, // or the terminal's Ctrl-C would end it before requests are drained
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  child.unref();
  server.pid = child.pid;
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  child.once("exit", end).once("error", end);
  const isReady = () => {
    const note = readNote(data);
    return note !== undefined && note.pid === child.pid && note.status === "ready";
  };
  await waitFor(() => isOver || isReady(), READY_WITHIN_MS);
  if (isOver || isReady()) return !isOver;
  if (child.pid) await stopServer(child.pid, data);
  return false;
}

/**
 * Makes the database when it is missing.
 *
 * @param {Server} server
 * @returns {Promise<string | undefined>} Its URL, or undefined when the server ended or had to be ended.
 */
async function enter({ dataDir, pid, password, database }) {
  const { data } = locateCluster(dataDir);
  const until = performance.now() + ANSWERS_WITHIN_MS;
  while (pid && isAlive(pid) && readNote(data)?.status !== "stopping" && performance.now() < until) {
    const port = readNote(data)?.port ?? readState(dataDir).port;
    if (!port) throw new Error("A server runs on no known port");
    if (port !== readState(dataDir).port) writeState(dataDir, { port });
    try {
      await withClient(urlOf("postgres", port, password), (client) => ensureDatabase(client, database));
      return urlOf(database, port, password);
    } catch (error) {
      const code = codeOf(error) ?? "";
      if (code === "28P01") throw passwordError(dataDir);
      if (!isAway(error) && !BEING_MADE.includes(code)) throw error;
      await sleep(POLL_MS);
    }
  }
  if (pid && isAlive(pid)) await stopServer(pid, data);
  return undefined;
}

/** @param {Server} server */
const isWanted = (server) => servers.get(server.dataDir) === server;

/** @param {Server} server */
function checkWanted(server) {
  if (!isWanted(server)) throw interrupted();
}

/**
 * Whether a server ended, or stops, without our asking. An adopted server is no child of ours, so no event reports it.
 *
 * @param {Server} server
 */
function isLost({ dataDir, pid }) {
  return !pid || !isAlive(pid) || readNote(locateCluster(dataDir).data)?.status === "stopping";
}

/**
 * The port of the last start, unless another program took it.
 *
 * @param {string} dataDir
 */
async function choosePort(dataDir) {
  const { port } = readState(dataDir);
  return port && (await isPortFree(port)) ? port : freePort();
}

/** @param {string} file */
function openLog(file) {
  const log = openSync(file, "a", 0o600);
  if (fstatSync(log).size < LOG_LIMIT_BYTES) return log;
  closeSync(log);
  renameSync(file, `${file}.old`);
  return openSync(file, "a", 0o600);
}

/**
 * @param {string} database
 * @param {number} port
 * @param {string} password
 */
export function urlOf(database, port, password) {
  return `postgresql://postgres:${password}@127.0.0.1:${port}/${database}`;
}

/** @param {string} dataDir */
function passwordError(dataDir) {
  const file = shown(secretsFile(dataDir));
  return plainError(
    `The embedded database does not know the password in ${file}: bring back the file it was made with.`,
  );
}

/** @param {string} log */
function startError(log) {
  const end = existsSync(log) ? readFileSync(log, "utf8").trimEnd().split("\n").slice(-5).join("\n") : "";
  return plainError(`The embedded PostgreSQL did not start; the end of ${shown(log)}:\n${end}`);
}
