import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { dirname } from "node:path";
import { onStop, sentence } from "./lifecycle.mjs";
import { root } from "./settings.mjs";

/** Enough of a failed program's output to see why. */
const SHOWN_LINES = 60;
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
  } catch {
    if (existsSync("/proc/self/cwd")) return false;
    return (
      spawnSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" }).stdout?.includes(folder) ?? false
    );
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
 * Runs a program to its end, and ends it when we are stopped.
 *
 * Resolves to its exit code; `onOutput` takes what it prints, otherwise it prints for itself.
 */
export function runProgram(command, args, { env, onOutput } = {}) {
  return new Promise((done, fail) => {
    const stdio = onOutput ? ["ignore", "pipe", "pipe"] : "inherit";
    let child;
    const forget = onStop(() => end(child));
    child = spawn(command, args, { cwd: root, env: withOurNode(env ?? process.env), stdio });
    child.stdout?.setEncoding("utf8").on("data", onOutput);
    child.stderr?.setEncoding("utf8").on("data", onOutput);
    child.once("error", fail);
    child.once("close", (code, signal) => {
      forget();
      done(code ?? `signal ${signal}`);
    });
  });
}

/** Ends a child of ours that still runs; resolves when it is gone. */
function end(child) {
  if (child.exitCode !== null || child.signalCode !== null) return undefined;
  child.kill();
  return new Promise((done) => child.once("exit", done));
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
