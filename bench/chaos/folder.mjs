import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { NOBODY } from "../../bin/cluster.mjs";
import { onStop } from "../../bin/lifecycle.mjs";
import { destroyPostgres } from "../../bin/postgres.mjs";
import { birthMark, isAlive, signal } from "../../bin/processes.mjs";
import { findLeftFolders, makeRunFolder } from "../../bin/run-folder.mjs";
import { postgresOf } from "./postgres.mjs";

const PREFIX = "repasse-chaos-";
const MEGABYTE = 2 ** 20;
const DISK_BYTES = 4096 * MEGABYTE;
/** What is left on a full disk: two pages. */
const SLACK_BYTES = 16_384;
const GONE_WITHIN_MS = 20_000;

/**
 * The run's folder. `data` is the DATA_DIR under test, on a disk of its own where we may mount one. The logs lie beside
 * it. At the end `data` is deleted, and the rest too unless `keep()` was called.
 */
export async function openFolder() {
  for (const left of findLeftFolders(PREFIX)) {
    if (existsSync(join(left, "data"))) await clear(left);
  }
  const folder = makeRunFolder(PREFIX);
  // PostgreSQL runs as another user and must be able to enter.
  chmodSync(folder, 0o711);
  const data = join(folder, "data");
  mkdirSync(data, { mode: 0o711 });
  const isMounted = mount(data);
  const remember = (pid) => appendFileSync(processesOf(folder), `${JSON.stringify({ pid, birth: birthMark(pid) })}\n`);
  let isKept = false;
  onStop(async () => {
    await clear(folder);
    if (!isKept) rmSync(folder, { recursive: true, force: true });
  });
  const keep = () => {
    isKept = true;
  };
  return { folder, data, remember, keep, disk: isMounted ? diskOf(data) : undefined };
}

/** A disk whose size can be changed, so that it can be made full and free again. */
function diskOf(data) {
  const resize = (bytes) => run("mount", ["-o", `remount,size=${Math.ceil(bytes / 4096) * 4096}`, data]);
  return {
    /** Returns whether it is full now. */
    fill() {
      for (let slack = SLACK_BYTES; slack < 64 * MEGABYTE; slack *= 2) {
        const { blocks, bfree, bsize } = statfsSync(data);
        if (resize((blocks - bfree) * bsize + slack)) return true;
      }
      return false;
    },
    free: () => resize(DISK_BYTES),
  };
}

function mount(data) {
  if (process.platform !== "linux" || process.getuid() !== 0) return false;
  if (!run("mount", ["-t", "tmpfs", "-o", `size=${DISK_BYTES},mode=0711`, "tmpfs", data])) return false;
  // When this folder is there, the launcher keeps the cluster in DATA_DIR even for root.
  mkdirSync(join(data, "postgres"));
  chownSync(join(data, "postgres"), NOBODY, NOBODY);
  return true;
}

const run = (command, args) => spawnSync(command, args).status === 0;
const processesOf = (folder) => join(folder, "processes.jsonl");

/** Ends every process that the run started and that still lives, then deletes its databases. */
async function clear(folder) {
  const lines = existsSync(processesOf(folder)) ? readFileSync(processesOf(folder), "utf8").split("\n") : [];
  const ours = lines.filter(Boolean).map((line) => JSON.parse(line));
  const living = ours.filter(({ pid, birth }) => isAlive(pid) && birthMark(pid) === birth);
  for (const { pid } of living) signal(pid, "SIGKILL");
  const until = performance.now() + GONE_WITHIN_MS;
  while (living.some(({ pid }) => isAlive(pid)) && performance.now() < until) await sleep(50);
  const log = join(folder, "data/postgres.log");
  if (existsSync(log)) copyFileSync(log, join(folder, "postgres.log"));
  for (const name of readdirSync(folder).filter((entry) => /^(data|side\d+)$/.test(entry))) {
    const data = join(folder, name);
    await destroyPostgres(data).catch(() => {
      postgresOf(data).signalAll("SIGKILL");
      return destroyPostgres(data);
    });
    if (name === "data" && run("mountpoint", ["-q", data])) run("umount", [data]) || run("umount", ["-l", data]);
    rmSync(data, { recursive: true, force: true });
  }
  for (const name of readdirSync(folder).filter((entry) => entry.endsWith("-copy"))) {
    rmSync(join(folder, name), { recursive: true, force: true });
  }
}
