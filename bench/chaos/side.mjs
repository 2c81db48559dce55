import { cpSync, existsSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { withClient } from "../../bin/client.mjs";
import { onStop } from "../../bin/lifecycle.mjs";
import { destroyPostgres } from "../../bin/postgres.mjs";
import { signal } from "../../bin/processes.mjs";
import { launcherFile, root } from "../../bin/settings.mjs";
import { PATIENCE_MS, programOf } from "./installation.mjs";
import { readBalance } from "./partner.mjs";
import { postgresOf } from "./postgres.mjs";
import { ended, isRunning, startProcess, stopProcess, until } from "./processes.mjs";

const MIGRATES_WITHIN_MS = 60_000;
const INSTALLS_WITHIN_MS = 900_000;
const STOPS_WITHIN_MS = 60_000;
const NOT_COPIED = /^(node_modules|\.next|dist|\.git|\.data.*|prisma\/client)$/;

/**
 * A new installation is interrupted while it migrates, then started again. Throws when it does not come up.
 */
export async function interruptMigration(context) {
  const by = context.random.pick(["SIGKILL", "SIGTERM", "SIGINT"]);
  const side = await openSide(context);
  try {
    const first = side.start();
    await until(() => side.isMigrating() || !isRunning(first), MIGRATES_WITHIN_MS, false);
    await sleep(context.random.between(0, 250));
    const state = isRunning(first) ? by : "it had ended";
    signal(first.pid, by);
    await Promise.race([ended(first), sleep(STOPS_WITHIN_MS, undefined, { ref: false })]);
    if (isRunning(first)) signal(first.pid, "SIGKILL");
    await comesUp(side.start(), side.url, PATIENCE_MS);
    return state;
  } finally {
    await side.clear();
  }
}

/** A copy of the project is interrupted while it installs its packages, then started again. Throws when it does not come up. */
export async function interruptInstall(context) {
  const copy = join(context.folder, `side${context.number}-copy`);
  const filter = (path) => !NOT_COPIED.test(relative(root, path));
  cpSync(root, copy, { recursive: true, filter, verbatimSymlinks: true });
  const side = await openSide({ ...context, sidePort: context.installPort }, copy);
  try {
    const first = side.start();
    await until(() => existsSync(join(copy, "node_modules")) || !isRunning(first), MIGRATES_WITHIN_MS, false);
    await sleep(context.random.between(0, 6_000));
    signal(first.pid, "SIGKILL");
    await ended(first);
    await comesUp(side.start(), side.url, INSTALLS_WITHIN_MS);
    return "SIGKILL";
  } finally {
    await side.clear();
    rmSync(copy, { recursive: true, force: true });
  }
}

/** An installation of its own: a data folder, or another database in the cluster of `many`. */
async function openSide(context, cwd = root) {
  const { folder, remember, sidePort, installation } = context;
  const name = `side${context.number}`;
  const data = join(folder, name);
  const isEmbedded = installation.topology === "one" || cwd !== root;
  const url = `http://localhost:${sidePort}`;
  const env = { PORT: String(sidePort), DATA_DIR: data };
  if (!isEmbedded) {
    const owner = await installation.postgres.connect("postgres");
    await owner.query(`create database ${name}`);
    await owner.end();
    Object.assign(env, { ...installation.settings, ...env, DATABASE_URL: installation.postgres.ownerUrl(name) });
    for (const shared of ["APP_URL", "SIMULATOR_URL", "DIRECT_URL"]) delete env[shared];
  }
  const own = postgresOf(data);
  const databaseUrl = () => env.DATABASE_URL ?? own.ownerUrl();
  const children = [];
  const clear = onStop(async () => {
    for (const child of children) {
      await stopProcess(child, STOPS_WITHIN_MS);
      signal(-child.pid, "SIGKILL"); // npm may outlive the launcher that called it
    }
    await destroyPostgres(data).catch(() => own.signalAll("SIGKILL"));
    await destroyPostgres(data);
    rmSync(data, { recursive: true, force: true });
  });
  const start = () => {
    const program = programOf(name, isEmbedded ? "server" : "web", env);
    if (cwd !== root) Object.assign(program, { cwd, args: [join(cwd, relative(root, launcherFile)), "start"] });
    children.push(startProcess(program, { folder, remember }));
    return children.at(-1);
  };
  const isMigrating = () => (isEmbedded && !own.isReady() ? false : hasMigrations(databaseUrl()));
  return { url, start, clear, isMigrating };
}

/** Whether the table of applied migrations is there, which means that the first of them has begun. */
const hasMigrations = (url) =>
  withClient(url, async (client) => {
    const { rows } = await client.query("select to_regclass('public._prisma_migrations') is not null as made");
    return rows[0].made;
  }).catch(() => false);

/** Waits until a caller without a token is answered 401, which needs the database. Throws with the program's last lines. */
async function comesUp(child, url, withinMs) {
  const answers = async () => (await readBalance(url, "nobody")).status === 401;
  if (await until(async () => !isRunning(child) || (await answers()), withinMs, false)) {
    if (isRunning(child)) return;
  }
  const state = isRunning(child) ? `did not answer for ${withinMs / 1000} s` : `ended with ${child.exitCode}`;
  throw new Error(`Started again, it ${state}: ${child.lines.join(" | ")}`);
}
