import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, devServerFile, prepareDev, serverFile } from "./build.mjs";
import { readState, writeState } from "./cluster.mjs";
import { parseUrl, prepareDatabase } from "./database.mjs";
import { giveUp, onStop, sentence } from "./lifecycle.mjs";
import { lockDataDir } from "./lock.mjs";
import { keepPostgres } from "./postgres.mjs";
import { seconds } from "./say.mjs";
import { readOrMakeSecrets, requireSecrets, serverSecrets } from "./secrets.mjs";
import { checkPort, openDataDir, readSettings, root, shown } from "./settings.mjs";

const REACH_WITHIN_MS = 5_000;

/** Brings up everything the given parts need, then runs them in this process until a signal comes. */
export async function serve(roles, { dev = false } = {}) {
  const startedAt = performance.now();
  const settings = readSettings();
  const embedded = !settings.databaseUrl;
  if (embedded && roles.length === 1) throw sentence(`Set DATABASE_URL: the ${roles[0]} alone shares a database.`);
  await checkSurroundings(settings, roles);
  await (dev ? prepareDev() : build());
  const { seed } = await setUp(settings);
  process.env.NODE_ENV = dev ? "development" : "production";
  const server = await import(pathToFileURL(dev ? devServerFile : serverFile));
  const { url, demo, stop } = await server.run({ roles, port: settings.port, seed, dev });
  onStop(stop);
  keepDemo(settings.dataDir, url, demo);
  if (embedded && seed) writeState(settings.dataDir, { seeded: true });
  announce({ roles, url, demo, dataDir: settings.dataDir, tookMs: performance.now() - startedAt });
}

/** Says at once, before anything slow, what would stop us later. */
async function checkSurroundings({ port, bind, dataDir, databaseUrl }, roles) {
  if (roles.includes("web")) await checkPort(port, bind);
  openDataDir(dataDir);
  if (!databaseUrl) return lockDataDir(dataDir, port);
  requireSecrets();
  parseUrl(databaseUrl);
  await checkReachable(databaseUrl);
}

/**
 * Starts or finds the database, brings it up to date, and puts into the environment what the server reads there.
 *
 * The owner's address leaves the environment: the server never has more rights than the program's role.
 */
export async function setUp({ port, dataDir, databaseUrl }) {
  const { ownerUrl, secrets } = databaseUrl
    ? { ownerUrl: databaseUrl, secrets: process.env }
    : await embeddedDatabase(dataDir);
  const programUrl = await prepareDatabase(ownerUrl, secrets.SESSION_SECRET);
  Object.assign(process.env, serverSecrets(secrets), { DATABASE_PROGRAM_URL: programUrl });
  Object.assign(process.env, { PORT: String(port), DATA_DIR: dataDir, NEXT_TELEMETRY_DISABLED: "1" });
  delete process.env.DATABASE_URL;
  process.chdir(root);
  const seed = wantsDemo({ dataDir, databaseUrl });
  return { ownerUrl, programUrl, seed };
}

/** Whether the demo's people are seeded. A server with an APP_URL may be reached by others: it gets no logins unasked. */
export function wantsDemo({ dataDir, databaseUrl }, { SEED_DEMO, APP_URL } = process.env) {
  return SEED_DEMO === "1" || (!databaseUrl && !APP_URL && !readState(dataDir).seeded);
}

async function embeddedDatabase(dataDir) {
  const secrets = readOrMakeSecrets(dataDir);
  const postgres = await keepPostgres(dataDir, secrets.POSTGRES_PASSWORD, giveUp);
  return { ownerUrl: postgres.url, secrets };
}

/** A first look with nothing but a socket: the packages that could log in may not be installed yet. */
function checkReachable(databaseUrl) {
  const { hostname, port } = new URL(databaseUrl);
  if (!hostname) return undefined;
  return new Promise((done, fail) => {
    const socket = connect({ host: hostname.replace(/^\[|\]$/g, ""), port: Number(port || 5432) });
    const refuse = (reason) => {
      socket.destroy();
      fail(sentence(`PostgreSQL at ${hostname}:${port || 5432} (DATABASE_URL) cannot be reached: ${reason}.`));
    };
    socket.setTimeout(REACH_WITHIN_MS, () => refuse("no answer"));
    socket.once("error", ({ code }) => refuse(code));
    socket.once("connect", () => {
      socket.destroy();
      done();
    });
  });
}

/** Keeps the demo sellers' logins in DATA_DIR/demo.json, and its address right when the port changes. */
function keepDemo(dataDir, url, demo) {
  const file = join(dataDir, "demo.json");
  if (!demo && !existsSync(file)) return;
  const { url: before, ...logins } = demo ?? JSON.parse(readFileSync(file, "utf8"));
  if (!demo && before === url) return;
  writeFileSync(`${file}.new`, `${JSON.stringify({ url, ...logins }, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

function announce({ roles, url, demo, dataDir, tookMs }) {
  const file = join(dataDir, "demo.json");
  console.log(roles.includes("web") ? `Repasse is open at ${url} (${seconds(tookMs)})` : "The worker is running");
  if (demo) {
    const { email, password, client_id, client_secret } = demo.seller;
    console.log(`
  sign in         ${email}
  password        ${password}
  client id       ${client_id}
  client secret   ${client_secret}
  all logins      ${shown(file)}
  try next        npm run demo
`);
  } else if (roles.includes("web") && existsSync(file)) {
    console.log(`The demo sellers' logins are in ${shown(file)}.`);
  }
}
