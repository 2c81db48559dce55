import { readdirSync } from "node:fs";
import { createServer } from "node:http";
import next from "next";
import { pages as paths, routes } from "@/app/routes.generated";
import { flushStored } from "@/lib/accounts/storage";
import { closePools } from "@/lib/db";
import { env } from "@/lib/env";
import { createHost, drain } from "@/lib/http/host";
import { logConsole } from "@/lib/http/log-console";
import { pages } from "@/lib/http/pages";
import { flushRequestLog } from "@/lib/http/request-log";
import { registry } from "@/lib/jobs/registry";
import { migrateQueue } from "@/lib/jobs/timetable";
import { startWorker } from "@/lib/jobs/worker";
import { log } from "@/lib/log";
import { type Demo, seedDemo } from "@/prisma/seed";

export { reconcile as runReconcile } from "@/lib/reconcile";
export { rewrapAll } from "@/lib/rewrap";
export { rebuildRollups } from "@/lib/rollups/rebuild";
export { createOperator } from "@/lib/users/create-operator";

type Options = { roles: ("web" | "worker")[]; port: number; seed?: boolean; dev?: boolean };

/** How long a stop waits for requests and work under way, and then for the last writes: 14 s in all, with PostgreSQL's own end. */
const END_WITHIN_MS = 7_000;
const WRITE_WITHIN_MS = 1_000;

/**
 * Starts the parts named in `roles` in this process: API host and pages, worker, or both. Resolves when they answer. A
 * failed start stops what it had started. In development Next serves API and pages alike, so that both reload.
 */
export async function run({ roles, port, seed = false, dev = false }: Options) {
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    await within(END_WITHIN_MS, Promise.all(stops.map((end) => end().catch(failed))));
    await within(WRITE_WITHIN_MS, Promise.all([flushRequestLog(), flushStored()]).then(closePools));
  };
  try {
    await migrateQueue();
    if (roles.includes("web")) stops.push(await startWeb(port, dev));
    if (roles.includes("worker")) stops.push(await startWorker(registry));
    // The demo comes last, so that a failed start leaves no seeded logins whose passwords were never printed.
    const demo: Demo | undefined = seed ? await seedDemo() : undefined;
    return { url: env.APP_URL, demo, stop };
  } catch (error) {
    await stop().catch(failed);
    throw error;
  }
}

const failed = (error: unknown) => log.warn({ error }, "a part did not stop in good order");

/** Waits for `work`, but no longer than `ms`. */
async function within(ms: number, work: Promise<unknown>) {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, timeout]);
  clearTimeout(timer);
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

/** The addresses of the files of a folder that Next serves as they are. */
const filesIn = (folder: string, address: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${address}${parentPath.slice(folder.length)}/${name}`);

/** Only Next serves catch-all routes. The host answers unknown paths itself. */
const isPlain = ({ path }: { path: string }) => !path.includes("[...");
