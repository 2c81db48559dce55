import { createHash, randomBytes } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { checkOwnHome } from "./cluster.mjs";
import { codeOf } from "./faults.mjs";
import { onStop, plainError } from "./lifecycle.mjs";
import { stopPostgres } from "./postgres.mjs";
import { birthMark, isAlive } from "./processes.mjs";
import { shown } from "./settings.mjs";

/** @typedef {{ pid: number, port?: number }} Holder The living process that has a lock, and the port it serves. */
/** @typedef {{ name: string, holder?: Holder }} Lock */

const POLL_MS = 200;

/** @param {string} dataDir */
const lockFile = (dataDir) => join(dataDir, "launcher.lock");

/**
 * Locks the data folder for this process until it ends. Throws a plain error that names who holds it.
 *
 * @param {string} dataDir
 * @param {number} port
 */
export async function lockDataDir(dataDir, port) {
  const holder = tryLockDataDir(dataDir, port);
  if (!holder) return;
  const advice = "stop that one, or set DATA_DIR and PORT to others";
  throw plainError(`The data folder ${shown(dataDir)} is in use by process ${holder.pid}: ${advice}.`);
}

/**
 * Returns the holder of the data folder, or undefined when the folder is ours from now on.
 *
 * Our stop ends its PostgreSQL too, even one that a killed launcher left and that we did not adopt, and only then
 * releases the folder. Throws a plain error for a copied folder, whose PostgreSQL belongs to another folder.
 *
 * @param {string} dataDir
 * @param {number} [port]
 */
export function tryLockDataDir(dataDir, port) {
  const file = lockFile(dataDir);
  const holder = tryLock(file, port);
  if (!holder) {
    onStop(() => rmSync(file, { force: true }));
    checkOwnHome(dataDir);
    onStop(() => stopPostgres(dataDir));
  }
  return holder;
}

/**
 * The living process that holds the data folder, or undefined.
 *
 * @param {string} dataDir
 */
export function findHolder(dataDir) {
  return readLock(lockFile(dataDir))?.holder;
}

/**
 * Runs `work` while no other process does so under the same file. It waits for its turn.
 *
 * @template T
 * @param {string} file
 * @param {() => Promise<T>} work
 */
export async function oneAtATime(file, work) {
  while (tryLock(file)) await sleep(POLL_MS);
  const release = onStop(() => rmSync(file, { force: true }));
  try {
    return await work();
  } finally {
    await release();
  }
}

/**
 * Returns the living holder, or undefined when the lock is now ours. A lock appears whole, or not at all.
 *
 * To replace a dead holder's lock, a process needs a second lock, named after the dead one. Without it, the later of two
 * processes would remove the lock that the first has just made.
 *
 * @param {string} file
 * @param {number} [port]
 * @returns {Holder | undefined}
 */
function tryLock(file, port) {
  const draft = `${file}.${randomBytes(8).toString("hex")}`;
  writeFileSync(draft, JSON.stringify({ pid: process.pid, birth: birthMark(process.pid), port }), { mode: 0o600 });
  try {
    for (;;) {
      if (tryLink(draft, file)) return undefined;
      const dead = readLock(file);
      if (!dead) continue;
      if (dead.holder) return dead.holder;
      const second = `${file}.${dead.name}`;
      const rival = tryLock(second, port);
      if (rival) return rival;
      const isSame = readLock(file)?.name === dead.name;
      if (isSame) renameSync(draft, file);
      rmSync(second, { force: true });
      if (isSame) return undefined;
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * Whether the lock could be made: there was none.
 *
 * @param {string} draft
 * @param {string} file
 */
function tryLink(draft, file) {
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
    return false;
  }
}

/**
 * A lock's name, and its holder while that process lives. Undefined when there is no lock.
 *
 * @param {string} file
 * @returns {Lock | undefined}
 */
function readLock(file) {
  try {
    const text = readFileSync(file, "utf8");
    const name = createHash("sha256").update(text).digest("hex").slice(0, 16);
    return { name, holder: holderOf(text) };
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    return undefined;
  }
}

/**
 * The process that a lock's text names, if the text is readable and the process lives.
 *
 * @param {string} text
 * @returns {Holder | undefined}
 */
function holderOf(text) {
  try {
    const { pid, birth, port } = JSON.parse(text);
    return isAlive(pid) && (birth === undefined || birth === birthMark(pid)) ? { pid, port } : undefined;
  } catch {
    return undefined;
  }
}
