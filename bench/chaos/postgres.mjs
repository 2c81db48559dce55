import { spawnSync } from "node:child_process";
import pg from "pg";
import { locateCluster } from "../../bin/cluster.mjs";
import { DATABASE, urlOf } from "../../bin/postgres.mjs";
import { findServer, readNote } from "../../bin/postmaster.mjs";
import { signal } from "../../bin/processes.mjs";
import { readSecrets } from "../../bin/secrets.mjs";

/** The PostgreSQL of a data folder, whoever started it: its processes, and its owner's URL. `folder` is its cluster's. */
export function postgresOf(dataDir, folder = () => locateCluster(dataDir).data) {
  /** The process id of the postmaster that runs now, or undefined. */
  const postmaster = () => findServer(folder())?.pid;
  const ownerUrl = (database = DATABASE) =>
    urlOf(database, readNote(folder())?.port, readSecrets(dataDir).POSTGRES_PASSWORD);
  return {
    postmaster,
    ownerUrl,
    isReady: () => findServer(folder())?.status === "ready",
    /** The postmaster's children: `{pid, title}`. */
    children: () => childrenOf(postmaster()),
    /** Sends a signal to the postmaster first and then to all its children. Returns their process ids. */
    signalAll(name) {
      const parent = postmaster();
      if (!parent) return [];
      const before = childrenOf(parent);
      signal(parent, name);
      const pids = [...new Set([...before, ...childrenOf(parent)].map(({ pid }) => pid))];
      for (const pid of pids) signal(pid, name);
      return [parent, ...pids];
    },
    /** A connection as the owner. Throws when none can be made. */
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
