import { spawn } from "node:child_process";
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { signal } from "../../bin/processes.mjs";
import { root } from "../../bin/settings.mjs";

/** How soon an operator restarts a program that ended. */
const RESTART_AFTER_MS = 300;
const RESTART_AFTER_FAILURE_MS = 1_000;
const READY = /Repasse is open|The worker is running|ready to accept (read-only )?connections/;
const POLL_MS = 50;
const KEPT_LINES = 15;

/**
 * A process that is started again whenever it ends, as an operator would. `how` is `{name, role, command, args, env,
 * cwd, ...spawn options}`. Its output goes to `<name>.log`. `ends` collects the ends that no signal of ours caused.
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
      if (code) ends.push({ at: Date.now(), name, role, code, wasReady, lines: [...kept.child.lines] });
      setTimeout(() => isWanted && start(), code && !by ? RESTART_AFTER_FAILURE_MS : RESTART_AFTER_MS);
    });
    for (const done of waiting) done();
    waiting = [];
  };
  start();

  return Object.assign(kept, {
    /** Sets its clock ahead by so many milliseconds, while it runs (`clock.mjs`). */
    setClock: (ms) => writeFileSync(how.env.CHAOS_CLOCK, String(ms)),
    signal: (by) => isRunning(kept.child) && signal(kept.child.pid, by),
    /** Resolves when the process has been started again. */
    nextStart: () => new Promise((done) => waiting.push(done)),
    nextEnd: () => ended(kept.child),
    /** Starts it no more, whatever ends it. */
    abandon() {
      isWanted = false;
    },
    /** Ends it for good, and by force after `withinMs`. Returns `{ms, code, byForce}`. */
    async stop(withinMs) {
      isWanted = false;
      return stopProcess(kept.child, withinMs, how.stopBy);
    },
  });
}

/** Starts a program whose output goes to `<name>.log`. The child's `lines` are the last ones. */
export function startProcess({ name, command, args, env, cwd = root, role, stopBy, ...options }, at) {
  const { folder, remember, onReady = () => {} } = at;
  // Detached, so that Ctrl-C in the terminal reaches the script alone.
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"], ...options });
  if (child.pid) remember(child.pid);
  child.lines = [];
  const keep = (text) => {
    appendFileSync(join(folder, `${name}.log`), text);
    child.lines.push(...text.split("\n").filter(Boolean));
    child.lines.splice(0, child.lines.length - KEPT_LINES);
    if (READY.test(text)) onReady();
  };
  child.stdout.setEncoding("utf8").on("data", keep);
  child.stderr.setEncoding("utf8").on("data", keep);
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

/** Polls until the condition holds. When the time is over, it throws, or returns false unless `isNeeded`. */
export async function until(condition, withinMs, isNeeded = true) {
  const end = performance.now() + withinMs;
  while (!(await condition())) {
    if (performance.now() > end) {
      if (isNeeded) throw new Error(`Not within ${withinMs / 1000} s: ${condition}`);
      return false;
    }
    await sleep(POLL_MS);
  }
  return true;
}

export const isRunning = (child) => child.exitCode === null && child.signalCode === null;

export const ended = (child) => (isRunning(child) ? new Promise((done) => child.once("exit", done)) : undefined);
