import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { build } from "esbuild";
import { onTestFinished, vi } from "vitest";
import { type CrashPoint, crashPoints } from "@/lib/process/crash-points";
import { connected, ownerUrl } from "@/lib/testing/own-database";

/** A process that runs a few lines of our code. */
export type Program = {
  child: ChildProcess;
  /** All that it has printed so far, on both outputs. */
  printed(): string;
  /** Resolves with the first printed line that starts with this word; throws when the process ends before. */
  says(word: string): Promise<string>;
  /** Resolves once it has ended and PostgreSQL has rolled back what it left, whose locks other work would pass by. */
  ended(): Promise<void>;
  /** Kills it with SIGKILL. */
  kill(): Promise<void>;
};

/**
 * Bundles `source`, TypeScript that may import `@/…`, and runs it in a process of its own with this one's settings,
 * until the test ends. For tests that one process cannot make: of SIGKILL, of two servers, of printed lines.
 */
export async function startProgram(
  source: string,
  settings: Record<string, string> = {},
  stdin: "ignore" | "pipe" = "ignore",
): Promise<Program> {
  const bundled = bundles.get(source) ?? bundle(source);
  bundles.set(source, bundled);
  const folder = mkdtempSync(join(tmpdir(), "repasse-program-"));
  const outfile = join(folder, "program.mjs");
  symlinkSync(join(process.cwd(), "node_modules"), join(folder, "node_modules"));
  writeFileSync(outfile, await bundled);
  const name = basename(folder);
  const env = { ...process.env, DATABASE_PROGRAM_URL: named(name), ...settings };
  const args = [...process.execArgv, outfile];
  const child = spawn(process.execPath, args, { env, stdio: [stdin, "pipe", "pipe"] });
  const exited = once(child, "exit");
  let [printed, complained] = ["", ""];
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    complained += text;
    process.stderr.write(text);
  });
  const ended = async () => {
    await exited;
    await expectNoSession(name);
  };
  const kill = async () => {
    child.kill("SIGKILL");
    await exited;
  };
  onTestFinished(async () => {
    await kill();
    rmSync(folder, { recursive: true, force: true });
  });
  const all = () => printed + complained;
  return { child, printed: all, says: (word) => lineWith(child, () => printed, word, all), ended, kill };
}

/**
 * Runs `source` in a process of its own that crashes at a point, and waits until nothing of it is left.
 *
 * @throws Error when it ended otherwise.
 */
export async function crashAt(point: CrashPoint, source: string, settings: Record<string, string> = {}): Promise<void> {
  const { child, ended } = await startProgram(source, { ...settings, CRASH_AT: point });
  await ended();
  if (child.signalCode !== "SIGKILL") throw new Error(`${point} was not reached: ${crashPoints[point]}`);
}

/** The database of this process, by whose connections PostgreSQL tells a program. */
function named(application: string): string {
  const url = new URL(String(process.env.DATABASE_PROGRAM_URL));
  url.searchParams.set("application_name", application);
  return url.href;
}

const SESSIONS = "select count(*)::int from pg_stat_activity where application_name = $1";

const expectNoSession = (application: string) =>
  connected(ownerUrl(), (client) =>
    vi.waitFor(
      async () => {
        const { rows } = await client.query(SESSIONS, [application]);
        if (rows[0].count > 0) throw new Error(`${application} is still connected`);
      },
      { timeout: 15_000, interval: 5 },
    ),
  );

/** The bundles by their sources: some tests start the same program thirty times. */
const bundles = new Map<string, Promise<string>>();

/** For the packages that are no modules. */
const REQUIRE = 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);';

async function bundle(source: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: process.cwd(), loader: "ts" },
    tsconfig: "tsconfig.json",
    write: false,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    // Packages are in it, because to find and read their files takes a program longer than all else before its first line.
    external: ["@node-rs/argon2", "pg-native"],
    banner: { js: REQUIRE },
    logLevel: "error",
  });
  return outputFiles.map(({ text }) => text).join("");
}

/** A free port, for a process that must know its port before it starts. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as { port: number };
  await new Promise((closed) => server.close(closed));
  return port;
}

function lineWith(child: ChildProcess, printed: () => string, word: string, all: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const lines = printed().split("\n").slice(0, -1);
      const line = lines.find((text) => text.startsWith(word));
      if (line !== undefined) resolve(line.slice(word.length).trim());
    };
    look();
    child.stdout?.on("data", look);
    child.once("close", () => reject(new Error(`The program ended before it printed ${word}: ${all()}`)));
  });
}
