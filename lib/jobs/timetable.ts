import { EventEmitter } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { Logger, makeWorkerUtils, parseCronItems, run, type WorkerEvents } from "graphile-worker";
import { inBackground, isUnavailable, pool } from "@/lib/db";
import { log } from "@/lib/log";
import { newPause } from "@/lib/pause";

/** What is started at the minutes that `at` names, as cron writes them, in UTC. It is safe to run twice. */
export type Timetable = readonly { name: string; at: string; run: () => Promise<unknown> }[];

const CONCURRENCY = 2;
/** New jobs are announced; this is how soon one is found whose announcement was lost. */
const POLL_EVERY_MS = 5_000;
const AGAIN_AFTER_MS = 1_000;
/** After so many searches in a row that failed the queue is started anew: it keeps an error of its first search for ever. */
const MAX_FAILURES = 4;
/** How long a stop waits for what the timetable started. It is safe to be cut off, and may take minutes. */
const STOP_WITHIN_MS = 2_000;

/** graphile-worker's own messages: a failed job is a warning, and the rest is for debugging. */
const logger = new Logger(() => (level, message, meta) => {
  log[level === "error" ? "warn" : "debug"]({ meta }, message);
});

/** Brings the queue's own tables, which belong to the program's role, up to date. */
export async function migrateQueue() {
  const queue = await makeWorkerUtils({ pgPool: pool(), logger });
  await queue.migrate();
  await queue.release();
}

/**
 * Starts what the timetable names, each on one of all workers, until the returned function is called. No job waits for
 * another and each is safe to run again, so one that a dead worker holds, or whose end was not recorded, keeps nothing
 * waiting. A fault of the database ends neither the queue nor the process.
 */
export async function startTimetable(timetable: Timetable): Promise<() => Promise<void>> {
  const events: WorkerEvents = new EventEmitter();
  const options = () => ({
    events,
    pgPool: pool(),
    noHandleSignals: true,
    logger,
    pollInterval: POLL_EVERY_MS,
    concurrency: CONCURRENCY,
    taskList: Object.fromEntries(
      timetable.map(({ name, run }) => [name, () => inBackground(async () => void (await run()))]),
    ),
    parsedCronItems: parseCronItems(timetable.map(({ name, at }) => ({ task: name, match: at }))),
  });
  const stopOutliving = outliveFaults();
  const pause = newPause();
  let isStopped = false;
  let runner = await run(options());
  let failures = 0;
  for (const found of ["job:start", "worker:getJob:empty"] as const) events.on(found, () => (failures = 0));
  events.on("worker:getJob:error", () => {
    failures += 1;
    if (failures % MAX_FAILURES === 0) runner.stop().catch(() => {});
  });
  const running = (async () => {
    for (;;) {
      const ended = await runner.promise.catch((error: unknown) => error);
      if (isStopped) return;
      log.warn({ error: ended }, "the job queue ended and is started again");
      await pause.for(AGAIN_AFTER_MS);
      if (!isStopped) runner = await run(options()).catch(() => runner);
    }
  })();
  return async () => {
    isStopped = true;
    pause.end();
    const stopped = runner.stop().catch(() => {}); // it may have ended by itself
    await Promise.race([Promise.all([stopped, running]), sleep(STOP_WITHIN_MS)]);
    stopOutliving();
  };
}

/**
 * Keeps the process alive after an unhandled rejection that an unavailable database caused, and logs it instead: the
 * queue does not await what ends a job. Any other unhandled rejection still ends the process, unless another listener
 * (Next's) exists. Returns a function that removes the listener.
 */
function outliveFaults() {
  const listen = (error: unknown) => {
    if (isUnavailable(error)) log.error({ error }, "an error of the database was not awaited");
    else if (process.listenerCount("unhandledRejection") === 1) throw error;
  };
  process.on("unhandledRejection", listen);
  return () => process.off("unhandledRejection", listen);
}
