import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { sentence } from "./lifecycle.mjs";

/** The folder of package.json. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** What the launcher itself reads from the environment; lib/env.ts reads the rest. */
export function readSettings(env = process.env) {
  const port = Number(env.PORT || 3000);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw sentence(`PORT must be a number from 1 to 65535, not "${env.PORT}".`);
  }
  const dataDir = resolve(root, env.DATA_DIR || ".data");
  return { port, bind: env.BIND || undefined, dataDir, databaseUrl: env.DATABASE_URL || undefined };
}

/** A path as a person would type it from the project's folder. */
export function shown(path) {
  const short = relative(root, path);
  return short.startsWith("..") ? path : short;
}

/** Makes the data folder, readable by its owner only, and proves that it can be written. */
export function openDataDir(dataDir) {
  try {
    makeFolder(dataDir);
    const probe = join(dataDir, `.probe-${process.pid}`);
    writeFileSync(probe, "");
    rmSync(probe);
  } catch (error) {
    throw sentence(`The data folder ${dataDir} cannot be written (${error.code}): set DATA_DIR to one that can.`);
  }
}

/** With `recursive`, Node tries for ever where a system such as /proc has no room for folders. */
function makeFolder(path) {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (error.code === "EEXIST" && statSync(path).isDirectory()) return;
    if (error.code !== "ENOENT" || dirname(path) === path) throw error;
    makeFolder(dirname(path));
    mkdirSync(path, { mode: 0o700 });
  }
}

/** Refuses a port that something else listens on, or an address to listen on that is none of ours, before anything slow is done for nothing. */
export async function checkPort(port, bind) {
  for (const host of bind ? [bind] : [undefined, "127.0.0.1"]) {
    const code = await listenOnce(port, host);
    if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
      throw sentence(`BIND must be an IP address of this machine, not "${bind}".`);
    if (code === "EADDRINUSE") throw sentence(`Port ${port} is in use: set PORT to a free one.`);
    if (code === "EACCES")
      throw sentence(`Port ${port} needs more rights than this user has: set PORT to 1024 or more.`);
  }
}

/** A port of this machine that nothing listens on at the moment. */
export function freePort() {
  return new Promise((done, fail) => {
    const server = createServer();
    server.once("error", fail);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}

export async function isPortFree(port) {
  return (await listenOnce(port, "127.0.0.1")) === undefined;
}

/** The error code of listening there, or undefined when it worked. */
function listenOnce(port, host) {
  return new Promise((done) => {
    const server = createServer();
    server.once("error", ({ code }) => done(code));
    server.listen({ port, host }, () => server.close(() => done(undefined)));
  });
}
