import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { onStop, sentence } from "./lifecycle.mjs";
import { root } from "./settings.mjs";

/** Enough of a failed program's output to see why. */
const SHOWN_LINES = 60;
/** Names the program that runs on the files of this folder. */
const noteFile = join(root, "dist/program.json");
/** How long a child has after SIGTERM. */
const ENDED_WITHIN_MS = 2_000;
/** Field 22 of /proc/<pid>/stat, counted from the state. */
const STARTED_AT = 19;

export function isAlive(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error.code === "EPERM";
  }
  // Where nobody collects orphans, as in many containers, a dead process keeps its id.
  return !/^[ZX]/.test(statFields(pid));
}

/**
 * A mark that tells a process from a later one with the same id, or undefined where the system does not say.
 *
 * A data folder outlives a restart of the machine, and then any program may bear the old id.
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

/** Whether a process works in `folder`, and was not merely given the id of one that did. */
export function worksIn(pid, folder) {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(folder);
  } catch (error) {
    // Root in a container may look at other users' command lines only.
    if (error.code === "EACCES") return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(folder);
    if (existsSync("/proc/self/cwd")) return false;
    return (
      spawnSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" }).stdout?.includes(folder) ?? false
    );
  }
}

/** The living processes of the programs called `name` that work in `folder`. */
export function findWorkers(name, folder) {
  const named = listProcesses().filter((one) => one.name === name);
  return named.map(({ pid }) => pid).filter((pid) => isAlive(pid) && worksIn(pid, folder));
}

export function childrenOf(pid) {
  return listProcesses().flatMap((one) => (one.parent === pid ? one.pid : []));
}

/** Sends a signal to a process, or with a negative id to a group, that may be gone already. */
export function signal(pid, name) {
  try {
    process.kill(pid, name);
  } catch {
    // It is gone already.
  }
}

/** Runs a Node program to its end in silence; its output is shown when it fails, as `what` failed. */
export async function runQuietly(what, args, options = {}) {
  const output = [];
  const code = await runProgram(process.execPath, args, {
    ...options,
    onOutput: (text) => output.push(text),
  });
  if (code === 0) return output.join("");
  const lines = output.join("").trimEnd().split("\n").slice(-SHOWN_LINES);
  throw sentence(`${lines.join("\n")}\n\n${what} failed.`);
}

/**
 * Runs a program to its end, and ends it with all that it started when we are stopped.
 *
 * Resolves to its exit code; `onOutput` takes what it prints, otherwise it prints for itself. One that is `noted` is
 * found by endLeftProgram() when we are killed; there is one at a time. Other options are those of `spawn`.
 */
export function runProgram(command, args, { env, noted = false, onOutput, ...options } = {}) {
  return new Promise((done, fail) => {
    const stdio = onOutput ? ["ignore", "pipe", "pipe"] : "inherit";
    // In a group of its own its children can be ended too; one that has the terminal must stay in ours.
    const detached = Boolean(onOutput);
    let child;
    const send = (name) => child?.pid && signal(detached ? -child.pid : child.pid, name);
    const forget = onStop(() => end(child, send));
    const kill = () => send("SIGKILL");
    process.once("exit", kill);
    child = spawn(command, args, { cwd: root, ...options, detached, env: withOurNode(env ?? process.env), stdio });
    if (noted && child.pid) writeFileSync(noteFile, JSON.stringify({ pid: child.pid, birth: birthMark(child.pid) }));
    child.stdout?.setEncoding("utf8").on("data", onOutput);
    child.stderr?.setEncoding("utf8").on("data", onOutput);
    child.once("error", fail);
    child.once("close", (code, signal) => {
      process.off("exit", kill);
      if (noted) rmSync(noteFile, { force: true });
      forget();
      done(code ?? `signal ${signal}`);
    });
  });
}

/** Ends what a launcher that was killed left installing or building: it would write what we write. */
export function endLeftProgram() {
  try {
    const { pid, birth } = JSON.parse(readFileSync(noteFile, "utf8"));
    if (isAlive(pid) && birthMark(pid) === birth) signal(-pid, "SIGKILL");
  } catch {
    // None was left.
  }
}

/** Ends a child of ours that still runs, and what it leaves behind in its group; resolves when it is gone. */
async function end(child, send) {
  if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((done) => child.once("exit", done));
  send("SIGTERM");
  const timer = setTimeout(send, ENDED_WITHIN_MS, "SIGKILL");
  await gone;
  clearTimeout(timer);
  send("SIGKILL");
}

/** Every process's `pid`, `parent` and `name`. */
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

function nameOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/comm`, "utf8").trim();
  } catch {
    return undefined;
  }
}

/** Scripts that start with `#!/usr/bin/env node` must get this very Node, also where none is on the path. */
function withOurNode(env) {
  return { ...env, PATH: `${dirname(process.execPath)}:${env.PATH ?? ""}` };
}

/** /proc/<pid>/stat from the state on (the name before it may hold anything), or an empty text. */
function statFields(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2);
  } catch {
    return "";
  }
}
