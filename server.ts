import { readdirSync } from "node:fs";
import { createServer } from "node:http";
import next from "next";
import { pages as paths, routes } from "@/app/routes.generated";
import { flushStored } from "@/lib/accounts/storage";
import { env } from "@/lib/env";
import { createHost, drain } from "@/lib/http/host";
import { logConsole } from "@/lib/http/log-console";
import { pages } from "@/lib/http/pages";
import { flushRequestLog } from "@/lib/http/request-log";
import { keepThread } from "@/lib/jobs/thread";
import { log } from "@/lib/log";
import { END_WITHIN_MS, endParts } from "@/lib/stop";
import { onWake, topics } from "@/lib/wake";
import { type Demo, seedDemo } from "@/prisma/seed";

export { reconcile as runReconcile } from "@/lib/reconcile";
export { rewrapAll } from "@/lib/rewrap";
export { rebuildRollups } from "@/lib/rollups/rebuild";
export { createOperator } from "@/lib/users/create-operator";

type Options = { port: number; worker: boolean; seed?: boolean; dev?: boolean };

/** The worker's heap. Its young objects have room, so that a batch under way is not copied again and again. */
const HEAP_MB = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 96 };

/**
 * Starts API host and pages in this process, and, where `worker` is set, the worker in a thread. Resolves when they
 * answer. A failed start stops what it had started. In development Next serves API and pages alike, so that both reload.
 */
export async function run({ port, worker, seed = false, dev = false }: Options) {
  const ends: (() => Promise<unknown>)[] = [];
  const stop = () => endParts(ends, [flushRequestLog, flushStored]);
  try {
    ends.push(await startWeb(port, dev));
    if (worker) ends.push(await startWorkerThread());
    // The demo comes last, so that a failed start leaves no seeded logins whose passwords were never printed.
    const demo: Demo | undefined = seed ? await seedDemo() : undefined;
    return { url: env.APP_URL, demo, stop };
  } catch (error) {
    await stop().catch((failed) => log.warn({ error: failed }, "a failed start was not undone"));
    throw error;
  }
}

async function startWeb(port: number, dev: boolean) {
  // Next listens for upgrades on a server. Outside development there are none, so it gets one that nobody reaches.
  const upgrades = dev ? {} : { httpServer: createServer() };
  const app = next({ dev, dir: process.cwd(), port, hostname: "localhost", ...upgrades });
  const handle = app.getRequestHandler();
  const files = new Set(dev ? [] : [...filesIn(".next/static", "/_next/static"), ...filesIn("public", "")]);
  const serve = pages(handle, { dev, paths, files });
  const server = dev ? createServer(serve) : createHost(routes.filter(isPlain), serve);
  await app.prepare();
  const { BIND: host } = env;
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen({ port, host }, resolve));
  const putConsoleBack = dev ? () => {} : logConsole();
  return async () => {
    await drain(server, END_WITHIN_MS);
    await app.close();
    putConsoleBack();
  };
}

/**
 * Starts the worker in a thread of its own, so that no request waits while a batch is computed. The two share the
 * database alone, as two processes do, but the worker is woken without it.
 */
async function startWorkerThread() {
  const { send, stop } = await keepThread(new URL("worker.mjs", import.meta.url), { resourceLimits: HEAP_MB });
  const stopWaking = topics.map((topic) => onWake(topic, () => send({ wake: topic })));
  return () => {
    for (const end of stopWaking) end();
    return stop();
  };
}

/** The addresses of the files of a folder that Next serves as they are. */
const filesIn = (folder: string, address: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${address}${parentPath.slice(folder.length)}/${name}`);

/** Only Next serves catch-all routes. The host answers unknown paths itself. */
const isPlain = ({ path }: { path: string }) => !path.includes("[...");
