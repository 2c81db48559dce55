import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readJson } from "./files.mjs";
import { plainError } from "./lifecycle.mjs";
import { runForOutput } from "./processes.mjs";
import { step } from "./progress.mjs";
import { root } from "./settings.mjs";

/** @typedef {{ version?: string, integrity?: string, optional?: boolean, extraneous?: boolean }} Package */

const stampFile = join(root, "node_modules/.repasse-stamp");

/** Installs exactly what package-lock.json names, when that is not what lies in node_modules. */
export async function install() {
  if (isInstalled()) return;
  await step("Installing packages", npmCi);
  if (!isWhole())
    throw plainError("Packages are missing after npm ci: start again when no other npm works in this folder.");
  writeFileSync(stampFile, lockHash());
}

/** Whether node_modules is what package-lock.json names. */
export function isInstalled() {
  if (!existsSync(join(root, "node_modules"))) return false;
  if (!isWhole()) return false;
  const hash = lockHash();
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === hash) return true;
  if (!isSameTree()) return false;
  writeFileSync(stampFile, hash);
  return true;
}

/** The platform counts too: packages hold binaries. */
function lockHash() {
  const lock = readFileSync(join(root, "package-lock.json"));
  return createHash("sha256").update(lock).update(`${process.platform}-${process.arch}`).digest("hex");
}

/** Whether a plain `npm install` has already installed what the lock names. npm writes its own list of packages last. */
function isSameTree() {
  const wanted = readPackages("package-lock.json");
  const present = readPackages("node_modules/.package-lock.json");
  if (!wanted || !present) return false;
  return Object.entries(wanted).every(([path, { version, integrity, optional, extraneous }]) => {
    const found = present[path];
    if (!found) return path === "" || optional === true || extraneous === true;
    return found.version === version && found.integrity === integrity;
  });
}

/** Whether every package of npm's list is there: of two installs at once, each removes what the other has installed. */
function isWhole() {
  const present = readPackages("node_modules/.package-lock.json");
  return present !== undefined && Object.keys(present).every((path) => existsSync(join(root, path, "package.json")));
}

/**
 * @param {string} file
 * @returns {Record<string, Package> | undefined}
 */
function readPackages(file) {
  try {
    return readJson(join(root, file))?.packages;
  } catch {
    return undefined;
  }
}

async function npmCi() {
  const args = ["ci", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"];
  const npm = process.env.npm_execpath;
  const options = { isRecorded: true };
  const { code, output } = npm?.endsWith(".js")
    ? await runForOutput(process.execPath, [npm, ...args], options)
    : await runForOutput("npm", args, options);
  if (code !== 0) throw plainError(`${output.trimEnd()}\n\nThe packages could not be installed (npm ci).`);
}
