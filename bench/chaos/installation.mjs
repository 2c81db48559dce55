import { existsSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { readJson } from "../../bin/files.mjs";
import { onStop } from "../../bin/lifecycle.mjs";
import { runForOutput } from "../../bin/processes.mjs";
import { readOrMakeSecrets } from "../../bin/secrets.mjs";
import { demoFile, launcherFile } from "../../bin/settings.mjs";
import { openAlone, openPair, openPooled } from "./databases.mjs";
import { readBalance } from "./partner.mjs";
import { postgresOf } from "./postgres.mjs";
import { keepRunning, until } from "./processes.mjs";

const STOP_WITHIN_MS = 60_000;
const STARTED_WITHIN_MS = 120_000;
/** How long an operator waits for an answer. Then the programs are killed, and after the same time the database too. */
export const PATIENCE_MS = 60_000;
const GIVE_UP_AFTER = 4;
const CLOCK = new URL("clock.mjs", import.meta.url).href;
const { PATH, HOME } = process.env;
const SETTINGS = { PATH, HOME, PARTNER_LIMIT_PER_MINUTE: "1000000000", LOG_LEVEL: "warn", SEED_DEMO: "1" };

/** How to start a program of ours. */
export const programOf = (name, role, env) => ({
  name,
  role,
  command: process.execPath,
  args: [launcherFile, role === "server" ? "start" : role],
  env: { ...SETTINGS, ...env },
});

const topologies = {
  one: openOne,
  many: (place) => openMany(place, { webs: 2, workers: 2, database: openAlone }),
  pooled: (place) => openMany(place, { webs: 4, workers: 2, database: openPooled }),
  failover: (place) => openMany(place, { webs: 2, workers: 2, database: openPair }),
};
export const TOPOLOGIES = Object.keys(topologies);

/**
 * One installation under test. `one`: a process like `npm start` with its embedded PostgreSQL. `many`: a PostgreSQL,
 * two `web` behind a balancer and two `worker`. `pooled`: four `web`, two `worker` and a pooler in front of PostgreSQL.
 * `failover`: as `many`, with a primary and its synchronous standby. Each program is started again when it ends. The
 * first port is for callers.
 */
export async function openInstallation(topology, { folder, data, remember, ports, mailUrl }) {
  const at = { folder, remember, ends: [] };
  const opened = await topologies[topology]({ data, ports, at, mailUrl });
  const { url, webUrls, programs, postgres, databases = () => [], settings = {}, failOver } = opened;
  const stop = () => stopInOrder(programs, databases, postgres);
  onStop(stop);
  const installation = { topology, url, data, postgres, programs, ends: at.ends, settings, failOver };
  const answers = async (address, token) => (await readBalance(address, token)).status === 200;
  return Object.assign(installation, {
    stop,
    logins: () => readJson(demoFile(data)),
    /** Whether a route that needs the database answers at the address that callers use. */
    answers: (token) => answers(url, token),
    /** Whether every program is up. */
    async isWhole(token) {
      if (programs.some(({ isReady }) => !isReady)) return false;
      return (await Promise.all(webUrls.map((address) => answers(address, token)))).every(Boolean);
    },
    ofRole: (role) => programs.filter((program) => program.role === role),
  });
}

/** A program's clock may be set while it runs. */
const clockOf = (name, { folder }) => {
  return { NODE_OPTIONS: `--import=${CLOCK}`, CHAOS_CLOCK: join(folder, `${name}.clock`) };
};

async function openOne({ data, ports: [port], at, mailUrl }) {
  const env = { PORT: String(port), DATA_DIR: data, MAIL_URL: mailUrl, ...clockOf("server", at) };
  const server = keepRunning(programOf("server", "server", env), at);
  await until(() => existsSync(demoFile(data)) && server.isReady, STARTED_WITHIN_MS);
  const url = `http://localhost:${port}`;
  return { url, webUrls: [url], programs: [server], postgres: postgresOf(data) };
}

async function openMany({ data, ports: [port, ...others], at, mailUrl }, { webs, workers, database: open }) {
  const { POSTGRES_PASSWORD: password, ...secrets } = readOrMakeSecrets(data, {});
  const webPorts = others.slice(0, webs);
  const { postgres, processes, urls, failOver } = await open({ data, password, ports: others.slice(webs), at });
  const url = `http://localhost:${port}`;
  await openBalancer(port, webPorts);
  const settings = { ...secrets, ...urls, DATA_DIR: data, APP_URL: url, MAIL_URL: mailUrl };
  const start = (role, nth, own) => {
    const name = `${role}${nth + 1}`;
    return keepRunning(programOf(name, role, { ...settings, PORT: String(own), ...clockOf(name, at) }), at);
  };
  const programs = [start("web", 0, webPorts[0])];
  await until(() => programs[0].isReady && existsSync(demoFile(data)), STARTED_WITHIN_MS);
  programs.push(...webPorts.slice(1).map((own, nth) => start("web", nth + 1, own)));
  programs.push(...Array.from({ length: workers }, (_, nth) => start("worker", nth, port)));
  await until(() => programs.every(({ isReady }) => isReady), STARTED_WITHIN_MS);
  const webUrls = webPorts.map((own) => `http://localhost:${own}`);
  return { url, webUrls, programs, postgres, databases: processes, settings, failOver };
}

/** Forwards each connection to the next web that accepts it, as a balancer in front of several machines does. */
async function openBalancer(port, ports) {
  let turn = 0;
  const server = createServer((socket) => {
    socket.on("error", () => {});
    const attempt = (left) => {
      if (left === 0) return socket.destroy();
      turn += 1;
      const upstream = connect(ports[turn % ports.length], "127.0.0.1");
      const tryNext = () => attempt(left - 1);
      upstream.once("error", tryNext);
      upstream.once("connect", () => {
        upstream.off("error", tryNext).on("error", () => socket.destroy());
        socket.on("close", () => upstream.destroy());
        upstream.on("close", () => socket.destroy());
        socket.pipe(upstream).pipe(socket);
      });
    };
    attempt(ports.length);
  });
  await new Promise((done) => server.listen(port, "127.0.0.1", done));
  onStop(() => server.close());
}

/** Ends the programs before their database. Returns how each program ended. */
async function stopInOrder(programs, databases, postgres) {
  postgres.signalAll("SIGCONT");
  const ends = await Promise.all(programs.map((program) => program.stop(STOP_WITHIN_MS)));
  for (const { stop } of databases()) await stop(STOP_WITHIN_MS);
  return programs.map(({ name }, index) => ({ name, ...ends[index] }));
}

/**
 * Waits until `isUp()`. After PATIENCE_MS the programs are killed, after the same time again the database too. Returns
 * how often that was needed. Throws when nothing helps.
 */
export async function bringUp({ programs, postgres }, isUp) {
  for (let rescues = 0; rescues < GIVE_UP_AFTER; rescues++) {
    if (await until(isUp, PATIENCE_MS, false)) return rescues;
    if (rescues > 0) postgres.signalAll("SIGKILL");
    for (const program of programs) program.signal("SIGKILL");
  }
  throw new Error("Nothing that an operator does brings the installation up again");
}

/** Runs `npm run reconcile` against the running installation. Returns `{isClean, output}`. */
export async function reconcile({ url, data, settings }) {
  const env = { ...SETTINGS, ...settings, DATA_DIR: data, PORT: new URL(url).port };
  const { code, output } = await runForOutput(process.execPath, [launcherFile, "reconcile"], { env });
  return { isClean: code === 0, output: output.trim() };
}
