import { readdirSync } from "node:fs";
import { createServer, type Server } from "node:http";
import next from "next";
import { pages as paths, routes } from "@/app/routes.generated";
import { waitingPage } from "@/app/waiting-page";
import { flushStored } from "@/lib/accounts/storage";
import { verifyAudit as verify } from "@/lib/audit-log/verify";
import { inBackground } from "@/lib/db";
import { readDifferenceFigures } from "@/lib/differences/figures";
import { onWake, topics } from "@/lib/due/wake";
import { env } from "@/lib/env";
import { answerHealth } from "@/lib/http/health";
import { createHost, drain, isDraining } from "@/lib/http/host";
import { logConsole, logWarnings } from "@/lib/http/log-console";
import { serveMetrics } from "@/lib/http/metrics-server";
import { pages } from "@/lib/http/pages";
import { flushRequestLog } from "@/lib/http/request-log";
import { registry } from "@/lib/jobs/registry";
import { keepThread } from "@/lib/jobs/thread";
import { log } from "@/lib/log";
import type { Figures } from "@/lib/monitoring/metrics";
import { observe } from "@/lib/monitoring/observe";
import type { Readiness } from "@/lib/monitoring/readiness";
import { END_WITHIN_MS, endParts } from "@/lib/process/stop";
import { certificateEnds } from "@/lib/providers/certificates";
import { followProviders, readProviders } from "@/lib/rails/pix/connected";
import { reconcile } from "@/lib/reconcile/reconcile";
import { rewrapAll as rewrap } from "@/lib/rewrap/rewrap";
import { rebuildRollups as rebuild } from "@/lib/rollups/rebuild";
import { followDatabaseClock } from "@/lib/time/clock-skew";
import { type Demo, seedDemo } from "@/prisma/seed";

export { createOperator } from "@/lib/users/create-operator";

/** Tasks of the operator, whose statements may take as long as background work's. */
export const runReconcile = () =>
  inBackground(async () => {
    await readProviders();
    return reconcile();
  });
export const verifyAudit = (accountId?: string) => inBackground(() => verify(accountId));
export const rewrapAll = () => inBackground(rewrap);
export const rebuildRollups = () => inBackground(rebuild);

type Options = { port: number; worker: boolean; seed?: boolean; dev?: boolean };

/** The worker's heap. Its young objects have room, so that a batch under way is not copied again and again. */
const HEAP_MB = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 96 };

/**
 * Starts API host and pages in this process, and, where `worker` is set, the worker in a thread. Resolves when they
 * answer. A failed start stops what it had started. In development Next serves API and pages alike, so that both reload.
 */
export async function run({ port, worker, seed = false, dev = false }: Options) {
  const ends: (() => Promise<unknown>)[] = [];
  const lasts = [flushRequestLog, flushStored];
  const stop = () => endParts(ends, lasts);
  try {
    ends.push(await followDatabaseClock(), await followProviders());
    const readiness = observe("web", registry, { certificates: certificateEnds, differences: readDifferenceFigures });
    const web = await startWeb(port, dev, readiness);
    ends.push(web.stop);
    const thread = worker ? await startWorkerThread() : undefined;
    if (thread) ends.push(thread.stop);
    lasts.push(await serveMetrics({ readiness, isDraining: web.isDraining }, thread?.figures));
    // The demo comes last, so that a failed start leaves no seeded logins whose passwords were never printed.
    const demo: Demo | undefined = seed ? await seedDemo() : undefined;
    return { url: env.APP_URL, demo, stop };
  } catch (error) {
    await stop().catch((failed) => log.warn({ error: failed }, "a failed start was not undone"));
    throw error;
  }
}

async function startWeb(port: number, dev: boolean, readiness: () => Promise<Readiness>) {
  // Next listens for upgrades on a server. Outside development there are none, so it gets one that nobody reaches.
  const upgrades = dev ? {} : { httpServer: createServer() };
  const app = next({ dev, dir: process.cwd(), port, hostname: "localhost", ...upgrades });
  const handle = app.getRequestHandler();
  const files = new Set(dev ? [] : [...filesIn(".next/static", "/_next/static"), ...filesIn("public", "")]);
  const serve = pages(handle, { dev, paths, files, waitingPage });
  const server = dev ? devServer(serve, readiness) : createHost(routes.filter(isPlain), serve, { readiness });
  await app.prepare();
  const { BIND: host } = env;
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen({ port, host }, resolve));
  const putBack = dev ? [] : [logConsole(), logWarnings()];
  return {
    isDraining: () => isDraining(server),
    async stop() {
      await drain(server, END_WITHIN_MS, env.DRAIN_SECONDS * 1_000);
      await app.close();
      for (const put of putBack) put();
    },
  };
}

function devServer(serve: ReturnType<typeof pages>, readiness: () => Promise<Readiness>): Server {
  const server: Server = createServer((request, response) => {
    const health = { readiness, isDraining: () => isDraining(server) };
    if (!answerHealth(request.url ?? "", request, response, health)) serve(request, response);
  });
  return server;
}

/**
 * Starts the worker in a thread of its own, so that no request waits while a batch is computed. The two share the
 * database alone, as two processes do, but the worker is woken without it.
 */
async function startWorkerThread() {
  const { send, ask, stop } = await keepThread(new URL("worker.mjs", import.meta.url), { resourceLimits: HEAP_MB });
  const stopWaking = topics.map((topic) => onWake(topic, () => send({ wake: topic })));
  return {
    figures: () => ask({ figures: true }) as Promise<Figures | undefined>,
    stop() {
      for (const end of stopWaking) end();
      return stop();
    },
  };
}

/** The addresses of the files of a folder that Next serves as they are. */
const filesIn = (folder: string, address: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${address}${parentPath.slice(folder.length)}/${name}`);

/** Only Next serves catch-all routes. The host answers unknown paths itself. */
const isPlain = ({ path }: { path: string }) => !path.includes("[...");
