import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { writeApiPix } from "./api-pix.mjs";
import { writeFields } from "./fields.mjs";
import { install, isInstalled } from "./install.mjs";
import { oneAtATime } from "./lock.mjs";
import { endLeftProgram, runQuietly } from "./processes.mjs";
import { step } from "./progress.mjs";
import { writeRoutes } from "./routes.mjs";
import { withoutSecrets } from "./secrets.mjs";
import { root } from "./settings.mjs";

/** @import { Env } from "./settings.mjs" */

/** What is bundled: web, which starts the worker's bundle beside it as a thread, and the worker. */
const PROGRAMS = ["server.ts", "worker.ts"];
const CLIENT_SOURCES = ["prisma/schema.prisma", "package-lock.json"];
const SOURCES = [
  ...CLIENT_SOURCES,
  ...["app", "browser", "components", "lib", "messages", "public", "prisma/seed.ts", ...PROGRAMS],
  ...[
    "bin/api-pix.mjs",
    "bin/build.mjs",
    "bin/faults.mjs",
    "bin/fields.mjs",
    "bin/hosts.mjs",
    "bin/routes.mjs",
    "next.config.ts",
    "package.json",
    "tsconfig.json",
  ],
];
/** Generated from the others, or read by the tests only. */
const NOT_SOURCES = /\.generated\.ts$|\.test\.tsx?$/;

const dist = join(root, "dist");
/** The bundles that `start`, `web` and `worker` run. */
export const serverFile = join(dist, "server.mjs");
export const workerFile = join(dist, "worker.mjs");
/** The bundle that `dev` runs. It has a folder of its own, so that it never passes for a build. */
export const devServerFile = join(dist, "dev/server.mjs");

/** Prisma's own command line. */
export const prismaCli = join(root, "node_modules/prisma/build/index.js");

const isBuilt = () =>
  isFresh("build", SOURCES) && existsSync(workerFile) && existsSync(join(root, ".next/BUILD_ID")) && isGenerated();
const isGenerated = () => isFresh("generate", CLIENT_SOURCES) && existsSync(join(root, "prisma/client/client.ts"));

/**
 * Installs, generates and builds what is missing or older than its sources.
 *
 * @param {{ force?: boolean }} [options] `force` builds in any case.
 */
export async function build({ force = false } = {}) {
  if (!force && isInstalled() && isBuilt()) return;
  await prepared(async () => {
    if (!force && isBuilt()) return;
    await generateHere();
    const hash = hashOf(SOURCES);
    unstamp("build");
    await step("Building", () => Promise.all([buildPages(), bundlePrograms(dirname(serverFile))]));
    stamp("build", hash);
  });
}

/**
 * Makes the database client, the table of routes and what browsers get of the card fields.
 *
 * @param {{ force?: boolean }} [options] `force` makes them even when they look fresh.
 */
export async function generate({ force = false } = {}) {
  await prepared(() => generateHere(force));
}

/** Makes what `dev` needs: server and worker in a file each. Next builds the pages when they are asked for. */
export async function prepareDev() {
  await prepared(async () => {
    await generateHere();
    await bundlePrograms(dirname(devServerFile));
  });
}

/**
 * Returns the server in one file for a task in a process of its own: a fresh build if there is one, else the bundle of
 * `dev`, because a new build would replace the files of a running server.
 */
export async function prepareTask() {
  if (isInstalled() && isBuilt()) return serverFile;
  await prepareDev();
  return devServerFile;
}

/**
 * Installs what is missing, then runs `work`, one process at a time: two starts in one clone write the same files.
 *
 * @param {() => unknown} [work]
 */
export async function prepared(work = () => {}) {
  mkdirSync(dist, { recursive: true });
  await oneAtATime(join(dist, "build.lock"), async () => {
    endLeftProgram();
    await install();
    await work();
  });
}

async function generateHere(force = false) {
  writeRoutes();
  writeApiPix();
  await writeFields();
  if (!force && isGenerated()) return;
  const hash = hashOf(CLIENT_SOURCES);
  unstamp("generate");
  await step("Generating the database client", () =>
    runQuietly("prisma generate", [prismaCli, "generate"], { isRecorded: true, env: { ...buildEnv(), ...prismaEnv } }),
  );
  stamp("generate", hash);
}

async function buildPages() {
  const cli = join(root, "node_modules/next/dist/bin/next");
  await runQuietly("next build", [cli, "build"], { isRecorded: true, env: { ...buildEnv(), NODE_ENV: "production" } });
}

/** @param {string} outdir */
const bundlePrograms = (outdir) => bundle(PROGRAMS, { outdir, outExtension: { ".js": ".mjs" } });

/**
 * Bundles programs as the server is bundled: our own sources in one file, packages outside.
 *
 * @param {string[]} entryPoints
 * @param {import("esbuild").BuildOptions} output
 */
export async function bundle(entryPoints, output) {
  const esbuild = await import("esbuild");
  await esbuild.build({
    absWorkingDir: root,
    ...output,
    entryPoints,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    packages: "external",
    logLevel: "error",
  });
  await esbuild.stop();
}

/** Prisma does not ask the network for a newer version of itself. */
const prismaEnv = { CHECKPOINT_DISABLE: "1", PRISMA_HIDE_UPDATE_MESSAGE: "1" };

/**
 * The environment of a build, which needs no secret and gets none.
 *
 * @returns {Env}
 */
function buildEnv() {
  const { DATABASE_URL, DIRECT_URL, CIELO_MERCHANT_KEY, MAIL_URL, ...env } = process.env;
  return { ...withoutSecrets(env), NEXT_TELEMETRY_DISABLED: "1" };
}

/**
 * @param {string} name
 * @param {string[]} sources
 */
function isFresh(name, sources) {
  const file = join(dist, `${name}.stamp`);
  return existsSync(file) && readFileSync(file, "utf8") === hashOf(sources);
}

/**
 * @param {string} name
 * @param {string} hash
 */
function stamp(name, hash) {
  mkdirSync(dist, { recursive: true });
  writeFileSync(join(dist, `${name}.stamp`), hash);
}

/**
 * An interrupted build must not pass for the one before it.
 *
 * @param {string} name
 */
function unstamp(name) {
  rmSync(join(dist, `${name}.stamp`), { force: true });
}

/**
 * One hash over the names and contents of every source file.
 *
 * @param {string[]} sources
 */
function hashOf(sources) {
  const hash = createHash("sha256");
  for (const file of sources.flatMap(filesOf).filter((name) => !NOT_SOURCES.test(name))) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update("\0");
  }
  return hash.digest("hex");
}

/**
 * @param {string} path
 * @returns {string[]}
 */
function filesOf(path) {
  const stat = statSync(join(root, path), { throwIfNoEntry: false });
  if (!stat) return [];
  if (!stat.isDirectory()) return [path];
  const names = readdirSync(join(root, path)).sort();
  return names.flatMap((name) => filesOf(`${path}/${name}`));
}
