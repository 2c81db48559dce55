import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { pathToFileURL } from "node:url";
import { prepared, prepareTask, prismaCli } from "./build.mjs";
import { writeCatalogueFile } from "./catalogue.mjs";
import { withClient } from "./client.mjs";
import { codeOf, messageOf } from "./faults.mjs";
import { writableUrl } from "./hosts.mjs";
import { interrupted, onStop, plainError } from "./lifecycle.mjs";
import { tryLockDataDir } from "./lock.mjs";
import { migrate } from "./migrations.mjs";
import { findPostgres, startPostgres } from "./postgres.mjs";
import { runProgram } from "./processes.mjs";
import { programUrl } from "./roles.mjs";
import { readOrMakeSecrets } from "./secrets.mjs";
import { findSimulator, setUp } from "./serve.mjs";
import { openDataDir, readSettings, root } from "./settings.mjs";
import { openWorkFolder } from "./test-places.mjs";

/** @import { Server } from "./serve.mjs" */
/** @import { Settings } from "./settings.mjs" */

/**
 * Makes an operator from OPERATOR_EMAIL, OPERATOR_NAME and OPERATOR_PASSWORD, and asks for what is not set.
 *
 * With OPERATOR_RESET_PASSWORD=1 an operator who exists gets the new password. Otherwise that is an error.
 */
export async function createOperator() {
  const { OPERATOR_EMAIL, OPERATOR_NAME, OPERATOR_PASSWORD, OPERATOR_RESET_PASSWORD } = process.env;
  const email = OPERATOR_EMAIL || (await ask("E-mail"));
  const name = OPERATOR_NAME || (await ask("Name"));
  const password = OPERATOR_PASSWORD || (await ask("Password", { hidden: true }));
  const server = await loadServer();
  const resetPassword = OPERATOR_RESET_PASSWORD === "1";
  await server.createOperator({ email, name, password, resetPassword }).catch((error) => {
    throw plainError(`The operator was not made: ${messageOf(error)}`);
  });
  console.log(`${email} can sign in as an operator, at /operator/sign-in.`);
}

/** Compares ledger, sales, their counts and rail. Prints each fault on a line, and fails when there is one. */
export async function reconcile() {
  const server = await loadServer();
  const faults = await server.runReconcile().catch((error) => {
    // The simulated rail is part of the server, and is asked over HTTP.
    if (codeOf(error.cause) !== "ECONNREFUSED") throw error;
    throw plainError("The rail does not answer: start Repasse first, or set SIMULATOR_URL to where it is.");
  });
  for (const fault of faults) console.log(typeof fault === "string" ? fault : JSON.stringify(fault));
  console.log(faults.length === 0 ? "Ledger, sales and rail agree." : `Faults: ${faults.length}`);
  if (faults.length > 0) process.exitCode = 1;
}

/** How many publications' roots are printed, the latest. */
const SHOWN_ROOTS = 30;

/**
 * Verifies the chains of events of all accounts, or of the one that is named. Prints the first fault of each on a line, and
 * the roots that the mails to the operator's staff must have, and fails when there is a fault.
 *
 * @param {string[]} args
 */
export async function verifyAudit([accountId]) {
  if (accountId && !/^[0-9a-f-]{36}$/.test(accountId)) throw plainError("Name an account by its id, or none for all.");
  const server = await loadServer();
  const { faults, chains, links, redacted, roots } = await server.verifyAudit(accountId);
  for (const { publishedAt, root } of roots.slice(-SHOWN_ROOTS)) console.log(`${publishedAt.toISOString()} ${root}`);
  for (const fault of faults) console.log(JSON.stringify(fault));
  const given = redacted > 0 ? `; of ${redacted} the content was given up` : "";
  console.log(`Verified: ${links} events of ${chains} accounts${given}.`);
  if (faults.length === 0) return;
  console.log(`Faults: ${faults.length}`);
  process.exitCode = 1;
}

/** Counts all sales anew, account by account. Servers may run meanwhile. */
export async function rebuildRollups() {
  const server = await loadServer();
  console.log(`Accounts whose sales were counted anew: ${await server.rebuildRollups()}`);
}

