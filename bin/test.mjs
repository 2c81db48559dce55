import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { findBrowser } from "./browser.mjs";
import { build, prepared } from "./build.mjs";
import { plainError } from "./lifecycle.mjs";
import { runForOutput, runProgram } from "./processes.mjs";
import { seconds } from "./progress.mjs";
import { launcherFile, root } from "./settings.mjs";
import { openLibDatabase, openRail, openServer, openWorkFolder } from "./test-places.mjs";

/** @import { Env } from "./settings.mjs" */
/** @import { TestServer, WorkFolder } from "./test-places.mjs" */
/** @typedef {{ passed: number, failed: number, flaky?: number, names?: string[] }} Result `names` are the failed tests', and why. */
/** @typedef {(text: string) => unknown} Output */
/** @typedef {{ message?: string, location?: { file: string, line: number } }} Fault */
/** @typedef {{ status: string, results: { error?: Fault }[] }} Attempts */
/** @typedef {{ title: string, ok: boolean, tests: Attempts[] }} Spec */
/** @typedef {{ specs: Spec[], suites?: Suite[] }} Suite */

const PARTS = ["lib", "launcher", "e2e"];
const WIDTH = 12;
/** Work that was under way when the tests ended may need a moment to be complete. */
const RECONCILE_ATTEMPTS = 3;
const SHOWN_FAULTS = 30;
const REASON_LINES = 8;

/** @param {string} path */
const bin = (path) => join(root, "node_modules", path);
/** @type {Result[]} */
const results = [];

/**
 * Runs every check: types, lint, lib tests, the launcher's own, e2e tests and, over both databases, reconcile. Prints
 * one line for each, the output of those that fail, and last the failed tests, each with its reason.
 *
 * @param {string[]} args `lib`, `launcher` or `e2e` as the first runs that part only. The others go to its runner.
 */
export async function test([part, ...filters]) {
  if (part && !PARTS.includes(part)) throw plainError(`npm test takes no argument, or one of ${PARTS.join(", ")}.`);
  const startedAt = performance.now();
  const work = await openWorkFolder();
  /** @param {string} name */
  const runs = (name) => !part || part === name;
  const installed = prepared();
  // The launcher's tests mostly wait, for databases that start and stop, and they need no build.
  const launcher = runs("launcher") && testLauncher(installed);
  const built = part !== "launcher" && (await check("build", () => installed.then(() => build())));
  const database = runs("lib") && (await testLib(work, filters));
  await Promise.all([
    built && database && reconcile("reconcile, lib", database, () => openRail(work, database)),
    built && runs("e2e") && testPages(work, filters),
    launcher,
  ]);
  const names = results.flatMap((result) => result.names ?? []);
  if (names.length > 0) console.log(`\nFailed:\n${names.map((name) => `  ${name}`).join("\n")}\n`);
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const failed = results.reduce((sum, result) => sum + result.failed, 0);
  const flaky = results.reduce((sum, result) => sum + (result.flaky ?? 0), 0);
  console.log(`${"all".padEnd(WIDTH)} ${seconds(performance.now() - startedAt)}`);
  if (existsSync(work.screenshots)) console.log(`${"screenshots".padEnd(WIDTH)} ${work.screenshots}`);
  console.log(`${passed} passed, ${flaky > 0 ? `${flaky} flaky, ` : ""}${failed} failed`);
  if (failed > 0) process.exitCode = 1;
}

/**
 * @param {WorkFolder} work
 * @param {string[]} filters
 * @returns The environment of the tests' database; undefined when it did not start.
 */
async function testLib(work, filters) {
  const [database] = await Promise.all([
    openLibDatabase(work).catch((error) => (error instanceof Error ? error : new Error(String(error)))),
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
    /** @type {any[]} */
    const tests = testResults.flatMap((/** @type {any} */ { assertionResults }) => assertionResults);
    /** @param {string} wanted */
    const namesOf = (wanted) =>
      tests
        .filter(({ status, failureMessages }) => status === wanted && failureMessages.length > 0)
        .map(({ fullName, failureMessages }) => withReason(fullName, failureMessages[0]));
    const flaky = namesOf("passed");
    printFlaky(flaky);
    const failed = numFailedTests || Number(!success);
    return { passed: numPassedTests - flaky.length, flaky: flaky.length, failed, names: namesOf("failed") };
  });
  return database instanceof Error ? undefined : database;
}

/** @param {Promise<void>} installed */
function testLauncher(installed) {
  return suite("launcher", async (output) => {
    await installed;
    const names = ["launcher", "migrations", "operating", "postgres", "backup"];
    const files = names.map((name) => join(root, `bin/${name}.test.mjs`));
    const args = ["--test", `--test-concurrency=${files.length}`, "--test-reporter=tap", ...files];
    const { code, output: printed } = await runForOutput(process.execPath, args);
    output(printed);
    /** @param {string} what */
    const count = (what) => Number(printed.match(new RegExp(`^# ${what} (\\d+)`, "m"))?.[1] ?? 0);
    return { passed: count("pass"), failed: count("fail") || Number(code !== 0) };
  });
}

/**
 * @param {WorkFolder} work
 * @param {string[]} filters
 */
