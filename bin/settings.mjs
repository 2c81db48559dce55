import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { codeOf } from "./faults.mjs";
import { asUrl } from "./hosts.mjs";
import { plainError } from "./lifecycle.mjs";

/** @typedef {Record<string, string | undefined>} Env Environment variables by name. */
/** @typedef {{ port: number, bind?: string }} Place Where a server listens. */
/**
 * `directUrl` is the same database without the pooler that `databaseUrl` may name; else it is `databaseUrl`.
 *
 * @typedef {Place & { metrics?: Place, dataDir: string, databaseUrl?: string, directUrl?: string }} Settings
 */

/** The folder of package.json. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** The program behind every npm command. */
export const launcherFile = join(root, "bin/repasse.mjs");
const LOOPBACK = "127.0.0.1";

/**
 * What the launcher itself reads from the environment. lib/env.ts reads the rest.
 *
 * @param {Env} [env]
 * @returns {Settings}
 */
export function readSettings(env = process.env) {
  const port = portIn(env, "PORT") ?? 3000;
  const metricsPort = portIn(env, "METRICS_PORT");
  const metrics = metricsPort ? { port: metricsPort, bind: env.METRICS_BIND || LOOPBACK } : undefined;
  const dataDir = resolve(root, env.DATA_DIR || ".data");
  const { DATABASE_URL, DIRECT_URL } = env;
  if (DIRECT_URL && !DATABASE_URL) throw plainError("DIRECT_URL is the way past a pooler: set DATABASE_URL too.");
  const databaseUrl = DATABASE_URL ? asUrl(DATABASE_URL) : undefined;
  const directUrl = DIRECT_URL ? asUrl(DIRECT_URL) : databaseUrl;
  return { port, bind: env.BIND || undefined, metrics, dataDir, databaseUrl, directUrl };
}

/**
 * @param {Env} env
 * @param {string} name
 */
function portIn(env, name) {
  if (!env[name]) return undefined;
  const port = Number(env[name]);
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port;
  throw plainError(`${name} must be a number from 1 to 65535, not "${env[name]}".`);
}

/**
 * Where the logins of the demo's sellers are kept.
 *
 * @param {string} dataDir
 */
export const demoFile = (dataDir) => join(dataDir, "demo.json");

/**
 * A path as a person would type it from the project's folder.
 *
 * @param {string} path
 */
export function shown(path) {
  const short = relative(root, path);
  return short.startsWith("..") ? path : short;
}

/**
 * Makes the data folder, readable by its owner only. Throws a plain error when it cannot be written.
 *
 * @param {string} dataDir
 */
export function openDataDir(dataDir) {
  try {
    makeFolder(dataDir);
    const probe = join(dataDir, `.probe-${process.pid}`);
    writeFileSync(probe, "");
    rmSync(probe);
  } catch (error) {
    throw plainError(`The data folder ${dataDir} cannot be written (${codeOf(error)}): set DATA_DIR to one that can.`);
  }
}

/**
 * Makes a folder and its parents. Node's own `recursive` tries for ever where a system such as /proc allows no folders.
 *
 * @param {string} path
 */
function makeFolder(path) {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) === "EEXIST" && statSync(path).isDirectory()) return;
    if (codeOf(error) !== "ENOENT" || dirname(path) === path) throw error;
    makeFolder(dirname(path));
    mkdirSync(path, { mode: 0o700 });
  }
}

/**
 * Throws a plain error when the port is in use, or when this machine does not have the address `bind`. It is called
 * before anything slow.
 *
 * @param {Place} place
 * @param {string} [prefix] What the names of its settings begin with.
 */
export async function checkPort({ port, bind }, prefix = "") {
  for (const host of bind ? [bind] : [undefined, LOOPBACK]) {
    const code = await listenOnce(port, host);
    if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
      throw plainError(`${prefix}BIND must be an IP address of this machine, not "${bind}".`);
    if (code === "EADDRINUSE") throw plainError(`Port ${port} is in use: set ${prefix}PORT to a free one.`);
    if (code === "EACCES")
      throw plainError(`Port ${port} needs more rights than this user has: set ${prefix}PORT to 1024 or more.`);
  }
}

/**
 * A port of this machine that nothing listens on at the moment.
 *
 * @returns {Promise<number>}
 */
export function freePort() {
  return new Promise((done, fail) => {
    const server = createServer();
    server.once("error", fail);
    server.listen(0, LOOPBACK, () => {
      const port = portOf(server);
      server.close(() => done(port));
    });
  });
}

/**
 * The port that a listening server was given.
 *
 * @param {import("node:net").Server} server
 */
export function portOf(server) {
  const address = server.address();
  if (!address || typeof address === "string") throw new Error("The server does not listen on a port");
  return address.port;
}

/** @param {number} port */
export async function isPortFree(port) {
  return (await listenOnce(port, LOOPBACK)) === undefined;
}

/**
 * The error code of listening there, or undefined when it worked.
 *
 * @param {number} port
 * @param {string} [host]
 * @returns {Promise<string | undefined>}
 */
function listenOnce(port, host) {
  return new Promise((done) => {
    const server = createServer();
    server.once("error", (error) => done(codeOf(error)));
    server.listen({ port, host }, () => server.close(() => done(undefined)));
  });
}
