import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { locateCluster } from "./cluster.mjs";
import { destroyPostgres, keepPostgres, startPostgres } from "./postgres.mjs";
import { findServer, waitFor } from "./postmaster.mjs";
import { childrenOf, findWorkers, isAlive } from "./processes.mjs";
import { makeRunFolder, TEST_PREFIX } from "./run-folder.mjs";
import { endWith, kill, query, run, runAndWait } from "./test-processes.mjs";

const folder = makeRunFolder(TEST_PREFIX);
/** One cluster for all tests, each of which leaves nothing running in it. */
const dataDir = join(folder, "data");

/**
 * The text of a call of a module's function for the data folder.
 *
 * @param {string} name
 */
const call = (name, more = "") => `({ ${name} }) => ${name}(${JSON.stringify(dataDir)}, "pw"${more})`;

/** Longer than any wait of ours: a test that waits so long has failed. */
const NEVER_MS = 60_000;

before(async () => {
  mkdirSync(dataDir, { mode: 0o700 });
  const { url, stop } = await startPostgres(dataDir, "pw");
  await query(url, "create table kept as select 7 as id");
  await stop();
});

after(async () => {
  await destroyPostgres(dataDir);
  rmSync(folder, { recursive: true, force: true });
});

test("a killed launcher's database is adopted, a killed database recovers, and nothing committed is lost", async () => {
  await kill(await runAndWait("postgres.mjs", call("startPostgres")));
  const orphan = serverPid();

  const adopted = await startPostgres(dataDir, "pw");
  assert.equal(serverPid(), orphan);
  await query(adopted.url, "insert into kept values (8)");
  process.kill(orphan, "SIGKILL");

  const recovered = await startPostgres(dataDir, "pw");
  assert.notEqual(serverPid(), orphan);
  await checkKept(recovered.url, [7, 8]);
  await query(recovered.url, "delete from kept where id = 8");
  await recovered.stop();
});

test("a start on a copy of a data folder is refused, and the original's server lives on", async () => {
  const { stop } = await startPostgres(dataDir, "pw");
  const pid = serverPid();
  const copy = join(folder, "copy");
  cpSync(dataDir, copy, { recursive: true });
  const lock = `({ lockDataDir }) => lockDataDir(${JSON.stringify(copy)}, 1).catch((error) => console.log(error.message))`;
  const refused = await runAndWait("lock.mjs", lock);
  assert.match(refused.printed(), / is a copy of /);
  assert.equal(await endWith(refused, "SIGTERM"), 0);
  assert.ok(isAlive(pid));
  assert.equal(existsSync(join(copy, "launcher.lock")), false);
  await stop();
});

test("a stop during a recovery ends, and the next start comes up", async () => {
  const { stop } = await startPostgres(dataDir, "pw");
  const pid = serverPid();
  process.kill(await helperOf(pid, "checkpointer"), "SIGKILL");
  await sleep(20);
  await stop();
  checkNothingRuns();
  const { url, stop: end } = await startPostgres(dataDir, "pw");
  await checkKept(url);
  await end();
});

test("a server whose helper process hangs is stopped", async () => {
  const { stop } = await startPostgres(dataDir, "pw");
  process.kill(await helperOf(serverPid(), "checkpointer"), "SIGSTOP");
  await stop();
  checkNothingRuns();
});

test("a server whose stop hangs is replaced, and nothing committed is lost", async () => {
  await kill(await runAndWait("postgres.mjs", call("startPostgres")));
  const hanging = serverPid();
  process.kill(await helperOf(hanging, "checkpointer"), "SIGSTOP");
  process.kill(hanging, "SIGINT");
  const { url, stop } = await startPostgres(dataDir, "pw");
  assert.equal(isAlive(hanging), false);
  await checkKept(url);
  await stop();
});

test("a server starts over an empty postmaster.pid, as a kill or a full disk leaves it", async () => {
  writeFileSync(noteFile(), "");
  const { url, stop } = await startPostgres(dataDir, "pw");
  await checkKept(url);
  await stop();
});

test("a first start comes up while the initdb of a killed launcher still runs", async () => {
  const fresh = join(folder, "fresh");
  mkdirSync(fresh, { mode: 0o700 });
  const child = run("postgres.mjs", call("startPostgres").replace(dataDir, fresh));
  const isMaking = () => existsSync(join(locateCluster(fresh).home, "data.new/base"));
  assert.ok(await waitFor(() => isOver(child) || isMaking(), NEVER_MS));
  child.kill("SIGKILL");
  const { stop } = await startPostgres(fresh, "pw");
  await stop();
  await destroyPostgres(fresh);
});

