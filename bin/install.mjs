import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sentence } from "./lifecycle.mjs";
import { runProgram } from "./processes.mjs";
import { step } from "./say.mjs";
import { root } from "./settings.mjs";

const stampFile = join(root, "node_modules/.repasse-stamp");

/** Installs exactly what package-lock.json names, when that is not what lies in node_modules. */
export async function install() {
  if (isInstalled()) return;
  await step("Installing packages", npmCi);
  if (!isWhole())
    throw sentence("Packages are missing after npm ci: start again when no other npm works in this folder.");
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

/** Whether a plain `npm install` has already brought what the lock names; npm writes its own note of that last. */
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

/** Whether every package is there that npm noted: two installs at once take away what the other has brought. */
function isWhole() {
  const present = readPackages("node_modules/.package-lock.json");
  return present !== undefined && Object.keys(present).every((path) => existsSync(join(root, path, "package.json")));
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(join(root, file), "utf8")).packages;
  } catch {
    return undefined;
  }
}

async function npmCi() {
  const args = ["ci", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"];
  const npm = process.env.npm_execpath;
  const [command, before] = npm?.endsWith(".js") ? [process.execPath, [npm]] : ["npm", []];
  const output = [];
  const onOutput = (text) => output.push(text);
  const code = await runProgram(command, [...before, ...args], { noted: true, onOutput });
  if (code !== 0) throw sentence(`${output.join("").trimEnd()}\n\nThe packages could not be installed (npm ci).`);
}
