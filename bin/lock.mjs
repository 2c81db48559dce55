import { createHash, randomBytes } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { checkOwnHome } from "./cluster.mjs";
import { onStop, sentence } from "./lifecycle.mjs";
import { stopPostgres } from "./postgres.mjs";
import { birthMark, isAlive } from "./processes.mjs";
import { shown } from "./settings.mjs";

const WAIT_STEP_MS = 200;

/** Takes the data folder for this process until it ends, or says who has it. */
export async function lockDataDir(dataDir, port) {
  const holder = tryLockDataDir(dataDir, port);
  if (!holder) return;
  const advice = "stop that one, or set DATA_DIR and PORT to others";
  throw sentence(`The data folder ${shown(dataDir)} is in use by process ${holder.pid}: ${advice}.`);
}

/**
 * The process that holds the data folder and the port it serves, or undefined: then it is ours from now on.
 *
 * It is free again when nothing runs in it: what ends its holder ends its PostgreSQL too, also one that a killed launcher
 * left and we had no time to adopt. Throws a sentence for a copied folder, whose PostgreSQL is another folder's.
 */
export function tryLockDataDir(dataDir, port) {
  const file = join(dataDir, "launcher.lock");
  const holder = tryLock(file, port);
  if (!holder) {
    onStop(() => rmSync(file, { force: true }));
    checkOwnHome(dataDir);
    onStop(() => stopPostgres(dataDir));
  }
  return holder;
}

/** The living process that holds the data folder, or undefined. */
export function findHolder(dataDir) {
  return readLock(join(dataDir, "launcher.lock"))?.holder;
}

/** Runs `work` while no other process does so under the same file; waits for its turn. */
export async function oneAtATime(file, work) {
  while (tryLock(file)) await sleep(WAIT_STEP_MS);
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
 * A dead holder's lock is replaced only by who holds a second lock, named after the dead one: of two that came at once,
 * the later would otherwise take away the lock that the first has just put there.
 */
function tryLock(file, port) {
  const draft = `${file}.${randomBytes(8).toString("hex")}`;
  writeFileSync(draft, JSON.stringify({ pid: process.pid, birth: birthMark(process.pid), port }), { mode: 0o600 });
  try {
    for (;;) {
      if (linked(draft, file)) return undefined;
      const lock = readLock(file);
      if (lock?.holder) return lock.holder;
      const right = lock && `${file}.${lock.name}`;
      const rival = right && tryLock(right, port);
      if (rival) return rival;
      if (right && replaced(lock, draft, file, right)) return undefined;
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Whether `draft` took the place of the lock, which meanwhile another may have replaced; gives back the right to. */
function replaced({ name }, draft, file, right) {
  const isSame = readLock(file)?.name === name;
  if (isSame) renameSync(draft, file);
  rmSync(right, { force: true });
  return isSame;
}

function linked(draft, file) {
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    return false;
  }
}

/** A lock's own name, and its holder while that lives; undefined when there is no lock. */
function readLock(file) {
  try {
    const text = readFileSync(file, "utf8");
    const name = createHash("sha256").update(text).digest("hex").slice(0, 16);
    return { name, holder: holderOf(text) };
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
    return undefined;
  }
}

/** What is written there, if it is readable and that process lives. */
function holderOf(text) {
  try {
    const { pid, birth, port } = JSON.parse(text);
    return isAlive(pid) && (birth === undefined || birth === birthMark(pid)) ? { pid, port } : undefined;
  } catch {
    return undefined;
  }
}
