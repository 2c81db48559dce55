import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  closeSync,
  createReadStream,
  createWriteStream,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { PassThrough, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { prepared } from "./build.mjs";
import { withClient } from "./client.mjs";
import { embeddedMajor, readState, restoreCluster } from "./cluster.mjs";
import { codeOf, messageOf } from "./faults.mjs";
import { readJson } from "./files.mjs";
import { isInstalled } from "./install.mjs";
import { onStop, plainError } from "./lifecycle.mjs";
import { lockDataDir } from "./lock.mjs";
import { startPostgres } from "./postgres.mjs";
import { step } from "./progress.mjs";
import { readOrMakeSecrets, readSecrets, secretsFile } from "./secrets.mjs";
import { openDataDir, readSettings, root, shown } from "./settings.mjs";
import { embeddedUrl } from "./tasks.mjs";

/** @import { Owner } from "./cluster.mjs" */
/** @import { Env } from "./settings.mjs" */
/** @typedef {{ at: string, postgres: string, seeded: boolean, sha256: string, keys: string[] }} Manifest */

const ARCHIVE = "base.tar.gz";
const MANIFEST = "manifest.json";
/** The server's own base backup, with the log that makes it consistent, and without a wait for the next checkpoint. */
const BASE_BACKUP = "BASE_BACKUP (LABEL 'repasse', CHECKPOINT 'fast', WAL true, MANIFEST 'no')";
/** The type of a message of BASE_BACKUP that holds a part of the archive; the others name archives and the progress. */
const DATA = "d".charCodeAt(0);
/** What a data folder may hold when a backup is restored into it; the rest an interrupted restore has left. */
const KEPT = ["secrets.env", "demo.json", "backups", "launcher.lock", "postgres.json", "postgres", "postgres.log"];

/**
 * Copies the embedded database into a new folder, named by its time, while the server runs or not. It holds all that was
 * acknowledged before the copy's end, and appears whole or not at all. It does not hold the keys.
 *
 * @param {string[]} args The folder for backups; DATA_DIR/backups without it.
 */
export async function backup([target]) {
  if (!isInstalled()) await prepared();
  const { dataDir } = embeddedSettings();
  if (!readState(dataDir).made) throw plainError(`There is no database in ${shown(dataDir)}.`);
  const url = await embeddedUrl(dataDir);
  const at = new Date().toISOString();
  const folder = join(target ? resolve(root, target) : join(dataDir, "backups"), at.replaceAll(":", "-"));
  const draft = `${folder}.new`;
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  const discard = onStop(() => rmSync(draft, { recursive: true, force: true }));
  try {
    await step("Copying the database", async () => {
      const sha256 = await copy(url, join(draft, ARCHIVE));
      const seeded = readState(dataDir).seeded ?? false;
      const keys = keysOf(readOrMakeSecrets(dataDir));
      writeManifest(draft, { at, postgres: embeddedMajor(), seeded, sha256, keys });
    });
    renameSync(draft, folder);
    flush(join(folder, ".."));
  } finally {
    await discard();
  }
  console.log(`The backup is ${shown(folder)}.
Its keys are not in it: without ${shown(secretsFile(dataDir))} nobody can open it. Keep that file too, in another place.`);
}

/**
 * Puts a backup into a data folder without a database, with the keys that lie there, and recovers it. Overwrites nothing.
 *
 * @param {string[]} args The backup's folder.
 */
export async function restore([source]) {
  if (!source) throw plainError("Name the backup: npm run restore -- <its folder>.");
  if (!isInstalled()) await prepared();
  const { dataDir, port } = embeddedSettings();
  const folder = resolve(root, source);
  /** @type {Manifest | undefined} */
  const manifest = readJson(join(folder, MANIFEST));
  if (!manifest) throw plainError(`${folder} is no whole backup: it has no ${MANIFEST}.`);
  if (manifest.postgres !== embeddedMajor())
    throw plainError(`The backup is of PostgreSQL ${manifest.postgres}, and here is ${embeddedMajor()}.`);
  openDataDir(dataDir);
  await lockDataDir(dataDir, port);
  checkEmpty(dataDir);
  checkKeys(dataDir, manifest);
  await step("Restoring the database", async () => {
    await restoreCluster(dataDir, manifest.seeded, (data, owner) => unpack(folder, manifest.sha256, data, owner));
    await startPostgres(dataDir, readOrMakeSecrets(dataDir).POSTGRES_PASSWORD);
  });
  console.log(`The backup of ${manifest.at} is in ${shown(dataDir)}. What happened after it is not: before you start, read
docs/operating.md, "After a restore". Then npm start, and npm run reconcile.`);
}

function embeddedSettings() {
  const settings = readSettings();
  if (!settings.databaseUrl) return settings;
  throw plainError("A database of yours (DATABASE_URL) is saved with pg_dump: see docs/operating.md, Backups.");
}

/**
 * Writes the base backup to a file, and returns its SHA-256. The file is on the disk then.
 *
 * @param {string} url
 * @param {string} file
 */
async function copy(url, file) {
  const tar = new PassThrough();
  const { through, digest } = hashing();
  const written = pipeline(
    tar,
    createGzip({ level: 1 }),
    through,
    createWriteStream(file, { mode: 0o600, flush: true }),
  );
  await withClient(`${url}?replication=true`, async (client) => {
    // A checkpoint during the copy would remove the log that the copy needs. The slot ends with the connection.
    await client.query(`CREATE_REPLICATION_SLOT repasse_backup_${process.pid} TEMPORARY PHYSICAL RESERVE_WAL`);
    client.query(/** @type {import("pg").Submittable} */ (receive(tar)));
    await written;
  });
  return digest();
}

/**
 * A query of `pg` whose answer is the archive, a message at a time.
 *
 * @param {PassThrough} tar
 */
function receive(tar) {
  const nothing = () => {};
  return {
    /** @param {import("pg").Connection} connection */
    submit: (connection) => connection.query(BASE_BACKUP),
    /** @param {{ chunk: Buffer }} message @param {import("pg").Connection} connection */
    handleCopyData({ chunk }, connection) {
      // The connection uses the memory of a message again.
      const isTaken = chunk[0] !== DATA || tar.write(Buffer.from(chunk.subarray(1)));
      // What the connection had already read still comes while it is paused.
      if (isTaken || connection.stream.isPaused()) return;
      connection.stream.pause();
      tar.once("drain", () => connection.stream.resume());
    },
    handleReadyForQuery: () => tar.end(),
    /** @param {Error} error */
    handleError: (error) => tar.destroy(error),
    ...{ handleRowDescription: nothing, handleDataRow: nothing, handleCommandComplete: nothing },
  };
}

/**
 * Unpacks an archive as the user that PostgreSQL runs as. Throws a plain error when it is not what was written.
 *
 * @param {string} folder
 * @param {string} sha256
 * @param {string} data
 * @param {Owner} owner
 */
async function unpack(folder, sha256, data, owner) {
  const tar = spawn("tar", ["-x", "-f", "-"], { ...owner, cwd: data, stdio: ["pipe", "ignore", "pipe"] });
  const stop = onStop(() => tar.kill("SIGKILL"));
  /** @type {string[]} */
  const printed = [];
  tar.stderr.setEncoding("utf8").on("data", (text) => printed.push(text));
  const ended = new Promise((done, fail) => tar.once("close", done).once("error", fail));
  const { through, digest } = hashing();
  try {
    const written = pipeline(createReadStream(join(folder, ARCHIVE)), through, createGunzip(), tar.stdin);
    const [end, sent] = await Promise.allSettled([ended, written]);
    if (end.status === "rejected") throw end.reason;
    if (end.value !== 0) throw new Error(printed.join("").trim());
    // The input of a program that has ended is closed, often before it is told that all was written: the digest knows.
    if (sent.status === "rejected" && codeOf(sent.reason) !== "ERR_STREAM_PREMATURE_CLOSE") throw sent.reason;
    if (digest() !== sha256) throw new Error(`${ARCHIVE} is not the file that was written`);
  } catch (error) {
    throw plainError(`The backup cannot be unpacked: ${messageOf(error)}.`);
  } finally {
    await stop();
  }
}

function hashing() {
  const hash = createHash("sha256");
  const through = new Transform({
    transform(chunk, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  return { through, digest: () => hash.digest("hex") };
}

/** @param {string} dataDir */
function checkEmpty(dataDir) {
  const other = readdirSync(dataDir).find((name) => !KEPT.includes(name));
  if (!other && !readState(dataDir).made) return;
  const reason = other ? `it holds ${other}` : "it has a database";
  throw plainError(`${shown(dataDir)} is not empty, ${reason}: restore into another folder (DATA_DIR).`);
}

/**
 * Throws a plain error when a key is missing without which the backup cannot be opened.
 *
 * @param {string} dataDir
 * @param {Manifest} manifest
 */
function checkKeys(dataDir, { keys }) {
  const { POSTGRES_PASSWORD } = readSecrets(dataDir);
  const { VAULT_KEYS, CARD_FINGERPRINT_KEY } = { ...readSecrets(dataDir), ...setOnly(process.env) };
  const present = keysOf({ POSTGRES_PASSWORD, VAULT_KEYS, CARD_FINGERPRINT_KEY });
  const missing = keys.filter((key) => !present.includes(key)).map((key) => key.split(" ")[0]);
  if (missing.length === 0) return;
  const file = shown(secretsFile(dataDir));
  throw plainError(
    `The backup needs its keys: ${missing.join(", ")}. Put the secrets.env that belongs to it at ${file}.`,
  );
}

/** @param {Env} env */
const setOnly = (env) => Object.fromEntries(Object.entries(env).filter(([, value]) => value));

/**
 * The names of the keys that a database cannot be opened without, each with a hash that recognises it.
 *
 * @param {Env} secrets
 */
function keysOf({ POSTGRES_PASSWORD, VAULT_KEYS = "", CARD_FINGERPRINT_KEY }) {
  const vault = VAULT_KEYS.split(",").map((key) => [`VAULT_KEYS(${key.split(":")[0]})`, key.trim()]);
  return [...Object.entries({ POSTGRES_PASSWORD, CARD_FINGERPRINT_KEY }), ...vault].map(
    ([name, value]) => `${name} ${createHash("sha256").update(`${name}=${value}`).digest("hex").slice(0, 16)}`,
  );
}

/**
 * @param {string} folder
 * @param {Manifest} manifest
 */
function writeManifest(folder, manifest) {
  writeFileSync(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true });
  flush(folder);
}

/** @param {string} folder */
function flush(folder) {
  const handle = openSync(folder, "r");
  fsyncSync(handle);
  closeSync(handle);
}
