import { existsSync, readFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { prepareCluster } from "../../bin/cluster.mjs";
import { onStop } from "../../bin/lifecycle.mjs";
import { runProgram } from "../../bin/processes.mjs";
import { readOrMakeSecrets, readSecrets } from "../../bin/secrets.mjs";
import { root } from "../../bin/settings.mjs";
import { readBalance } from "./partner.mjs";
import { postgresOf } from "./postgres.mjs";
import { keepRunning } from "./processes.mjs";

const STOP_WITHIN_MS = 60_000;
const POLL_MS = 50;
/** An operator waits so long for an answer; then the programs are killed, and after as long again the database too. */
export const PATIENCE_MS = 60_000;
const GIVE_UP_AFTER = 4;
const { PATH, HOME } = process.env;
const SETTINGS = { PATH, HOME, PARTNER_LIMIT_PER_MINUTE: "1000000000", LOG_LEVEL: "warn", SEED_DEMO: "1" };

/** What a program of ours is started with. */
export const programOf = (name, role, env) => ({
  name,
  role,
  command: process.execPath,
  args: [join(root, "bin/repasse.mjs"), role === "server" ? "start" : role],
  env: { ...SETTINGS, ...env },
});

/**
 * One installation under test. `one`: a process like `npm start` with its embedded PostgreSQL. `many`: a PostgreSQL,
 * two `web` behind a balancer and two `worker`, each started again when it ends.
 */
export async function openInstallation(topology, { folder, data, remember, ports }) {
  const at = { folder, remember, ends: [] };
  const open = topology === "one" ? openOne : openMany;
  const postgres = postgresOf(data, () => readSecrets(join(data, "secrets.env")).POSTGRES_PASSWORD);
  const { url, webUrls, programs, others = [], secrets = {} } = await open({ data, ports, at, postgres });
  const all = [...others, ...programs];
  const stop = () => stopInOrder(all, postgres);
  onStop(stop);
  const installation = { topology, url, data, postgres, programs, ends: at.ends, secrets, env: { DATA_DIR: data } };
  const answers = async (address, token) => (await readBalance(address, token)).status === 200;
  return Object.assign(installation, {
    stop,
    logins: () => JSON.parse(readFileSync(join(data, "demo.json"), "utf8")),
    /** Whether the route that needs the database answers at the address that callers use. */
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
  await until(() => existsSync(join(data, "demo.json")) && server.isReady, 120_000);
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
  await until(() => programs[0].isReady && existsSync(join(data, "demo.json")), 120_000);
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

/** Hands each connection to the next web that takes it, as a balancer in front of several machines does. */
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

/** Ends programs before their database; says how each ended. */
async function stopInOrder(all, postgres) {
  postgres.signalAll("SIGCONT");
  const programs = all.filter(({ role }) => role !== "database");
  const ends = await Promise.all(programs.map((program) => program.stop(STOP_WITHIN_MS)));
  for (const { stop } of all.filter(({ role }) => role === "database")) await stop(STOP_WITHIN_MS);
  return programs.map(({ name }, index) => ({ name, ...ends[index] }));
}

/**
 * Waits until `isUp()`; an operator's patience is a minute, then the programs are killed, then the database as well.
 * Returns how often that was needed. Throws when nothing helps.
 */
export async function bringUp({ programs, postgres }, isUp) {
  for (let rescues = 0; rescues < GIVE_UP_AFTER; rescues++) {
    if (await until(isUp, PATIENCE_MS, false)) return rescues;
    if (rescues > 0) postgres.signalAll("SIGKILL");
    for (const program of programs) program.signal("SIGKILL");
  }
  throw new Error("Nothing that an operator does brings the installation up again");
}

/** Polls until the condition holds. False, or a throw, when it does not within the time. */
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

/** `npm run reconcile` against the running installation. Returns `{isClean, said}`. */
export async function reconcile({ topology, url, data, secrets }) {
  const env = { ...SETTINGS, ...(topology === "many" && secrets), DATA_DIR: data, PORT: new URL(url).port };
  const said = [];
  const options = { env, onOutput: (text) => said.push(text) };
  const code = await runProgram(process.execPath, [join(root, "bin/repasse.mjs"), "reconcile"], options);
  const text = said.join("").trim();
  return { isClean: code === 0 && text.includes("The books agree."), said: text };
}
