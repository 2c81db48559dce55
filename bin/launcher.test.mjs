import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { writeState } from "./cluster.mjs";
import { describe } from "./faults.mjs";
import { plainError } from "./lifecycle.mjs";
import { tryLockDataDir } from "./lock.mjs";
import { waitFor } from "./postmaster.mjs";
import { isAlive } from "./processes.mjs";
import { makeRunFolder, TEST_PREFIX } from "./run-folder.mjs";
import { readOrMakeSecrets, secretsFile } from "./secrets.mjs";
import { wantsDemo } from "./serve.mjs";
import { freePort, launcherFile, portOf, root } from "./settings.mjs";
import { endWith, kill, runAndWait } from "./test-processes.mjs";

const folder = makeRunFolder(TEST_PREFIX);
const secrets = {
  SESSION_SECRET: "s".repeat(43),
  VAULT_KEYS: "k1:x",
  CARD_FINGERPRINT_KEY: "f".repeat(43),
  SIMULATOR_SECRET: "r".repeat(43),
};
const UNREACHABLE = "postgresql://owner:hidden@127.0.0.1:1/shop";

after(() => rmSync(folder, { recursive: true, force: true }));

test("a port in use is one sentence, before anything slow", async () => {
  const other = createServer().listen(0);
  const port = portOf(other);
  const started = await launch("start", { PORT: String(port) });
  other.close();
  assert.deepEqual(started, { code: 1, text: `Port ${port} is in use: set PORT to a free one.` });
});

test("an address to listen on that is none of this machine's is one sentence", async () => {
  const started = await launch("start", { BIND: "192.0.2.1" });
  assert.deepEqual(started, { code: 1, text: 'BIND must be an IP address of this machine, not "192.0.2.1".' });
});

test("a data folder that cannot be written is one sentence", async () => {
  const file = join(folder, "file");
  writeFileSync(file, "");
  const { code, text } = await launch("start", { DATA_DIR: file });
  assert.equal(code, 1);
  assert.match(text, /^The data folder .+ cannot be written \(EEXIST\).+\.$/);
});

test("a database that does not answer is one sentence without its password", async () => {
  const { code, text } = await launch("start", { ...secrets, DATABASE_URL: UNREACHABLE });
  assert.equal(code, 1);
  assert.match(text, /^PostgreSQL at 127\.0\.0\.1:1 \(DATABASE_URL\) cannot be reached: .+\.$/);
});

test("of several hosts each is named when none answers, and a standby is refused", async () => {
  const several = "postgresql://u:p@127.0.0.1:1,127.0.0.1:2/db";
  const unreachable = await launch("start", { ...secrets, DATABASE_URL: `${several}?target_session_attrs=read-write` });
  assert.match(
    unreachable.text,
    /^PostgreSQL at 127\.0\.0\.1:1 or 127\.0\.0\.1:2 \(DATABASE_URL\) cannot be reached: .+\.$/,
  );
  const standby = await launch("start", { ...secrets, DATABASE_URL: `${several}?target_session_attrs=standby` });
  assert.equal(standby.text, "DATABASE_URL: of several hosts Repasse needs target_session_attrs=read-write.");
});

test("a way past a pooler is named alone in one sentence", async () => {
  const { text } = await launch("start", { ...secrets, DIRECT_URL: UNREACHABLE });
  assert.equal(text, "DIRECT_URL is the way past a pooler: set DATABASE_URL too.");
});

test("with DATABASE_URL a missing secret is named, and none is made up", async () => {
  const { VAULT_KEYS, ...others } = secrets;
  const { code, text } = await launch("web", { ...others, DATABASE_URL: UNREACHABLE });
  assert.deepEqual({ code, text }, { code: 1, text: "With DATABASE_URL set, VAULT_KEYS must be set too." });
});

test("the worker alone asks for DATABASE_URL", async () => {
  const { code, text } = await launch("worker", {});
  assert.equal(code, 1);
  assert.match(text, /^Set DATABASE_URL: .+\.$/);
});

