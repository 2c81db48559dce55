import { setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { flushStored } from "@/lib/accounts/storage";
import { inBackground } from "@/lib/db";
import { readDifferenceFigures } from "@/lib/differences/figures";
import { wakeHere } from "@/lib/due/wake";
import { env } from "@/lib/env";
import { logWarnings } from "@/lib/http/log-console";
import { serveMetrics } from "@/lib/http/metrics-server";
import { registry } from "@/lib/jobs/registry";
import { startWorker } from "@/lib/jobs/worker";
import { readFigures, startCounting } from "@/lib/monitoring/metrics";
import { observe } from "@/lib/monitoring/observe";
import { endParts } from "@/lib/process/stop";
import { certificateEnds } from "@/lib/providers/certificates";
import { followProviders } from "@/lib/rails/pix/connected";
import { followDatabaseClock } from "@/lib/time/clock-skew";

/** Starts the worker in this process or thread. Resolves when it works. */
export async function run() {
  logWarnings();
  const stopClock = await inBackground(() => followDatabaseClock({ isThread: Boolean(parentPort) }));
  const stopProviders = await inBackground(followProviders);
  const { stopMetrics, beginDrain } = parentPort ? countForServer() : await serveOwnMetrics();
  const stopWorker = startWorker(registry);
  return { stop: () => endParts([beginDrain, stopWorker, stopProviders, stopClock], [flushStored, stopMetrics]) };
}

/** A process of its own says itself how it is, over the connections that it has for its work. */
async function serveOwnMetrics() {
  let isDraining = false;
  const readiness = observe("worker", registry, { certificates: certificateEnds, differences: readDifferenceFigures });
  const stopMetrics = await inBackground(() => serveMetrics({ readiness, isDraining: () => isDraining }));
  const beginDrain = async () => {
    isDraining = true;
  };
  return { stopMetrics, beginDrain };
}

/** A thread counts, and its server asks for the figures. */
function countForServer() {
  if (env.METRICS_PORT) startCounting("worker");
  const nothing = async () => {};
  return { stopMetrics: nothing, beginDrain: nothing };
}

/** Of a thread, as `nice` has it: where the processor is short, a request goes first, and work still has a quarter. */
const NICE = 5;

// As a thread of a server that is web and worker at once, which server.ts starts and wakes.
if (parentPort) {
  setPriority(NICE);
  const { stop } = await run();
  parentPort.on("message", ({ wake, figures, to }) => {
    if (wake) return wakeHere(wake);
    if (figures) return readFigures().then((read) => to.postMessage(read));
    return stop().finally(() => process.exit());
  });
  parentPort.postMessage("running");
}