test("a server that dies or that others stop is started again on its port, until we stop it", async () => {
  const { url, stop } = await keepPostgres(dataDir, "pw", fail);
  for (const signal of /** @type {const} */ (["SIGKILL", "SIGINT"])) {
    const before = serverPid();
    process.kill(before, signal);
    assert.ok(await waitFor(() => ![undefined, before].includes(findServer(dataOf())?.pid), NEVER_MS));
    await eventually(() => checkKept(url));
  }
  await stop();
  checkNothingRuns();
});

test("an adopted server that dies is started again too", async () => {
  await kill(await runAndWait("postgres.mjs", call("startPostgres")));
  const before = serverPid();
  const { url, stop } = await keepPostgres(dataDir, "pw", fail);
  process.kill(before, "SIGKILL");
  await eventually(() => checkKept(url));
  assert.notEqual(serverPid(), before);
  await stop();
});

test("a launcher whose database cannot be started again prints one sentence and ends with 1", async () => {
  const lifecycle = new URL("lifecycle.mjs", import.meta.url).href;
  const child = await runAndWait(
    "postgres.mjs",
    call("keepPostgres", `, (await import("${lifecycle}")).giveUp`).replace("(", "async ("),
  );
  const ended = new Promise((done) => child.once("close", done));
  const pid = serverPid();
  renameSync(dataOf(), `${dataOf()}.away`);
  process.kill(pid, "SIGKILL");
  assert.equal(await ended, 1);
  assert.match(child.printed(), /^done\nThe embedded PostgreSQL ended; .+\.\nThe database in .+ is gone: .+\.\n$/);
  renameSync(`${dataOf()}.away`, dataOf());
});

test("a launcher that is stopped at any instant of a start leaves no server behind", async () => {
  // The server is killed each time, so that every start is also a recovery.
  for (const wait of [0, 20, 60]) {
    await kill(await runAndWait("postgres.mjs", call("startPostgres")));
    process.kill(serverPid(), "SIGKILL");
    const child = run("postgres.mjs", call("startPostgres"));
    const before = readFileSync(noteFile(), "utf8");
    assert.ok(await waitFor(() => isOver(child) || changed(before), NEVER_MS));
    await sleep(wait);
    assert.equal(await endWith(child, "SIGTERM"), 0, child.printed());
    checkNothingRuns();
  }
});

test("a launcher that is stopped before it adopts the database of a killed launcher stops that database", async () => {
  await kill(await runAndWait("postgres.mjs", call("startPostgres")));
  const child = await runAndWait("lock.mjs", call("tryLockDataDir"));
  assert.equal(await endWith(child, "SIGTERM"), 0, child.printed());
  checkNothingRuns();
});

/** @param {unknown} error */
const fail = (error) => assert.fail(String(error));
const dataOf = () => locateCluster(dataDir).data;
const noteFile = () => join(dataOf(), "postmaster.pid");
/** @param {import("node:child_process").ChildProcess} child */
const isOver = ({ exitCode, signalCode }) => exitCode !== null || signalCode !== null;

function serverPid() {
  const server = findServer(dataOf());
  assert.ok(server);
  return server.pid;
}

/** @param {string} before */
function changed(before) {
  try {
    return readFileSync(noteFile(), "utf8") !== before;
  } catch {
    return false;
  }
}

function checkNothingRuns() {
  assert.deepEqual(
    { server: findServer(dataOf()), left: findWorkers("postgres", dataOf()) },
    { server: undefined, left: [] },
  );
}

/**
 * @param {string} url
 * @param {number[]} [ids]
 */
async function checkKept(url, ids = [7]) {
  const rows = await query(url, "select id from kept order by id");
  assert.deepEqual(
    rows.map(({ id }) => id),
    ids,
  );
}

/**
 * Repeats a check until it passes.
 *
 * @param {() => Promise<void>} check
 */
async function eventually(check) {
  const until = performance.now() + NEVER_MS;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > until) throw error;
      await sleep(50);
    }
  }
}

/**
 * The server's process with this title, once it is there.
 *
 * @param {number} pid
 * @param {string} title
 * @returns {Promise<number>}
 */
async function helperOf(pid, title) {
  const find = () => childrenOf(pid).find((child) => titleOf(child).includes(title));
  await waitFor(find, NEVER_MS);
  const found = find();
  assert.ok(found);
  return found;
}

/** @param {number} pid */
function titleOf(pid) {
  return spawnSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" }).stdout;
}
