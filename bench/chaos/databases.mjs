import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { locateCluster, prepareCluster } from "../../bin/cluster.mjs";
import { DATABASE, urlOf } from "../../bin/postgres.mjs";
import { signal } from "../../bin/processes.mjs";
import { openPooler } from "../pooler.mjs";
import { postgresOf } from "./postgres.mjs";
import { keepRunning, until } from "./processes.mjs";

const READY_WITHIN_MS = 60_000;
const STOP_WITHIN_MS = 60_000;
/** How long an operator's watchdog takes to find that a primary is gone, and for how long a silent one stays silent. */
const NOTICED_AFTER_MS = 3_000;
const SILENT_MS = 15_000;
const SERVER_CONNECTIONS = 20;
/** What a copy of a running cluster must not bring along. */
const OF_THE_ORIGINAL = ["postmaster.pid", "postmaster.opts", "standby.signal", "backup_label", "pg_wal"];

const settingsOf = (port) => ({
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  port,
  max_connections: 100,
  wal_keep_size: "1GB",
});

/**
 * A PostgreSQL of the operator's own, which a service manager starts again. `urls` are the settings by which a program
 * finds it.
 */
export async function openAlone({ data, password, ports: [port], at }) {
  const cluster = await prepareCluster(data, password);
  const process = keepPostgres({ name: "database", folder: cluster.data, cluster, port, at });
  const postgres = postgresOf(data);
  await ready(process);
  await makeDatabase(postgres);
  return { postgres, processes: () => [process], urls: { DATABASE_URL: postgres.ownerUrl() } };
}

/** The same behind a pooler that lends its few connections for a transaction. */
export async function openPooled({ ports: [port, poolerPort], ...place }) {
  const database = await openAlone({ ...place, ports: [port] });
  await openPooler({ port: poolerPort, target: port, serverConnections: SERVER_CONNECTIONS });
  const urls = { DATABASE_URL: urlOf(DATABASE, poolerPort, place.password), DIRECT_URL: database.postgres.ownerUrl() };
  return { ...database, urls };
}

/**
 * A primary whose commits wait for its standby, and a watchdog that promotes the standby (`failOver`). What was the
 * primary is copied anew from the one that is, and becomes its standby.
 */
export async function openPair({ data, password, ports, at }) {
  const cluster = await prepareCluster(data, password);
  const folders = [cluster.data, join(locateCluster(data).home, "other")];
  const urlAt = (nth, database) => urlOf(database, ports[nth], password);
  const start = (nth) =>
    keepPostgres({ name: `database${nth + 1}`, folder: folders[nth], cluster, port: ports[nth], at });
  let primary = 0;
  const running = [start(0), undefined];
  const postgres = postgresOf(data, () => folders[primary]);
  await ready(running[0]);
  await makeDatabase(postgres);

  /** Makes a standby of the place that is not the primary's. */
  async function addStandby() {
    const [from, nth] = [primary, 1 - primary];
    const owner = await connectTo(urlAt(from, "postgres"));
    try {
      await copyCluster(owner, folders[from], folders[nth]);
      const source = `host=127.0.0.1 port=${ports[from]} user=postgres password=${password} application_name=standby`;
      appendFileSync(join(folders[nth], "postgresql.auto.conf"), `primary_conninfo = '${source}'\n`);
      writeFileSync(join(folders[nth], "standby.signal"), "");
      spawnSync("chown", ["-R", `--reference=${folders[from]}`, folders[nth]]);
      running[nth] = start(nth);
      await ready(running[nth]);
      await until(async () => (await states(owner)).includes("streaming"), READY_WITHIN_MS);
      await owner.query("alter system set synchronous_standby_names = '*'");
      await owner.query("select pg_reload_conf()");
      await until(async () => (await states(owner)).includes("sync"), READY_WITHIN_MS);
    } finally {
      await owner.end().catch(() => {});
    }
  }

  await addStandby();
  let pair = Promise.resolve();

  /** Ends the primary, or silences it for a while, promotes its standby, and resolves when that takes writes. */
  async function failOver(by) {
    await pair;
    const [old, next] = [primary, 1 - primary];
    running[old].abandon();
    const pids = postgres.signalAll(by);
    const endOld = () => {
      for (const pid of pids) signal(pid, "SIGKILL");
    };
    await sleep(NOTICED_AFTER_MS);
    const owner = await connectTo(urlAt(next, "postgres"));
    await owner.query("select pg_promote(true, 30)");
    await owner.end();
    primary = next;
    pair = rejoin(old, endOld);
    pair.catch(() => {});
    return `${by}, ${pids.length} processes, ${ports[old]} → ${ports[next]}`;
  }

  async function rejoin(old, endOld) {
    await sleep(SILENT_MS);
    endOld();
    await running[old].stop(STOP_WITHIN_MS);
    // Another fault may end the new primary meanwhile.
    for (let attempt = 1; ; attempt++) {
      try {
        return await addStandby();
      } catch (error) {
        await running[old].stop(STOP_WITHIN_MS);
        if (attempt === 5) throw error;
        await sleep(NOTICED_AFTER_MS);
      }
    }
  }

  const hosts = ports.map((port) => `127.0.0.1:${port}`).join(",");
  const DATABASE_URL = `postgresql://postgres:${password}@${hosts}/${DATABASE}?target_session_attrs=read-write`;
  return { postgres, processes: () => running, urls: { DATABASE_URL }, failOver };
}

const states = async (owner) => {
  const { rows } = await owner.query("select state, sync_state from pg_stat_replication");
  return rows.flatMap(({ state, sync_state }) => [state, sync_state]);
};

function keepPostgres({ name, folder, cluster, port, at }) {
  const settings = Object.entries(settingsOf(port)).flatMap(([key, value]) => ["-c", `${key}=${value}`]);
  const how = { command: cluster.postgres, args: ["-D", folder, ...settings], env: {}, cwd: "/", ...cluster.owner };
  return keepRunning({ name, role: "database", stopBy: "SIGINT", ...how }, at);
}

const ready = (process) => until(() => process.isReady, READY_WITHIN_MS);

async function makeDatabase(postgres) {
  const owner = await postgres.connect("postgres");
  await owner.query(`create database ${DATABASE}`);
  await owner.end();
}

async function connectTo(connectionString) {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000 });
  client.on("error", () => {});
  await client.connect();
  return client;
}

/** A copy of a running cluster that recovery makes whole. The original keeps the log that was written meanwhile. */
async function copyCluster(owner, from, to) {
  rmSync(to, { recursive: true, force: true });
  await owner.query("select pg_backup_start('standby', true)");
  spawnSync("cp", ["-a", from, to]); // files that vanish meanwhile make it fail, and are not needed
  const { rows } = await owner.query("select labelfile, spcmapfile from pg_backup_stop(false)");
  if (!existsSync(join(to, "global"))) throw new Error(`${from} was not copied`);
  for (const name of OF_THE_ORIGINAL) rmSync(join(to, name), { recursive: true, force: true });
  mkdirSync(join(to, "pg_wal/archive_status"), { recursive: true, mode: 0o700 });
  writeFileSync(join(to, "backup_label"), rows[0].labelfile);
}
