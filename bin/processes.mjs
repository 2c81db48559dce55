import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { codeOf } from "./faults.mjs";
import { onStop, plainError } from "./lifecycle.mjs";
import { root } from "./settings.mjs";

/** @import { ChildProcess, SpawnOptions } from "node:child_process" */
/** @import { Env } from "./settings.mjs" */

/**
 * How to run a program: the options of `spawn`, and
 * - `onOutput` gets what the program prints, which otherwise goes to our own output,
 * - `isRecorded` lets endLeftProgram() find the program after we were killed. One at a time is recorded.
 *
 * @typedef {Omit<SpawnOptions, "env" | "stdio" | "detached"> & {
 *   env?: Env, isRecorded?: boolean, onOutput?: (text: string) => unknown }} RunOptions
 */

/** Enough of a failed program's output to see why. */
const SHOWN_LINES = 60;
/** Names the recorded program, which writes files of this folder. */
const recordFile = join(root, "dist/program.json");
/** How long a child has after SIGTERM. */
const ENDED_WITHIN_MS = 2_000;
/** Field 22 of /proc/<pid>/stat, counted from the state. */
const STARTED_AT = 19;

/** @param {number} pid */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
  // Where nobody collects orphans, as in many containers, a dead process keeps its id.
  return !/^[ZX]/.test(statFields(pid));
}

/**
 * A mark that differs between a process and a later one with the same id, or undefined where the system has none.
 *
 * A data folder outlives a restart of the machine, and then any program may have the old id.
 *
 * @param {number} pid
 */
export function birthMark(pid) {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot} ${statFields(pid).split(" ")[STARTED_AT]}`;
  } catch {
    const { stdout } = spawnSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" });
    return stdout?.trim() || undefined;
  }
}

/**
 * Whether a process works in `folder`, and was not merely given the id of one that did.
 *
 * @param {number} pid
 * @param {string} folder
 */
export function worksIn(pid, folder) {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(folder);
  } catch (error) {
    // Root in a container may read only the command lines of other users' processes.
    if (codeOf(error) === "EACCES") return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(folder);
    if (existsSync("/proc/self/cwd")) return false;
    return (
      spawnSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" }).stdout?.includes(folder) ?? false
    );
  }
}

/**
 * The ids of the living processes of the program `name` that work in `folder`.
 *
 * @param {string} name
 * @param {string} folder
 */
export function findWorkers(name, folder) {
  const named = listProcesses().filter((one) => one.name === name);
  return named.map(({ pid }) => pid).filter((pid) => isAlive(pid) && worksIn(pid, folder));
}

/** @param {number} pid */
export function childrenOf(pid) {
  return listProcesses().flatMap((one) => (one.parent === pid ? one.pid : []));
}

/**
 * Sends a signal to a process, or with a negative id to a group. It may be gone already.
 *
 * @param {number} pid
 * @param {NodeJS.Signals} name
 */
export function signal(pid, name) {
  try {
    process.kill(pid, name);
  } catch {
    // It is gone already.
  }
}

/**
 * Runs a Node program to its end in silence. Throws a plain error with its last output when it fails.
 *
 * @param {string} what How the error calls the program.
 * @param {string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<string>} What it printed.
 */
export async function runQuietly(what, args, options = {}) {
  const { code, output } = await runForOutput(process.execPath, args, options);
  if (code === 0) return output;
  const lines = output.trimEnd().split("\n").slice(-SHOWN_LINES);
  throw plainError(`${lines.join("\n")}\n\n${what} failed.`);
}

/**
 * Runs a program to its end, and collects what it prints.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {RunOptions} [options]
 */
export async function runForOutput(command, args, options) {
  /** @type {string[]} */
  const printed = [];
  const code = await runProgram(command, args, { ...options, onOutput: (text) => printed.push(text) });
  return { code, output: printed.join("") };
}

/**
 * Runs a program to its end. When we are stopped, the program ends too, with all that it started.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<number | string>} Its exit code, or the signal that ended it.
 */
export function runProgram(command, args, { env, isRecorded = false, onOutput, ...options } = {}) {
  return new Promise((done, fail) => {
    /** @type {SpawnOptions["stdio"]} */
    const stdio = onOutput ? ["ignore", "pipe", "pipe"] : "inherit";
    // In a group of its own its children can be ended too. A program that has the terminal must stay in our group.
    const detached = Boolean(onOutput);
    /** @type {ChildProcess | undefined} */
    let child;
    /** @param {NodeJS.Signals} name */
    const send = (name) => {
      if (child?.pid) signal(detached ? -child.pid : child.pid, name);
    };
    const forget = onStop(() => end(child, send));
    const kill = () => send("SIGKILL");
    process.once("exit", kill);
    child = spawn(command, args, { cwd: root, ...options, detached, env: withOurNode(env ?? process.env), stdio });
    if (isRecorded && child.pid)
      writeFileSync(recordFile, JSON.stringify({ pid: child.pid, birth: birthMark(child.pid) }));
    for (const stream of [child.stdout, child.stderr]) {
      if (onOutput) stream?.setEncoding("utf8").on("data", onOutput);
    }
    child.once("error", fail);
    child.once("close", (code, signal) => {
      process.off("exit", kill);
      if (isRecorded) rmSync(recordFile, { force: true });
      forget();
      done(code ?? `signal ${signal}`);
    });
  });
}

/** Ends the recorded program of a killed launcher: it would write the files that we write. */
export function endLeftProgram() {
  try {
    const { pid, birth } = JSON.parse(readFileSync(recordFile, "utf8"));
    if (isAlive(pid) && birthMark(pid) === birth) signal(-pid, "SIGKILL");
  } catch {
    // No program was left.
  }
}

/**
 * Ends a child of ours that still runs, and what it leaves behind in its group. Resolves when it is gone.
 *
 * @param {ChildProcess | undefined} child
 * @param {(name: NodeJS.Signals) => void} send
 */
async function end(child, send) {
  if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((done) => child.once("exit", done));
  send("SIGTERM");
  const timer = setTimeout(send, ENDED_WITHIN_MS, "SIGKILL");
  await gone;
  clearTimeout(timer);
  send("SIGKILL");
}

/**
 * Every process of the machine.
 *
 * @returns {{ pid: number, parent: number, name: string | undefined }[]}
 */
function listProcesses() {
  if (existsSync("/proc/self/stat")) {
    const ids = readdirSync("/proc").filter((entry) => /^\d+$/.test(entry));
    return ids.map((pid) => ({ pid: Number(pid), parent: Number(statFields(pid).split(" ")[1]), name: nameOf(pid) }));
  }
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid=,ucomm="], { encoding: "utf8" });
  return (stdout ?? "").split("\n").map((line) => {
    const [pid, parent, name] = line.trim().split(/\s+/);
    return { pid: Number(pid), parent: Number(parent), name };
  });
}

/** @param {string} pid */
function nameOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/comm`, "utf8").trim();
  } catch {
    return undefined;
  }
}

/**
 * Scripts that start with `#!/usr/bin/env node` get this very Node, also where no Node is on the path.
 *
 * @param {Env} env
 */
function withOurNode(env) {
  /** @type {Env} */
  const own = { ...env, PATH: `${dirname(process.execPath)}:${env.PATH ?? ""}` };
  return /** @type {NodeJS.ProcessEnv} */ (own);
}

/**
 * /proc/<pid>/stat from the state on (the name before it may hold anything), or an empty text.
 *
 * @param {number | string} pid
 */
function statFields(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2);
  } catch {
    return "";
  }
}
