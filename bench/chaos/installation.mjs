import { existsSync } from "node:fs";
import { connect, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { prepareCluster } from "../../bin/cluster.mjs";
import { readJson } from "../../bin/files.mjs";
import { onStop } from "../../bin/lifecycle.mjs";
import { runForOutput } from "../../bin/processes.mjs";
import { readOrMakeSecrets } from "../../bin/secrets.mjs";
import { demoFile, launcherFile } from "../../bin/settings.mjs";
import { readBalance } from "./partner.mjs";
import { postgresOf } from "./postgres.mjs";
import { keepRunning } from "./processes.mjs";

const STOP_WITHIN_MS = 60_000;
const POLL_MS = 50;
/** How long an operator waits for an answer. Then the programs are killed, and after the same time the database too. */
export const PATIENCE_MS = 60_000;
const GIVE_UP_AFTER = 4;
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

/**
 * One installation under test. `one`: a process like `npm start` with its embedded PostgreSQL. `many`: a PostgreSQL,
 * two `web` behind a balancer and two `worker`. Each program is started again when it ends.
 */
export async function openInstallation(topology, { folder, data, remember, ports }) {
  const at = { folder, remember, ends: [] };
  const open = topology === "one" ? openOne : openMany;
  const postgres = postgresOf(data);
  const { url, webUrls, programs, others = [], secrets = {} } = await open({ data, ports, at, postgres });
  const all = [...others, ...programs];
  const stop = () => stopInOrder(all, postgres);
  onStop(stop);
  const installation = { topology, url, data, postgres, programs, ends: at.ends, secrets, env: { DATA_DIR: data } };
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

async function openOne({ data, ports, at }) {
  const [port] = ports;
  const server = keepRunning(programOf("server", "server", { PORT: String(port), DATA_DIR: data }), at);
  await until(() => existsSync(demoFile(data)) && server.isReady, 120_000);
  const url = `http://localhost:${port}`;
  return { url, webUrls: [url], programs: [server] };
}

async function openMany({ data, ports: [port, first, second, databasePort], at, postgres }) {
  const { POSTGRES_PASSWORD, ...secrets } = readOrMakeSecrets(data, {});
  const database = await startDatabase({ data, password: POSTGRES_PASSWORD, port: databasePort, at });
  await until(() => database.isReady, PATIENCE_MS);
  const owner = await postgres.connect("postgres");
  await owner.query("create database repasse");
  await owner.end();
  const url = `http://localhost:${port}`;
  await openBalancer(port, [first, second]);
  const shared = { ...secrets, DATABASE_URL: postgres.ownerUrl(), DATA_DIR: data, APP_URL: url, SIMULATOR_URL: url };
  const web = (name, own) => keepRunning(programOf(name, "web", { ...shared, PORT: String(own) }), at);
  const worker = (name) => keepRunning(programOf(name, "worker", { ...shared, PORT: String(port) }), at);
  const programs = [web("web1", first)];
  await until(() => programs[0].isReady && existsSync(demoFile(data)), 120_000);
  programs.push(web("web2", second), worker("worker1"), worker("worker2"));
  await until(() => programs.every(({ isReady }) => isReady), 120_000);
  const webUrls = [first, second].map((own) => `http://localhost:${own}`);
  return { url, webUrls, programs, others: [database], secrets: { ...secrets, ...shared } };
}

/** A PostgreSQL of the operator's own, which a service manager starts again. */
async function startDatabase({ data, password, port, at }) {
  const cluster = await prepareCluster(data, password);
  const settings = ["listen_addresses=127.0.0.1", "unix_socket_directories=", `port=${port}`, "max_connections=100"];
  const args = ["-D", cluster.data, ...settings.flatMap((setting) => ["-c", setting])];
  const how = { command: cluster.postgres, args, env: {}, cwd: "/", ...cluster.owner };
  return keepRunning({ name: "database", role: "database", stopBy: "SIGINT", ...how }, at);
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
async function stopInOrder(all, postgres) {
  postgres.signalAll("SIGCONT");
  const programs = all.filter(({ role }) => role !== "database");
  const ends = await Promise.all(programs.map((program) => program.stop(STOP_WITHIN_MS)));
  for (const { stop } of all.filter(({ role }) => role === "database")) await stop(STOP_WITHIN_MS);
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

/** Polls until the condition holds. When the time is over, it throws, or returns false unless `isNeeded`. */
export async function until(condition, withinMs, isNeeded = true) {
  const end = performance.now() + withinMs;
  while (!(await condition())) {
    if (performance.now() > end) {
      if (isNeeded) throw new Error(`Not within ${withinMs / 1000} s: ${condition}`);
      return false;
    }
    await sleep(POLL_MS);
  }
  return true;
}

/** Runs `npm run reconcile` against the running installation. Returns `{isClean, output}`. */
export async function reconcile({ topology, url, data, secrets }) {
  const env = { ...SETTINGS, ...(topology === "many" && secrets), DATA_DIR: data, PORT: new URL(url).port };
  const { code, output } = await runForOutput(process.execPath, [launcherFile, "reconcile"], { env });
  return { isClean: code === 0, output: output.trim() };
}
