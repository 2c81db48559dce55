import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { locateCluster } from "../../bin/cluster.mjs";
import { isAlive, worksIn } from "../../bin/processes.mjs";
import { signal } from "./processes.mjs";

const DATABASE = "repasse";

/** The PostgreSQL of a data folder, whoever started it: its processes, and its owner's address. */
export function postgresOf(data, readPassword) {
  const readPidFile = () => {
    try {
      const lines = readFileSync(join(locateCluster(data).data, "postmaster.pid"), "utf8").split("\n");
      return { pid: Number(lines[0]), port: Number(lines[3]), status: lines[7]?.trim() };
    } catch {
      return undefined;
    }
  };
  /** The process id of the postmaster that runs now, or undefined. */
  const postmaster = () => {
    const { pid } = readPidFile() ?? {};
    return pid && isAlive(pid) && worksIn(pid, locateCluster(data).data) ? pid : undefined;
  };
  const ownerUrl = (database = DATABASE) =>
    `postgresql://postgres:${readPassword()}@127.0.0.1:${readPidFile()?.port}/${database}`;
  return {
    postmaster,
    ownerUrl,
    isReady: () => postmaster() !== undefined && readPidFile()?.status === "ready",
    /** The postmaster's children: `{pid, title}`. */
    children: () => childrenOf(postmaster()),
    /** Sends a signal to the postmaster first and then to all its children; returns whom it was sent to. */
    signalAll(name) {
      const parent = postmaster();
      if (!parent) return [];
      const before = childrenOf(parent);
      signal(parent, name);
      const pids = [...new Set([...before, ...childrenOf(parent)].map(({ pid }) => pid))];
      for (const pid of pids) signal(pid, name);
      return [parent, ...pids];
    },
    /** A connection as the owner; throws when there is none. */
    async connect(database) {
      const client = new pg.Client({ connectionString: ownerUrl(database), connectionTimeoutMillis: 5_000 });
      client.on("error", () => {});
      await client.connect();
      return client;
    },
  };
}

function childrenOf(parent) {
  if (!parent) return [];
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" });
  return stdout
    .split("\n")
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter((found) => found && Number(found[2]) === parent)
    .map(([, pid, , title]) => ({ pid: Number(pid), title: title.replace(/^postgres: /, "").trim() }));
}
