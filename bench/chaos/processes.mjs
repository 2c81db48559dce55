import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { root } from "../../bin/settings.mjs";

/** How soon an operator starts again what ended. */
const RESTART_AFTER_MS = 300;
const RESTART_AFTER_FAILURE_MS = 1_000;
const READY = /Repasse is open|The worker is running|ready to accept connections/;
const KEPT_LINES = 15;

/**
 * A process that is started again whenever it ends, as an operator would. `how` is `{name, role, command, args, env,
 * cwd, ...spawn options}`; what it prints goes to `<name>.log`. `ends` collects those ends that no signal of ours caused.
 */
export function keepRunning(how, { folder, remember, ends }) {
  const { name, role } = how;
  const kept = { name, role, child: undefined, isReady: false, starts: 0 };
  let isWanted = true;
  let waiting = [];

  const start = () => {
    kept.isReady = false;
    kept.starts += 1;
    kept.child = startProcess(how, { folder, remember, onReady: () => (kept.isReady = true) });
    kept.child.once("exit", (code, by) => {
      const wasReady = kept.isReady;
      kept.isReady = false;
      if (!isWanted) return;
      if (code) ends.push({ at: Date.now(), name, code, wasReady, said: [...kept.child.said] });
      setTimeout(() => isWanted && start(), code && !by ? RESTART_AFTER_FAILURE_MS : RESTART_AFTER_MS);
    });
    for (const done of waiting) done();
    waiting = [];
  };
  start();

  return Object.assign(kept, {
    signal: (by) => isRunning(kept.child) && signal(kept.child.pid, by),
    /** Resolves when the process has been started again. */
    nextStart: () => new Promise((done) => waiting.push(done)),
    nextEnd: () => ended(kept.child),
    /** Ends it for good in order, or by force when that takes long. Returns `{ms, code, byForce}`. */
    async stop(withinMs) {
      isWanted = false;
      return stopProcess(kept.child, withinMs, how.stopBy);
    },
  });
}

/** Starts a program whose output goes to `<name>.log`; the last lines are in `said`. */
export function startProcess({ name, command, args, env, cwd = root, role, stopBy, ...options }, at) {
  const { folder, remember, onReady = () => {} } = at;
  // Detached, so that Ctrl-C in the terminal reaches the script alone.
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"], ...options });
  if (child.pid) remember(child.pid);
  child.said = [];
  const hear = (text) => {
    appendFileSync(join(folder, `${name}.log`), text);
    child.said.push(...text.split("\n").filter(Boolean));
    child.said.splice(0, child.said.length - KEPT_LINES);
    if (READY.test(text)) onReady();
  };
  child.stdout.setEncoding("utf8").on("data", hear);
  child.stderr.setEncoding("utf8").on("data", hear);
  return child;
}

export async function stopProcess(child, withinMs, by = "SIGTERM") {
  const startedAt = performance.now();
  let byForce = false;
  if (isRunning(child)) {
    signal(child.pid, "SIGCONT");
    signal(child.pid, by);
    await Promise.race([ended(child), sleep(withinMs, undefined, { ref: false })]);
    if (isRunning(child)) {
      byForce = true;
      signal(child.pid, "SIGKILL");
      await ended(child);
    }
  }
  return { ms: performance.now() - startedAt, code: child.exitCode, byForce };
}

export const isRunning = (child) => child.exitCode === null && child.signalCode === null;

export const ended = (child) => (isRunning(child) ? new Promise((done) => child.once("exit", done)) : undefined);

/** Sends a signal to a process that may be gone. */
export function signal(pid, name) {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (error.code !== "ESRCH") throw error;
  }
}
