import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { after } from "node:test";
import { pathToFileURL } from "node:url";
import { root } from "./settings.mjs";

const children = new Set();
// One that a failed test left would keep the runner waiting.
after(() => {
  for (const child of children) child.kill("SIGKILL");
});

/**
 * A process of its own that does one call of a module of bin/ (or of another folder's, by its whole path), says so, and then only lives until a signal stops it.
 * `said()` is what it has printed.
 */
export async function runAndWait(module, call) {
  const child = run(module, call);
  await new Promise((done) => {
    child.stdout.on("data", () => child.said().includes("done\n") && done());
    child.once("exit", done);
  });
  return child;
}

/** The same, without waiting for the call. */
export function run(module, call) {
  const url = (file) => pathToFileURL(resolve(root, "bin", file)).href;
  const code = `
    const { stopOnSignals } = await import("${url("lifecycle.mjs")}");
    stopOnSignals(0);
    setInterval(() => {}, 1000);
    await (${call})(await import("${url(module)}"));
    console.log("done");`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", code]);
  children.add(child);
  const printed = [];
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text) => printed.push(text));
  child.said = () => printed.join("");
  return child;
}

export const kill = (child) => endWith(child, "SIGKILL");

/** Resolves to the exit code once it is gone and all that it printed has come. */
export async function endWith(child, signal) {
  const gone = new Promise((done) => child.once("close", done));
  child.kill(signal);
  return gone;
}
