import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { plainError } from "./lifecycle.mjs";
import { childrenOf, findWorkers, isAlive, signal, worksIn } from "./processes.mjs";

/** @typedef {{ pid?: number, port: number, status?: string }} Note What postmaster.pid holds. */

const POLL_MS = 20;
/** A shutdown in good order writes a checkpoint. During a recovery it can hang for ever (PostgreSQL 18.4). */
const FAST_WITHIN_MS = 3_000;
const IMMEDIATE_WITHIN_MS = 1_000;
const KILLED_WITHIN_MS = 2_000;
/** PostgreSQL creates postmaster.pid empty and fills it at once. */
const FILLED_WITHIN_MS = 1_000;

/**
 * The living server of a cluster as postmaster.pid describes it, or undefined when none runs.
 *
 * @param {string} data The cluster's folder.
 * @returns {(Note & { pid: number }) | undefined}
 */
export function findServer(data) {
  const note = readNote(data);
  // A copied folder brings the note of another's server, and after a restart of the machine the id is anyone's.
  const pid = note?.pid;
  return pid && isAlive(pid) && worksIn(pid, data) ? { ...note, pid } : undefined;
}

/**
 * Ends a server and all its processes in good order, or as a crash when that hangs.
 *
 * A crash loses nothing that was committed: the next start replays the log. Throws a plain error when even SIGKILL fails.
 *
 * @param {number} pid
 * @param {string} data
 */
export async function stopServer(pid, data) {
  const isGone = () => !isAlive(pid);
  signal(pid, "SIGINT");
  if (await waitFor(isGone, FAST_WITHIN_MS)) return;
  signal(pid, "SIGQUIT");
  if (await waitFor(isGone, IMMEDIATE_WITHIN_MS)) return;
  await killAll([pid, ...childrenOf(pid)]);
  await killLeftovers(data);
}

/**
 * Ends the processes of a killed server: while one lives, their shared memory keeps the next server from starting.
 *
 * @param {string} data
 */
export async function killLeftovers(data) {
  if (!findServer(data)) await killAll(findWorkers("postgres", data));
}

/**
 * Takes away a postmaster.pid over which PostgreSQL would refuse to start: an empty one, or one whose process id is
 * another program's by now. Any other file stays: PostgreSQL judges it better than we do.
 *
 * @param {string} data
 */
export async function clearNote(data) {
  const isOdd = () => {
    const note = readNote(data);
    return note !== undefined && !findServer(data) && (!note.pid || isAlive(note.pid));
  };
  if (!isOdd() || (await waitFor(() => !isOdd(), FILLED_WITHIN_MS))) return;
  if (findWorkers("postgres", data).length === 0) rmSync(join(data, "postmaster.pid"), { force: true });
}

/**
 * Resolves to whether the condition came true in time.
 *
 * @param {() => unknown} condition
 * @param {number} withinMs
 */
export async function waitFor(condition, withinMs) {
  const until = performance.now() + withinMs;
  while (!condition()) {
    if (performance.now() > until) return false;
    await sleep(POLL_MS);
  }
  return true;
}

/**
 * What postmaster.pid says, whether or not that server lives. `pid` is undefined when the file is empty.
 *
 * @param {string} data
 * @returns {Note | undefined} Undefined without the file.
 */
export function readNote(data) {
  try {
    const [pid, , , port, , , , status] = readFileSync(join(data, "postmaster.pid"), "utf8").split("\n");
    return { pid: Number(pid) || undefined, port: Number(port), status: status?.trim() };
  } catch {
    return undefined;
  }
}

/**
 * Sends SIGKILL, and resolves when all are gone. Throws a plain error when one stays.
 *
 * @param {number[]} pids
 */
export async function killAll(pids) {
  for (const pid of pids) signal(pid, "SIGKILL");
  if (await waitFor(() => !pids.some(isAlive), KILLED_WITHIN_MS)) return;
  throw plainError(`PostgreSQL cannot be ended: process ${pids.find(isAlive)} outlives SIGKILL.`);
}