test("secrets are made once, only their owner can read them, and the environment wins over them", () => {
  const dataDir = newDataDir();
  const made = readOrMakeSecrets(dataDir, {});
  const kept = readOrMakeSecrets(dataDir, { SESSION_SECRET: "from the environment" });
  assert.deepEqual(kept, { ...made, SESSION_SECRET: "from the environment" });
  assert.equal(statSync(secretsFile(dataDir)).mode & 0o777, 0o600);
});

test("a data folder is free again when its launcher was killed", async () => {
  const dataDir = newDataDir();
  const holder = await runAndWait("lock.mjs", `({ tryLockDataDir }) => tryLockDataDir(${JSON.stringify(dataDir)})`);
  assert.equal(tryLockDataDir(dataDir)?.pid, holder.pid);
  await kill(holder);
  assert.equal(tryLockDataDir(dataDir), undefined);
});

test("of several processes that lock a dead launcher's data folder at once, one gets it", async () => {
  const folders = Array.from({ length: 60 }, newDataDir);
  const dead = JSON.stringify({ pid: 2 ** 30, birth: "long ago" });
  for (const dataDir of folders) writeFileSync(join(dataDir, "launcher.lock"), dead);
  const startAt = Date.now() + 1_000;
  // Each process tries every folder at the same moment as the others.
  const lockAll = `async ({ tryLockDataDir }) => {
    for (const [index, dataDir] of ${JSON.stringify(folders)}.entries()) {
      while (Date.now() < ${startAt} + index * 5);
      if (!(tryLockDataDir(dataDir))) console.log(dataDir);
    }
  }`;
  const rivals = await Promise.all(Array.from({ length: 4 }, () => runAndWait("lock.mjs", lockAll)));
  const locked = rivals.flatMap(({ printed }) => printed().split("\n")).filter((line) => folders.includes(line));
  assert.deepEqual(locked.sort(), folders.sort());
  await Promise.all(rivals.map(kill));
});

test("a program that we run and all that it started end with us, even when they ignore signals", async () => {
  const stubborn = "trap '' TERM INT; sleep 60 & echo $!; wait; wait";
  const run = `({ runProgram }) => new Promise((started) => {
    runProgram("sh", ["-c", ${JSON.stringify(stubborn)}], { onOutput: (text) => started(console.log(text.trim())) });
  })`;
  const child = await runAndWait("processes.mjs", run);
  const grandchild = Number(child.printed().split("\n")[0]);
  assert.equal(await endWith(child, "SIGINT"), 0);
  assert.ok(await isGone(grandchild));
});

test("an install or a build of a killed launcher is ended before the next one begins", async () => {
  const clone = cloneOfBin();
  mkdirSync(join(clone, "dist"));
  const processes = join(clone, "bin/processes.mjs");
  const build = `({ runProgram }) => new Promise((started) => {
    runProgram("sh", ["-c", "echo $$; sleep 60"], { isRecorded: true, onOutput: (text) => started(console.log(text.trim())) });
  })`;
  const child = await runAndWait(processes, build);
  const left = Number(child.printed().split("\n")[0]);
  child.kill("SIGKILL");
  const { endLeftProgram } = await import(pathToFileURL(processes).href);
  endLeftProgram();
  assert.ok(await isGone(left));
});

test("a stopping step that hangs does not keep the others or the process from ending", async () => {
  const child = await runAndWait(
    "lifecycle.mjs",
    `({ onStop }) => {
      onStop(() => console.log("the first was undone last"));
      onStop(() => new Promise(() => {}), 100);
    }`,
  );
  assert.equal(await endWith(child, "SIGTERM"), 1);
  assert.match(child.printed(), /the first was undone last/);
});