async function testPages(work, filters) {
  /** @type {Awaited<ReturnType<typeof openServer>> | undefined} */
  let server;
  await suite("e2e", async (output, report) => {
    const browser = await findBrowser();
    const opened = await openServer(work);
    server = opened;
    const env = {
      ...opened.env,
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
    if (stats.unexpected > 0 || code !== 0) output(`\nThe server's last lines:\n${opened.lastLines()}\n`);
    /** @type {Spec[]} */
    const specs = suites.flatMap(specsOf);
    /** @param {Spec} spec */
    const named = ({ title, tests }) => {
      const { message, location } = tests[0]?.results[0]?.error ?? {};
      const place = location ? ` (${basename(location.file)}:${location.line})` : "";
      return withReason(title + place, message);
    };
    const names = specs.filter(({ ok }) => !ok).map(named);
    printFlaky(specs.filter(({ tests }) => tests.some(({ status }) => status === "flaky")).map(named));
    return { passed: stats.expected, flaky: stats.flaky, failed: stats.unexpected || Number(code !== 0), names };
  });
  if (!server) return;
  await reconcile("reconcile, e2e", server.env);
  await check("stop", server.stop);
}

/**
 * Prints the tests that passed only the second time, and why they failed the first.
 *
 * @param {string[]} names
 */
function printFlaky(names) {
  for (const name of names) console.log(`${"flaky".padEnd(WIDTH)} ${name}`);
}

/**
 * @param {string} name
 * @param {string} [reason]
 */
function withReason(name, reason = "") {
  const lines = stripVTControlCharacters(reason)
    .split("\n")
    .filter((line) => line.trim() !== "");
  return [name, ...lines.slice(0, REASON_LINES).map((line) => `    ${line.trimEnd()}`)].join("\n");
}

/**
 * @param {Suite} suite
 * @returns {Spec[]}
 */
function specsOf({ specs, suites = [] }) {
  return [...specs, ...suites.flatMap(specsOf)];
}

/**
 * Compares ledger, sales and rail. Tests of a part take events from the outbox without counting sales, and put sales into
 * statuses by hand, so after them counts may differ until they are made anew; nothing else may, before or after.
 *
 * @param {string} name
 * @param {Env} env
 * @param {() => Promise<TestServer>} [open] Starts a server that answers for the rail, where none runs.
 */
async function reconcile(name, env, open) {
  await check(name, async (output) => {
    const server = await open?.();
    if (server) {
      await expectAgreement(env, output, "count_differs");
      await runForOutput(process.execPath, [launcherFile, "rebuild-rollups"], { env });
    }
    await expectAgreement(env, output);
    await server?.stop();
  });
}

/**
 * @param {Env} env
 * @param {Output} output
 * @param {string} [allowed] The fault that may be found.
 */
async function expectAgreement(env, output, allowed) {
  for (let attempt = 1; ; attempt++) {
    const { code, output: printed } = await runForOutput(process.execPath, [launcherFile, "reconcile"], { env });
    const lines = printed.split("\n");
    const faults = lines.filter((line) => line.startsWith("{"));
    const allowedFaults = faults.filter((line) => JSON.parse(line).fault === allowed);
    if (code === 0 || (faults.length > 0 && allowedFaults.length === faults.length)) return;
    if (attempt === RECONCILE_ATTEMPTS) {
      const others = lines.filter((line) => !allowedFaults.includes(line));
      output(firstLines([...others, ...allowedFaults].join("\n"))); // first what nobody expects
      throw plainError("Ledger, sales and rail do not agree.");
    }
  }
}

/** @param {string} text */
function firstLines(text) {
  const lines = text.trimEnd().split("\n");
  const more = lines.length > SHOWN_FAULTS ? [`… and ${lines.length - SHOWN_FAULTS} more lines`] : [];
  return [...lines.slice(0, SHOWN_FAULTS), ...more, ""].join("\n");
}

/**
 * Runs one step that passes or fails. Returns whether it passed.
 *
 * @param {string} name
 * @param {(output: Output) => unknown} work
 */
async function check(name, work) {
  const { failed } = await suite(name, async (output) => {
    await work(output);
    return { passed: 1, failed: 0 };
  });
  return failed === 0;
}

/**
 * Runs one part, and prints its line, and its output if it failed.
 *
 * @param {string} name
 * @param {(output: Output, report: string) => Promise<Result>} work Gets a file for its report.
 */
async function suite(name, work) {
  const startedAt = performance.now();
  /** @type {string[]} */
  const printed = [];
  /** @type {Output} */
  const output = (text) => printed.push(text);
  const report = join((await openWorkFolder()).folder, `${name.replaceAll(/\W+/g, "-")}.json`);
  /** @type {Result} */
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

/**
 * @param {string[]} args
 * @param {Output} output
 */
async function expectSuccess(args, output) {
  const code = await runProgram(process.execPath, args, { onOutput: output });
  if (code !== 0) throw plainError(`It ended with ${code}.`);
}

/**
 * A runner that broke down leaves no report. Its output, printed above this error, shows why.
 *
 * @param {string} file
 */
function readReport(file) {
  if (!existsSync(file)) throw plainError("The test runner did not get to its report.");
  return JSON.parse(readFileSync(file, "utf8"));
}
