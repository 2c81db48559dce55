import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findBrowser } from "./browser.mjs";
import { build } from "./build.mjs";
import { sentence } from "./lifecycle.mjs";
import { runProgram } from "./processes.mjs";
import { seconds } from "./say.mjs";
import { root } from "./settings.mjs";
import { openLibDatabase, openRail, openServer, openWorkFolder } from "./test-places.mjs";

const PARTS = ["lib", "launcher", "e2e"];
const WIDTH = 12;
/** Work that was under way when the tests ended may need a moment to be complete. */
const RECONCILE_ATTEMPTS = 3;
const SHOWN_FAULTS = 30;

const bin = (path) => join(root, "node_modules", path);
const results = [];

/**
 * Runs every check: types, lint, lib tests, the launcher's own, e2e tests and, over both databases, reconcile. Prints
 * one line for each, the output of those that fail, and last the names of the tests that did. `lib`, `launcher` or `e2e` as the first argument runs that
 * part only; what follows goes to its runner.
 */
export async function test([part, ...filters]) {
  if (part && !PARTS.includes(part)) throw sentence(`npm test takes nothing, or one of ${PARTS.join(", ")}.`);
  const startedAt = performance.now();
  const work = await openWorkFolder();
  const built = await check("build", () => build());
  const runs = (name) => !part || part === name;
  if (runs("lib")) await testLib(work, filters, built);
  if (runs("launcher")) await testLauncher();
  if (runs("e2e") && built) await testPages(work, filters);
  const names = results.flatMap((result) => result.names ?? []);
  if (names.length > 0) console.log(`\nFailed:\n${names.map((name) => `  ${name}`).join("\n")}\n`);
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const failed = results.reduce((sum, result) => sum + result.failed, 0);
  console.log(`${"all".padEnd(WIDTH)} ${seconds(performance.now() - startedAt)}`);
  if (existsSync(work.screenshots)) console.log(`${"pictures".padEnd(WIDTH)} ${work.screenshots}`);
  console.log(`${passed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
}

async function testLib(work, filters, built) {
  const [database] = await Promise.all([
    openLibDatabase(work).catch((error) => error),
    check("types", (output) =>
      expectSuccess([bin("typescript/bin/tsc"), "--noEmit", "--incremental", "false"], output),
    ),
    check("lint", (output) => expectSuccess([bin("@biomejs/biome/bin/biome"), "check", "."], output)),
  ]);
  await suite("lib", async (output, report) => {
    if (database instanceof Error) throw database;
    const args = ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`, ...filters];
    await runProgram(process.execPath, [bin("vitest/vitest.mjs"), ...args], { env: database, onOutput: output });
    const { numPassedTests, numFailedTests, success, testResults } = readReport(report);
    const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
    const names = tests.filter(({ status }) => status === "failed").map(({ fullName }) => fullName);
    return { passed: numPassedTests, failed: numFailedTests || Number(!success), names };
  });
  if (built && !(database instanceof Error)) {
    await reconcile("books, lib", database, () => openRail(work, database));
  }
}

function testLauncher() {
  return suite("launcher", async (output) => {
    const printed = [];
    const files = ["launcher", "migrations", "postgres"].map((name) => join(root, `bin/${name}.test.mjs`));
    const args = ["--test", "--test-reporter=tap", ...files];
    const code = await runProgram(process.execPath, args, { onOutput: (text) => printed.push(text) });
    output(printed.join(""));
    const count = (what) => Number(printed.join("").match(new RegExp(`^# ${what} (\\d+)`, "m"))?.[1] ?? 0);
    return { passed: count("pass"), failed: count("fail") || Number(code !== 0) };
  });
}

async function testPages(work, filters) {
  let server;
  await suite("e2e", async (output, report) => {
    const browser = await findBrowser();
    server = await openServer(work);
    const env = {
      ...server.env,
      PLAYWRIGHT_CHROMIUM_PATH: browser,
      SCREENSHOTS_DIR: work.screenshots,
      PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    };
    const args = ["test", "--config=e2e/playwright.config.ts", "--reporter=list,json", ...filters];
    const code = await runProgram(process.execPath, [bin("@playwright/test/cli.js"), ...args], {
      env,
      onOutput: output,
    });
    const { stats, suites } = readReport(report);
    if (stats.unexpected > 0 || code !== 0) output(`\nThe server's last words:\n${server.lastWords()}\n`);
    const specs = suites.flatMap(function all({ specs, suites = [] }) {
      return [...specs, ...suites.flatMap(all)];
    });
    const names = specs.filter(({ ok }) => !ok).map(({ title }) => title);
    const isFlaky = ({ tests }) => tests.some(({ status }) => status === "flaky");
    for (const { title } of specs.filter(isFlaky)) console.log(`${"twice".padEnd(WIDTH)} ${title}`);
    return { passed: stats.expected + stats.flaky, failed: stats.unexpected || Number(code !== 0), names };
  });
  if (!server) return;
  await reconcile("books, e2e", server.env);
  await check("stop", (output) => server.stop(output));
}

/** Compares the books; `open` brings the server that answers for the rail, where none runs. */
async function reconcile(name, env, open) {
  await check(name, async (output) => {
    const server = await open?.();
    for (let attempt = 1; ; attempt++) {
      const lines = [];
      const args = [join(root, "bin/repasse.mjs"), "reconcile"];
      const code = await runProgram(process.execPath, args, { env, onOutput: (text) => lines.push(text) });
      if (code === 0) return server?.stop();
      if (attempt === RECONCILE_ATTEMPTS) {
        output(firstLines(lines.join("")));
        throw sentence("The books do not agree.");
      }
    }
  });
}

function firstLines(text) {
  const lines = text.trimEnd().split("\n");
  const more = lines.length > SHOWN_FAULTS ? [`… and ${lines.length - SHOWN_FAULTS} more lines`] : [];
  return [...lines.slice(0, SHOWN_FAULTS), ...more, ""].join("\n");
}

/** One step that is right or wrong. Returns whether it was right. */
async function check(name, work) {
  const { failed } = await suite(name, async (output) => {
    await work(output);
    return { passed: 1, failed: 0 };
  });
  return failed === 0;
}

/** Runs one part, prints its line, and what it printed if it failed. `work` gets a place for its report. */
async function suite(name, work) {
  const startedAt = performance.now();
  const printed = [];
  const output = (text) => printed.push(text);
  const report = join((await openWorkFolder()).folder, `${name.replaceAll(/\W+/g, "-")}.json`);
  const result = await work(output, report).catch((error) => {
    output(`${error.plain ? error.message : error.stack}\n`);
    return { passed: 0, failed: 1 };
  });
  if (result.failed > 0) process.stdout.write(`\n${printed.join("").trimEnd()}\n\n`);
  const verdict =
    result.failed > 0 ? `FAILED (${result.passed} passed, ${result.failed} failed)` : `ok ${result.passed}`;
  console.log(`${name.padEnd(WIDTH)} ${verdict.padEnd(10)} ${seconds(performance.now() - startedAt)}`);
  results.push(result);
  return result;
}

async function expectSuccess(args, output) {
  const code = await runProgram(process.execPath, args, { onOutput: output });
  if (code !== 0) throw sentence(`It ended with ${code}.`);
}

/** A runner that broke down leaves no report: its own output, shown above this sentence, tells why. */
function readReport(file) {
  if (!existsSync(file)) throw sentence("The test runner did not get to its report.");
  return JSON.parse(readFileSync(file, "utf8"));
}
