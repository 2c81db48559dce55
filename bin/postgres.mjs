import { spawn } from "node:child_process";
import { closeSync, existsSync, fstatSync, openSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { withClient } from "./client.mjs";
import { checkOwnHome, locateCluster, prepareCluster, readState, writeState } from "./cluster.mjs";
import { isAway } from "./faults.mjs";
import { onStop, sentence } from "./lifecycle.mjs";
import { clearNote, findServer, killLeftovers, readNote, stopServer, waitFor } from "./postmaster.mjs";
import { isAlive, signal } from "./processes.mjs";
import { complain } from "./say.mjs";
import { freePort, isPortFree, shown } from "./settings.mjs";

const DATABASE = "repasse";
/** Recovery after a crash replays at most what two checkpoints let pile up. */
const READY_WITHIN_MS = 120_000;
/** A server that another launcher left gets less time: when it hangs, one that we start ourselves does not. */
const ADOPTED_WITHIN_MS = 20_000;
/** How long a server that says it is ready may be in recovery, or answer nothing. */
const ANSWERS_WITHIN_MS = 20_000;
const STARTS = 5;
/** Doubled with each start that failed. */
const BETWEEN_STARTS_MS = 500;
const BETWEEN_TRIES_MS = 100;
const LOOK_EVERY_MS = 250;
/** SQLSTATEs of a `create database` that the client of a killed launcher still runs. */
const BEING_MADE = ["42P04", "23505", "55006"];
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

/** Data folder → its server: it ends with this process, and none is spawned for an entry that was taken out. */
const servers = new Map();

process.once("exit", () => {
  for (const [dataDir, { pid }] of servers) {
    const isAsked = readNote(locateCluster(dataDir).data)?.status === "stopping";
    if (pid && isAlive(pid)) signal(pid, isAsked ? "SIGQUIT" : "SIGINT");
  }
});

/**
 * Starts the embedded PostgreSQL of a data folder, or adopts the one that an earlier, killed launcher left running.
 *
 * Makes `database` when it is missing. Returns the owner's URL of it, and `stop()`. It is stopped with everything else
 * (lifecycle.mjs) from the moment it is spawned. Throws a sentence when it cannot be had.
 */
export async function startPostgres(dataDir, password, database = DATABASE) {
  checkOwnHome(dataDir);
  const server = { dataDir, password, database };
  servers.set(dataDir, server);
  const stop = onStop(() => stopPostgres(dataDir));
  server.url = await bringUp(server);
  return { url: server.url, stop };
}

/**
 * Starts PostgreSQL like startPostgres, and again on the same port whenever it ends unasked.
 *
 * When that cannot be done, `onLost` gets the error, once.
 */
export async function keepPostgres(dataDir, password, onLost) {
  const postgres = await startPostgres(dataDir, password);
  const server = servers.get(dataDir);
  const look = async () => {
    if (!isWanted(server)) return;
    try {
      if (isLost(server)) {
        complain("The embedded PostgreSQL ended; it is started again.");
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

/** The owner's URL of the database that another process runs, or undefined when none is ready. */
export function findPostgres(dataDir, password) {
  const running = findServer(locateCluster(dataDir).data);
  return running?.status === "ready" ? urlOf(DATABASE, running.port, password) : undefined;
}

/** Stops the server of a data folder, whoever started it. Nothing happens when none runs. */
export async function stopPostgres(dataDir) {
  const { data } = locateCluster(dataDir);
  const ours = servers.get(dataDir)?.pid;
  servers.delete(dataDir);
  const pids = new Set([findServer(data)?.pid, ours]);
  for (const pid of pids) if (pid && isAlive(pid)) await stopServer(pid, data);
}

/** Stops the database of a data folder if it runs, and deletes it. */
export async function destroyPostgres(dataDir) {
  await stopPostgres(dataDir);
  rmSync(locateCluster(dataDir).home, { recursive: true, force: true });
}

/** Returns the URL of a server that answers; once there was one, the next has the same. */
async function bringUp(server) {
  const { dataDir } = server;
  for (let attempt = 1; ; attempt++) {
    const isUp = (await adopt(server)) || (await start(server));
    const url = isUp ? await enter(server) : undefined;
    if (url) return url;
    if (attempt === STARTS) throw refusal(join(dataDir, "postgres.log"));
    // Another program may have been faster at the port, or children of a killed server still hold its memory.
    await sleep(BETWEEN_STARTS_MS * 2 ** (attempt - 1));
    await killLeftovers(locateCluster(dataDir).data);
  }
}

/** Whether the cluster has a living server that is ready, or gets so soon; any other is ended. */
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

/** Spawns a server. Returns whether it is ready; otherwise it has ended. */
async function start(server) {
  const { dataDir, password, url } = server;
  const { data, owner, postgres } = await prepareCluster(dataDir, password);
  await clearNote(data);
  const settings = { ...SETTINGS, port: url ? new URL(url).port : await choosePort(dataDir) };
  const args = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const log = openLog(join(dataDir, "postgres.log"));
  checkWanted(server);
  // Detached, or the terminal's Ctrl-C would end it before requests are drained.
  const options = { ...owner, cwd: "/", env: {}, detached: true, stdio: ["ignore", log, log] };
  const child = spawn(postgres, ["-D", data, ...args], options);
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
    return note?.pid === child.pid && note.status === "ready";
  };
  await waitFor(() => isOver || isReady(), READY_WITHIN_MS);
  if (isOver || isReady()) return !isOver;
  await stopServer(child.pid, data);
  return false;
}

/** Makes the database when it is missing, and returns its URL; undefined when the server went, or had to be ended. */
async function enter({ dataDir, pid, password, database }) {
  const { data } = locateCluster(dataDir);
  const until = performance.now() + ANSWERS_WITHIN_MS;
  while (isAlive(pid) && readNote(data)?.status !== "stopping" && performance.now() < until) {
    const port = readNote(data)?.port ?? readState(dataDir).port;
    if (port !== readState(dataDir).port) writeState(dataDir, { port });
    try {
      await ensureDatabase(urlOf("postgres", port, password), database, dataDir);
      return urlOf(database, port, password);
    } catch (error) {
      if (!isAway(error) && !BEING_MADE.includes(error.code)) throw error;
      await sleep(BETWEEN_TRIES_MS);
    }
  }
  if (isAlive(pid)) await stopServer(pid, data);
  return undefined;
}

const isWanted = (server) => servers.get(server.dataDir) === server;

function checkWanted(server) {
  if (!isWanted(server)) throw sentence("Interrupted.");
}

/** Whether a server is gone that nobody here stopped, or stops because others asked it to: an adopted one is no child of ours. */
function isLost({ dataDir, pid }) {
  return !isAlive(pid) || readNote(locateCluster(dataDir).data)?.status === "stopping";
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

function urlOf(database, port, password) {
  return `postgresql://postgres:${password}@127.0.0.1:${port}/${database}`;
}

function refusal(log) {
  const end = existsSync(log) ? readFileSync(log, "utf8").trimEnd().split("\n").slice(-5).join("\n") : "";
  return sentence(`The embedded PostgreSQL did not start; ${shown(log)} ends so:\n${end}`);
}
