import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { chownSync, copyFileSync, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { withClient } from "./client.mjs";
import { NOBODY } from "./cluster.mjs";
import { prepareDatabase } from "./database.mjs";
import { destroyPostgres, startPostgres, urlOf } from "./postgres.mjs";
import { runForOutput } from "./processes.mjs";
import { makeRunFolder, TEST_PREFIX } from "./run-folder.mjs";
import { readOrMakeSecrets, secretsFile } from "./secrets.mjs";
import { freePort, launcherFile } from "./settings.mjs";
import { query } from "./test-processes.mjs";

const folder = makeRunFolder(TEST_PREFIX);
const isRoot = process.getuid?.() === 0;
const nobody = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
/** Debian's PostgreSQL 15: the embedded package has no pg_dump. */
const DEBIANS = "/usr/lib/postgresql/15/bin";
const SECRET = "s".repeat(43);
const SELLER = "00000000-0000-7000-8000-000000000002";
const PLATFORM = "00000000-0000-7000-8000-000000000000";

/** Log files of 16 MB that are begun during a backup; on a slow disk there would be gigabytes of them. */
const LOG_FILES = 20;

const BALANCES = `select account_id, kind, sum(amount)::int as amount from (
    select account_id, kind, amount from ledger_snapshots union all select account_id, kind, amount from ledger_tail
  ) parts group by 1, 2 order by 1, 2`;

after(() => rmSync(folder, { recursive: true, force: true }));

test("a backup under load has every write acknowledged before its end, and restores into an empty folder only", async () => {
  const [from, to] = [newDataDir("from"), newDataDir("to")];
  try {
    const secrets = readOrMakeSecrets(from, {});
    const { url, stop } = await startPostgres(from, secrets.POSTGRES_PASSWORD);
    await prepareDatabase(url, secrets.SESSION_SECRET);
    // As a start does that is under way: the launcher's command finds the database running.
    writeFileSync(join(from, "launcher.lock"), JSON.stringify({ pid: process.pid }));

    let isOver = false;
    let [acknowledged, acknowledgedBeforeEnd, switched] = [0, 0, 0];
    const load = withClient(url, async (client) => {
      while (!isOver) {
        await post(client, acknowledged + 1);
        acknowledged++;
        const { rows } = await client.query("select phase from pg_stat_progress_basebackup");
        if (rows[0]?.phase !== "streaming database files") continue;
        acknowledgedBeforeEnd = acknowledged;
        if (switched++ >= LOG_FILES) continue;
        await client.query("select pg_switch_wal()");
        await client.query("checkpoint"); // which removes the log that nobody needs
      }
    });
    while (acknowledged === 0) await query(url, "select");
    const backups = join(folder, "backups");
    const made = await launch("backup", from, backups);
    isOver = true;
    await load;
    assert.match(made.output, /Its keys are not in it/);
    const [backup] = /\/[^\n]*backups\/[^\n]+Z/.exec(made.output) ?? [];
    assert.ok(backup);
    assert.equal(statSync(backup).mode & 0o777, 0o700);
    assert.equal(statSync(join(backup, "base.tar.gz")).mode & 0o777, 0o600);
    await stop();

    assert.match((await launch("restore", to, backup)).output, /^The backup needs its keys: POSTGRES_PASSWORD, /m);
    copyFileSync(secretsFile(from), secretsFile(to));
    writeFileSync(join(to, "mine"), "");
    assert.match((await launch("restore", to, backup)).output, /is not empty, it holds mine: /);
    rmSync(join(to, "mine"));
    const done = await launch("restore", to, backup);
    assert.equal(done.code, 0, done.output);
    assert.match((await launch("restore", to, backup)).output, /is not empty, it has a database: /);

    const restored = await startPostgres(to, secrets.POSTGRES_PASSWORD);
    await prepareDatabase(restored.url, secrets.SESSION_SECRET);
    const [kept] = await query(restored.url, "select count(*)::int as postings from ledger_postings");
    assert.ok(acknowledgedBeforeEnd > 0);
    assert.ok(kept.postings >= acknowledgedBeforeEnd, `${kept.postings} of ${acknowledgedBeforeEnd} are there`);
    const cents = (kept.postings * (kept.postings + 1)) / 2;
    const balances = [
      { account_id: PLATFORM, kind: "demo", amount: -cents },
      { account_id: SELLER, kind: "available", amount: cents },
    ];
    assert.deepEqual(await query(restored.url, BALANCES), balances);
    await restored.stop();
  } finally {
    for (const dataDir of [from, to]) await destroyPostgres(dataDir);
  }
});

const isAbsent = !existsSync(DEBIANS) && `there is no PostgreSQL 15 in ${DEBIANS}`;

test("a dump of one's own PostgreSQL, restored into another by the documented commands, starts with equal balances", {
  skip: isAbsent,
}, async () => {
  const [from, to] = [await debiansCluster("dumped"), await debiansCluster("filled")];
  try {
    await prepareDatabase(from.owner, SECRET);
    await withClient(from.owner, (client) => post(client, 1_990));
    const balances = await query(from.admin, BALANCES);
    assert.equal(balances.length, 2);

    const byOwner = await debian("pg_dump", ["--file=/dev/null", from.owner]);
    assert.match(byOwner.output, /row-level security/);
    await query(from.admin, "create role repasse_backup login bypassrls; grant pg_read_all_data to repasse_backup");
    const dump = join(from.place, "repasse.dump");
    const asBackup = Object.assign(new URL(from.owner), { username: "repasse_backup" }).href;
    await succeed("pg_dump", ["--format=custom", `--file=${dump}`, asBackup]);
    await query(to.owner, "create role repasse_program; grant repasse_program to owner");
    await succeed("pg_restore", ["--exit-on-error", `--dbname=${to.owner}`, dump]);

    await prepareDatabase(to.owner, SECRET);
    assert.deepEqual(await query(to.admin, BALANCES), balances);
    await assert.rejects(query(to.admin, "update ledger_entries set amount = 0")); // its triggers came along
  } finally {
    for (const { stop } of [from, to]) await stop();
  }
});

/** @param {string} name */
function newDataDir(name) {
  const dataDir = join(folder, name);
  mkdirSync(dataDir, { mode: 0o700 });
  return dataDir;
}

/**
 * Posts an amount of money from outside to the seller.
 *
 * @param {import("pg").Client} client
 * @param {number} amount Cents.
 */
async function post(client, amount) {
  const accounts = { accounts: [PLATFORM, SELLER], kinds: ["demo", "available"], amounts: [-amount, amount] };
  const fact = { id: randomUUID(), account_id: SELLER, type: "demo_funded", source_id: randomUUID(), ...accounts };
  await client.query("select set_config('app.accounts', '*', false), ledger_post($1)", [JSON.stringify([fact])]);
}

/**
 * @param {string} command
 * @param {string} dataDir
 * @param {string} argument
 */
function launch(command, dataDir, argument) {
  const { PATH, HOME } = process.env;
  return runForOutput(process.execPath, [launcherFile, command, argument], { env: { PATH, HOME, DATA_DIR: dataDir } });
}

/**
 * A cluster of Debian's, with an owner who is no superuser, and his database.
 *
 * @param {string} name
 */
async function debiansCluster(name) {
  const place = newDataDir(name);
  if (isRoot) for (const path of [folder, place]) chownSync(path, NOBODY, NOBODY);
  const data = join(place, "data");
  await succeed("initdb", ["-D", data, "-U", "postgres", "--auth=trust", "--no-sync"]);
  const port = await freePort();
  const settings = `-p ${port} -c unix_socket_directories='' -c fsync=off`;
  await succeed("pg_ctl", ["-D", data, "-w", "-l", join(place, "log"), "-o", settings, "start"]);
  const stop = () => debian("pg_ctl", ["-D", data, "-m", "immediate", "stop"]);
  await query(urlOf("postgres", port, ""), "create role owner login createrole");
  await query(urlOf("postgres", port, ""), "create database repasse owner owner");
  const admin = urlOf("repasse", port, "");
  return { place, admin, owner: Object.assign(new URL(admin), { username: "owner" }).href, stop };
}

/**
 * @param {string} program
 * @param {string[]} args
 */
const debian = (program, args) => runForOutput(join(DEBIANS, program), args, { ...nobody, cwd: folder });

/**
 * @param {string} program
 * @param {string[]} args
 */
async function succeed(program, args) {
  const { code, output } = await debian(program, args);
  assert.equal(code, 0, output);
}