/** Encrypts under the first key of VAULT_KEYS what older keys encrypted, and prints when the older keys can be deleted. */
export async function rewrap() {
  const server = await loadServer();
  const { tables, answers } = await server.rewrapAll();
  for (const { table, done } of tables) console.log(`${table.padEnd(14)} ${done} rewrapped`);
  const failed = tables.reduce((sum, table) => sum + table.failed, 0);
  if (failed > 0) throw plainError(`Of these, ${failed} did not open: their key is not in VAULT_KEYS.`);
  console.log(
    answers === 0
      ? "Nothing needs an older key."
      : `Keep the older keys for a day: ${answers} answers kept for repeats need them.`,
  );
}

/** Writes prisma/catalogue.json from prisma/migrations, on a database that is made for this alone. */
export async function catalogue() {
  await prepared();
  const dataDir = join((await openWorkFolder()).folder, "catalogue");
  openDataDir(dataDir);
  const postgres = await startPostgres(dataDir, randomBytes(16).toString("hex"));
  onStop(postgres.stop);
  await withClient(postgres.url, async (client) => {
    await migrate(client);
    await writeCatalogueFile(client);
  });
  console.log("prisma/catalogue.json is up to date.");
}

/**
 * Prisma's own command line on our database, for those who change the schema: `prisma migrate dev --name …`.
 *
 * @param {string[]} args
 */
export async function prisma(args) {
  await prepared();
  const { directUrl, dataDir } = readSettings();
  const url = directUrl ? await writableUrl(directUrl) : await embeddedUrl(dataDir);
  const env = { ...process.env, DATABASE_URL: url };
  const code = await runProgram(process.execPath, [prismaCli, ...args], { env });
  process.exitCode = typeof code === "number" ? code : 1;
}

/**
 * Loads the server's module, over the database of a running server if there is one.
 *
 * @returns {Promise<Server>}
 */
async function loadServer() {
  const file = await prepareTask();
  if (!process.env.DATABASE_PROGRAM_URL) await enterDatabase(readSettings());
  if (!process.env.NODE_ENV) Object.assign(process.env, { NODE_ENV: "production" });
  process.chdir(root);
  return import(pathToFileURL(file).href);
}

/**
 * Puts the database and its secrets into the environment that the server reads.
 *
 * @param {Settings} settings
 */
async function enterDatabase(settings) {
  const { dataDir, databaseUrl } = settings;
  openDataDir(dataDir);
  const holder = databaseUrl ? undefined : tryLockDataDir(dataDir);
  if (databaseUrl) findSimulator(process.env);
  if (!holder) return setUp(settings);
  const { POSTGRES_PASSWORD, ...secrets } = readOrMakeSecrets(dataDir);
  const DATABASE_PROGRAM_URL = programUrl(runningUrl(dataDir, POSTGRES_PASSWORD), secrets.SESSION_SECRET);
  const PORT = String(holder.port ?? settings.port);
  return Object.assign(process.env, secrets, { DATABASE_PROGRAM_URL, DATA_DIR: dataDir, PORT });
}

/**
 * The owner's URL of the embedded database, which is started where no other process runs it.
 *
 * @param {string} dataDir
 */
export async function embeddedUrl(dataDir) {
  openDataDir(dataDir);
  const { POSTGRES_PASSWORD } = readOrMakeSecrets(dataDir);
  if (tryLockDataDir(dataDir)) return runningUrl(dataDir, POSTGRES_PASSWORD);
  return (await startPostgres(dataDir, POSTGRES_PASSWORD)).url;
}

/**
 * @param {string} dataDir
 * @param {string} password
 */
function runningUrl(dataDir, password) {
  const url = findPostgres(dataDir, password);
  if (!url) throw plainError("Another process is just starting the database: try again in a moment.");
  return url;
}

/**
 * Asks on the terminal. A hidden answer is not shown while it is typed.
 *
 * @param {string} what
 * @param {{ hidden?: boolean }} [options]
 */
async function ask(what, { hidden = false } = {}) {
  if (!process.stdin.isTTY) {
    throw plainError("Without a terminal, set OPERATOR_EMAIL, OPERATOR_NAME and OPERATOR_PASSWORD.");
  }
  if (hidden) process.stdout.write(`${what}: `);
  const output = hidden ? new Writable({ write: (_chunk, _encoding, done) => done() }) : process.stdout;
  const terminal = createInterface({ input: process.stdin, output, terminal: true });
  const answer = await terminal.question(hidden ? "" : `${what}: `).catch(() => {
    throw interrupted();
  });
  terminal.close();
  if (hidden) console.log();
  if (!answer.trim()) throw plainError(`${what} must not be empty.`);
  return hidden ? answer : answer.trim();
}
