import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { withClient } from "./client.mjs";
import { stopAll } from "./lifecycle.mjs";
import { destroyPostgres, startPostgres } from "./postgres.mjs";
import { waitFor } from "./postmaster.mjs";
import { runForOutput } from "./processes.mjs";
import { makeRunFolder, TEST_PREFIX } from "./run-folder.mjs";
import { demoFile, freePort, launcherFile, root } from "./settings.mjs";

/** @import { ChildProcess } from "node:child_process" */
/** @typedef {{ child: ChildProcess, printed: () => string, ended: Promise<number | string | null> }} Started */

const OPEN_WITHIN_MS = 600_000;
const STOPPED_WITHIN_MS = 15_000;

const folder = makeRunFolder(TEST_PREFIX);
const cluster = join(folder, "cluster");
/** What "Several machines" of docs/operating.md says to set, alike everywhere. @type {Record<string, string>} */
const settings = {
  SESSION_SECRET: randomBytes(32).toString("base64url"),
  VAULT_KEYS: `k1:${randomBytes(32).toString("base64")}`,
  CARD_FINGERPRINT_KEY: randomBytes(32).toString("base64url"),
  SIMULATOR_SECRET: randomBytes(32).toString("base64url"),
};
/** @type {Started[]} */
const started = [];

before(async () => {
  mkdirSync(cluster, { mode: 0o700 });
  const postgres = await startPostgres(cluster, randomBytes(16).toString("hex"));
  settings.DATABASE_URL = postgres.url;
});

after(async () => {
  for (const { child } of started) child.kill("SIGKILL");
  await stopAll();
  await destroyPostgres(cluster);
  rmSync(folder, { recursive: true, force: true });
});

test("with what the documentation says to set, web and worker apart complete a payment and deliver its webhook", async () => {
  const documented =
    readFileSync(join(root, "docs/operating.md"), "utf8").match(/## Several machines\n\n(.+)\n/)?.[1] ?? "";
  const [port, webMetrics, workerMetrics] = [await freePort(), await freePort(), await freePort()];
  settings.APP_URL = `http://localhost:${port}`;
  for (const name of Object.keys(settings)) assert.ok(documented.includes(`\`${name}\``), `${name} is documented`);

  // Each machine has a folder of its own, and only the web's has the logins of the demo.
  const dataDir = join(folder, "web");
  const web = start("web", { PORT: String(port), DATA_DIR: dataDir, SEED_DEMO: "1", METRICS_PORT: String(webMetrics) });
  await says(web, "Repasse is open");
  const worker = start("worker", { DATA_DIR: join(folder, "worker"), METRICS_PORT: String(workerMetrics) });
  await says(worker, "The worker is running");

  await signIn(settings.APP_URL, dataDir);
  const { code, output } = await runForOutput(process.execPath, [launcherFile, "demo"], {
    env: env({ DATA_DIR: dataDir }),
  });
  assert.equal(code, 0, output + worker.printed());
  assert.match(output, /webhook arrives +its signature is right/);
  assert.match(output, /balance +0\.00 → |balance +[\d.]+ → /);

  for (const [part, at] of /** @type {const} */ ([
    ["web", webMetrics],
    ["worker", workerMetrics],
  ])) {
    const ready = await fetch(`http://127.0.0.1:${at}/readyz`);
    assert.equal(ready.status, 200, JSON.stringify(await ready.json()));
    const metrics = await (await fetch(`http://127.0.0.1:${at}/metrics`)).text();
    assert.match(metrics, new RegExp(`repasse_pool_connections_max\\{[^}]*part="${part}"`));
    assert.match(metrics, /repasse_ledger_sum_cents\{[^}]*\} 0\n/);
  }
  for (const { printed } of [web, worker]) {
    const lines = printed()
      .split("\n")
      .filter((line) => line.startsWith("{"));
    assert.deepEqual(
      lines.filter((line) => JSON.parse(line).level >= 50),
      [],
    );
    assert.doesNotMatch(printed(), /^\(node:|DeprecationWarning.*\n.*--trace/m);
  }

  const stopping = performance.now();
  web.child.kill("SIGTERM");
  worker.child.kill("SIGTERM");
  assert.deepEqual(await Promise.all([web.ended, worker.ended]), [0, 0]);
  assert.ok(performance.now() - stopping < STOPPED_WITHIN_MS);
  await withClient(settings.DATABASE_URL ?? "", async (client) => {
    const { rows } = await client.query(
      "select count(*)::int as open from pg_stat_activity where usename like '%_program'",
    );
    assert.equal(rows[0].open, 0);
  });
});

/**
 * Signs in as a person of the demo does, by the pages' own routes.
 *
 * @param {string} url
 * @param {string} dataDir
 */
async function signIn(url, dataDir) {
  const { seller } = JSON.parse(readFileSync(demoFile(dataDir), "utf8"));
  const asked = await fetch(`${url}/api/auth/csrf`);
  const { csrfToken } = await asked.json();
  const cookies = asked.headers.getSetCookie().map((cookie) => cookie.split(";", 1)[0]);
  const form = new URLSearchParams({ csrfToken, email: seller.email, password: seller.password, json: "true" });
  const signedIn = await fetch(`${url}/api/auth/callback/credentials`, {
    method: "POST",
    headers: { cookie: cookies.join("; "), origin: url },
    body: form,
    redirect: "manual",
  });
  assert.match(signedIn.headers.getSetCookie().join(), /__Host-repasse-\d+=/, `signing in answered ${signedIn.status}`);
}

/** @param {Record<string, string>} own */
function env(own) {
  const { PATH = "", HOME = "" } = process.env;
  return { PATH, HOME, ...settings, ...own };
}

/**
 * @param {"web" | "worker"} role
 * @param {Record<string, string>} own
 * @returns {Started}
 */
function start(role, own) {
  let printed = "";
  const child = spawn("npm", ["run", "--silent", role], {
    cwd: root,
    env: /** @type {any} */ (env(own)),
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      printed += text;
    });
  }
  const ended = new Promise((done) => child.once("exit", (code, signal) => done(code ?? signal)));
  const one = { child, printed: () => printed, ended };
  started.push(one);
  return one;
}

/**
 * @param {Started} started
 * @param {string} text
 */
async function says({ child, printed }, text) {
  const isOpen = await waitFor(() => printed().includes(text) || child.exitCode !== null, OPEN_WITHIN_MS);
  assert.ok(isOpen && child.exitCode === null, printed());
}