test("a full disk is one sentence, whichever program reports it", () => {
  const ofPostgres = Object.assign(new Error("could not extend file"), { code: "53100" });
  const ofServer = new Error("the query failed", { cause: ofPostgres });
  const ofProgram = plainError(
    "initdb: error: could not write: No space left on device\n\nThe database could not be made.",
  );
  const ofNode = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  for (const error of [ofPostgres, ofServer, ofProgram, ofNode]) {
    assert.match(describe(error), /^The disk is full: [^.\n]+\.$/);
  }
});

test("a database that goes away during a start is one sentence, whichever client reports it", () => {
  const errors = [
    Object.assign(new Error("terminating connection"), { code: "57P01" }),
    new Error("Client has encountered a connection error and is not queryable"),
    Object.assign(new Error("\nInvalid `prisma.user.count()`\n\nDatabase error. Code: `57P03`."), { code: "P2039" }),
  ];
  for (const error of errors) assert.equal(describe(error), "The database went away: start again.");
  assert.match(describe(new Error("a fault of ours")), /a fault of ours\n +at /);
});

test("packages are not installed when one of npm's own list is missing", async () => {
  const clone = cloneOfBin();
  const packages = { "": {}, "node_modules/one": { version: "1.0.0" }, "node_modules/one/node_modules/two": {} };
  mkdirSync(join(clone, "node_modules/one"), { recursive: true });
  const { "": _, ...listed } = packages;
  writeFileSync(join(clone, "package-lock.json"), JSON.stringify({ packages }));
  writeFileSync(join(clone, "node_modules/.package-lock.json"), JSON.stringify({ packages: listed }));
  writeFileSync(join(clone, "node_modules/one/package.json"), "{}");
  const { isInstalled } = await import(pathToFileURL(join(clone, "bin/install.mjs")).href);
  assert.equal(isInstalled(), false);
  mkdirSync(join(clone, "node_modules/one/node_modules/two"), { recursive: true });
  writeFileSync(join(clone, "node_modules/one/node_modules/two/package.json"), "{}");
  assert.equal(isInstalled(), true);
  // Also when it was once installed in full.
  rmSync(join(clone, "node_modules/one/node_modules"), { recursive: true });
  assert.equal(isInstalled(), false);
});

test("the demo is seeded into a new embedded database that this machine alone reaches, or when asked for", () => {
  const dataDir = newDataDir();
  const APP_URL = "https://pay.example";
  assert.equal(wantsDemo({ dataDir }, {}), true);
  assert.equal(wantsDemo({ dataDir }, { APP_URL }), false);
  assert.equal(wantsDemo({ dataDir, databaseUrl: UNREACHABLE }, {}), false);
  assert.equal(wantsDemo({ dataDir, databaseUrl: UNREACHABLE }, { APP_URL, SEED_DEMO: "1" }), true);
  writeState(dataDir, { seeded: true });
  assert.equal(wantsDemo({ dataDir }, {}), false);
});

/**
 * Resolves to whether a process is gone well before its `sleep 60` ends: a kill takes effect a moment after it was sent.
 *
 * @param {number} pid
 */
const isGone = (pid) => waitFor(() => !isAlive(pid), 20_000);

function newDataDir() {
  return mkdtempSync(join(folder, "data-"));
}

/** A copy of the launcher in a project folder of its own. */
function cloneOfBin() {
  const clone = newDataDir();
  cpSync(join(root, "bin"), join(clone, "bin"), { recursive: true });
  return clone;
}

/**
 * Runs a command of the launcher to its end, with these settings and without the machine's own.
 *
 * @param {string} command
 * @param {import("./settings.mjs").Env} env
 */
async function launch(command, env) {
  const { PATH, HOME } = process.env;
  const own = { DATA_DIR: newDataDir(), PORT: String(await freePort()) };
  /** @type {import("./settings.mjs").Env} */
  const settings = { PATH, HOME, ...own, ...env };
  const { status, stdout, stderr } = spawnSync(process.execPath, [launcherFile, command], {
    cwd: root,
    encoding: "utf8",
    env: /** @type {NodeJS.ProcessEnv} */ (settings),
  });
  return { code: status, text: `${stdout}${stderr}`.trim() };
}
