import { setTimeout as sleep } from "node:timers/promises";
import { Logger, makeWorkerUtils, parseCronItems, type Runner, run } from "graphile-worker";
import { newPause } from "@/lib/concurrency/pause";
import { inBackground, isUnavailable, queuePool } from "@/lib/db";
import { log } from "@/lib/log";

/** What is started at the minutes that `at` names, as cron writes them, in UTC. It is safe to run twice. */
export type Timetable = readonly { name: string; at: string; run: () => Promise<unknown> }[];

const CONCURRENCY = 2;
/** New jobs are announced; this is how soon one is found whose announcement was lost. */
const POLL_EVERY_MS = 5_000;
const AGAIN_AFTER_MS = 1_000;
/** How long a stop waits for what the timetable started. It is safe to be cut off, and may take minutes. */
const STOP_WITHIN_MS = 2_000;

/** graphile-worker's own messages: a failed job is a warning, and the rest is for debugging. */
const logger = new Logger(() => (level, message, meta) => {
  log[level === "error" ? "warn" : "debug"]({ meta }, message);
});

/** Brings the queue's own tables, which belong to the program's role, up to date. */
export async function migrateQueue() {
  const queue = await makeWorkerUtils({ pgPool: queuePool(), logger });
  await queue.migrate();
  await queue.release();
}

/**
 * Starts what the timetable names, each on one of all workers, until the returned function is called. No job waits for
 * another and each is safe to run again, so one that a dead worker holds, or whose end was not recorded, keeps nothing
 * waiting. A fault of the database ends neither the queue nor the process.
 */
export async function startTimetable(timetable: Timetable): Promise<() => Promise<void>> {
  const options = {
    pgPool: queuePool(),
    noHandleSignals: true,
    logger,
    pollInterval: POLL_EVERY_MS,
    concurrency: CONCURRENCY,
    taskList: Object.fromEntries(
      timetable.map(({ name, run }) => [name, () => inBackground(async () => void (await run()))]),
    ),
    parsedCronItems: parseCronItems(timetable.map(({ name, at }) => ({ task: name, match: at }))),
  };
  if (!process.listeners("unhandledRejection").includes(outliveFault)) {
    process.on("unhandledRejection", outliveFault); // for good: a stopped queue may still tell of a fault
  }
  const pause = newPause();
  let isStopped = false;
  let runner = await run(options);

  async function restart() {
    await pause.for(AGAIN_AFTER_MS);
    if (isStopped) return;
    runner.stop().catch(() => {}); // it may have ended by itself, or wait for the database
    for (let next: Runner | undefined; !next && !isStopped; ) {
      next = await run(options).catch(() => undefined);
      if (next) runner = next;
      else await pause.for(AGAIN_AFTER_MS);
    }
  }

  const running = (async () => {
    for (;;) {
      const error = await endOf(runner);
      if (isStopped) return;
      log.warn({ error }, "the job queue is started again");
      await restart();
    }
  })();
  return async () => {
    isStopped = true;
    pause.end();
    const stopped = runner
      .stop()
      .catch(() => {})
      .then(() => running);
    await Promise.race([stopped, sleep(STOP_WITHIN_MS)]);
  };
}

/**
 * Resolves when the queue ended or could not look for a job. It is started again then, because after a failed look-up of
 * its tasks it repeats that failure for ever.
 */
const endOf = (runner: Runner) =>
  new Promise<unknown>((resolve) => {
    runner.events.once("worker:getJob:error", ({ error }) => resolve(error));
    runner.promise.then(resolve, resolve);
  });

/**
 * Keeps the process alive after an unhandled rejection that an unavailable database caused, and logs it instead: the
 * queue does not await what ends a job. Any other unhandled rejection still ends the process, unless another listener
 * (Next's) exists.
 */
function outliveFault(error: unknown) {
  if (isUnavailable(error)) log.error({ error }, "an error of the database was not awaited");
  else if (process.listenerCount("unhandledRejection") === 1) throw error;
}
