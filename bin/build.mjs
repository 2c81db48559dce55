import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeFields } from "./fields.mjs";
import { install, isInstalled } from "./install.mjs";
import { oneAtATime } from "./lock.mjs";
import { endLeftProgram, runQuietly } from "./processes.mjs";
import { writeRoutes } from "./routes.mjs";
import { step } from "./say.mjs";
import { withoutSecrets } from "./secrets.mjs";
import { root } from "./settings.mjs";

const CLIENT_SOURCES = ["prisma/schema.prisma", "package-lock.json"];
const SOURCES = [
  ...CLIENT_SOURCES,
  ...["app", "components", "lib", "messages", "public", "prisma/seed.ts", "server.ts"],
  ...["bin/build.mjs", "bin/fields.mjs", "bin/routes.mjs", "next.config.ts", "package.json", "tsconfig.json"],
];
/** Not part of what runs: generated from the others, or read by the tests only. */
const NOT_SOURCES = /\.generated\.ts$|\.test\.tsx?$/;

const dist = join(root, "dist");
/** The bundle that `start`, `web` and `worker` run. */
export const serverFile = join(dist, "server.mjs");
/** The bundle that `dev` runs: apart, so that it never passes for a build. */
export const devServerFile = join(dist, "server.dev.mjs");

const isBuilt = () =>
  isFresh("build", SOURCES) && existsSync(serverFile) && existsSync(join(root, ".next/BUILD_ID")) && isGenerated();
const isGenerated = () => isFresh("generate", CLIENT_SOURCES) && existsSync(join(root, "prisma/client/client.ts"));

/** Installs, generates and builds what is missing or older than its sources; with `force`, builds in any case. */
export async function build({ force = false } = {}) {
  if (!force && isInstalled() && isBuilt()) return;
  await prepared(async () => {
    if (!force && isBuilt()) return;
    await generateHere();
    const hash = hashOf(SOURCES);
    unstamp("build");
    await step("Building", () => Promise.all([buildPages(), bundle(serverFile)]));
    stamp("build", hash);
  });
}

/** Makes the database client, the table of routes and what browsers get of the card fields; with `force`, also when they look fresh. */
export async function generate({ force = false } = {}) {
  await prepared(() => generateHere(force));
}

/** What `dev` needs: the server in one file. Next builds the pages when they are asked for. */
export async function prepareDev() {
  await prepared(async () => {
    await generateHere();
    await bundle(devServerFile);
  });
}

/** The server in one file for a task of its own: a fresh build if there is one, and never a new one under a running server. */
export async function prepareTask() {
  if (isInstalled() && isBuilt()) return serverFile;
  await prepareDev();
  return devServerFile;
}

/** Installs what is missing, then runs `work`: two starts in one clone must not write the same files. */
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
  await writeFields();
  if (!force && isGenerated()) return;
  const hash = hashOf(CLIENT_SOURCES);
  unstamp("generate");
  const cli = join(root, "node_modules/prisma/build/index.js");
  await step("Generating the database client", () =>
    runQuietly("prisma generate", [cli, "generate"], { noted: true, env: { ...buildEnv(), ...prismaEnv } }),
  );
  stamp("generate", hash);
}

async function buildPages() {
  const cli = join(root, "node_modules/next/dist/bin/next");
  await runQuietly("next build", [cli, "build"], { noted: true, env: { ...buildEnv(), NODE_ENV: "production" } });
}

async function bundle(outfile) {
  const esbuild = await import("esbuild");
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: ["server.ts"],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    packages: "external",
    logLevel: "error",
  });
  await esbuild.stop();
}

/** Neither asks the world for a newer version of itself. */
const prismaEnv = { CHECKPOINT_DISABLE: "1", PRISMA_HIDE_UPDATE_MESSAGE: "1" };

/** A build needs no secret, so it gets none. */
function buildEnv() {
  const { DATABASE_URL, CIELO_MERCHANT_KEY, ...env } = process.env;
  return { ...withoutSecrets(env), NEXT_TELEMETRY_DISABLED: "1" };
}

function isFresh(name, sources) {
  const file = join(dist, `${name}.stamp`);
  return existsSync(file) && readFileSync(file, "utf8") === hashOf(sources);
}

function stamp(name, hash) {
  mkdirSync(dist, { recursive: true });
  writeFileSync(join(dist, `${name}.stamp`), hash);
}

/** A build that is broken off must not pass for the one before it. */
function unstamp(name) {
  rmSync(join(dist, `${name}.stamp`), { force: true });
}

/** One hash over the names and contents of every source file. */
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

function filesOf(path) {
  const stat = statSync(join(root, path), { throwIfNoEntry: false });
  if (!stat) return [];
  if (!stat.isDirectory()) return [path];
  const names = readdirSync(join(root, path)).sort();
  return names.flatMap((name) => filesOf(`${path}/${name}`));
}
