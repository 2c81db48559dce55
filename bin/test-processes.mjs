import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { after } from "node:test";
import { pathToFileURL } from "node:url";
import { withClient } from "./client.mjs";
import { root } from "./settings.mjs";

/** @typedef {import("node:child_process").ChildProcess & { printed: () => string }} Child */

/** @type {Set<Child>} */
const children = new Set();
// A child that a failed test left would keep the runner waiting.
after(() => {
  for (const child of children) child.kill("SIGKILL");
});

/**
 * Starts a process that does one call of a module, prints "done", and then lives until a signal stops it. Resolves when
 * the call is done or the process has ended.
 *
 * @param {string} module A file of bin/, or of another folder by its absolute path.
 * @param {string} call The text of a function that gets the module.
 */
export async function runAndWait(module, call) {
  const child = run(module, call);
  await new Promise((/** @type {(value?: unknown) => void} */ done) => {
    child.stdout?.on("data", () => child.printed().includes("done\n") && done());
    child.once("exit", done);
  });
  return child;
}

/**
 * The same, without waiting for the call.
 *
 * @param {string} module
 * @param {string} call
 * @param {{ detached?: boolean }} [options] `detached` gives the process a group of its own.
 */
export function run(module, call, { detached = false } = {}) {
  /** @param {string} file */
  const url = (file) => pathToFileURL(resolve(root, "bin", file)).href;
  const code = `
    const { stopOnSignals } = await import("${url("lifecycle.mjs")}");
    stopOnSignals(0);
    setInterval(() => {}, 1000);
    await (${call})(await import("${url(module)}"));
    console.log("done");`;
  const spawned = spawn(process.execPath, ["--input-type=module", "-e", code], { detached });
  /** @type {string[]} */
  const chunks = [];
  for (const stream of [spawned.stdout, spawned.stderr])
    stream.setEncoding("utf8").on("data", (text) => chunks.push(text));
  const child = Object.assign(spawned, { printed: () => chunks.join("") });
  children.add(child);
  return child;
}

/** @param {Child} child */
export const kill = (child) => endWith(child, "SIGKILL");

/**
 * Sends a signal, and resolves to the exit code once the process is gone and all that it printed has come.
 *
 * @param {Child} child
 * @param {NodeJS.Signals} signal
 * @returns {Promise<number | null>}
 */
export async function endWith(child, signal) {
  const gone = new Promise((/** @type {(code: number | null) => void} */ done) => child.once("close", done));
  child.kill(signal);
  return gone;
}

/**
 * The rows of a query on a connection of its own.
 *
 * @param {string} url
 * @param {string} text
 */
export const query = (url, text) => withClient(url, async (client) => (await client.query(text)).rows);
