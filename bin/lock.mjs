import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { onStop, sentence } from "./lifecycle.mjs";
import { birthMark, isAlive } from "./processes.mjs";
import { shown } from "./settings.mjs";

const WAIT_STEP_MS = 200;
/** A lock is created empty and filled at once: one read in between sees nothing. */
const FILLING_MS = 100;

/** Takes the data folder for this process until it ends, or says who has it. */
export async function lockDataDir(dataDir, port) {
  const holder = await tryLockDataDir(dataDir, port);
  if (!holder) return;
  const advice = "stop that one, or set DATA_DIR and PORT to others";
  throw sentence(`The data folder ${shown(dataDir)} is in use by process ${holder.pid}: ${advice}.`);
}

/** The process that holds the data folder and the port it serves, or undefined: then it is ours from now on. */
export async function tryLockDataDir(dataDir, port) {
  const file = join(dataDir, "launcher.lock");
  const holder = await tryLock(file, port);
  if (!holder) onStop(() => rmSync(file, { force: true }));
  return holder;
}

/** The living process that holds the data folder, or undefined. */
export async function findHolder(dataDir) {
  const holder = await readHolder(join(dataDir, "launcher.lock"));
  return holder && isHolder(holder) ? holder : undefined;
}

/** Runs `work` while no other process does so under the same file; waits for its turn. */
export async function oneAtATime(file, work) {
  while (await tryLock(file)) await sleep(WAIT_STEP_MS);
  const release = onStop(() => rmSync(file, { force: true }));
  try {
    return await work();
  } finally {
    await release();
  }
}

/** Returns the living holder, or undefined when the lock is now ours. */
async function tryLock(file, port) {
  const mine = { pid: process.pid, birth: birthMark(process.pid), port };
  for (;;) {
    try {
      writeFileSync(file, JSON.stringify(mine), { flag: "wx", mode: 0o600 });
      return undefined;
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    }
    const holder = await readHolder(file);
    if (holder && isHolder(holder)) return holder;
    rmSync(file, { force: true });
  }
}

async function readHolder(file) {
  return readJson(file) ?? sleep(FILLING_MS).then(() => readJson(file));
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

function isHolder({ pid, birth }) {
  return isAlive(pid) && (birth === undefined || birth === birthMark(pid));
}
