import { setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { flushStored } from "@/lib/accounts/storage";
import { registry } from "@/lib/jobs/registry";
import { migrateQueue } from "@/lib/jobs/timetable";
import { startWorker } from "@/lib/jobs/worker";
import { endParts } from "@/lib/stop";
import { wakeHere } from "@/lib/wake";

/** Starts the worker in this process or thread. Resolves when it works. */
export async function run() {
  await migrateQueue();
  const stopWorker = await startWorker(registry);
  return { stop: () => endParts([stopWorker], [flushStored]) };
}

/** Of a thread, as `nice` has it: where the processor is short, a request goes first, and work still has a quarter. */
const NICE = 5;

// As a thread of a server that is web and worker at once, which server.ts starts and wakes.
if (parentPort) {
  setPriority(NICE);
  const { stop } = await run();
  parentPort.on("message", ({ wake }) => (wake ? wakeHere(wake) : stop().finally(() => process.exit())));
  parentPort.postMessage("running");
}
