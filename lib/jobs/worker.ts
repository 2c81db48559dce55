import { Logger, makeWorkerUtils, parseCronItems, run, type TaskList } from "graphile-worker";
import { isUnavailable, pool } from "@/lib/db";
import { startAliveLocks } from "@/lib/jobs/alive";
import { keepInHand, watchLockedJobs } from "@/lib/jobs/in-hand";
import { type Loop, startLoop } from "@/lib/jobs/loop";
import { patientPool } from "@/lib/jobs/patient-pool";
import { log } from "@/lib/log";
import { repeat } from "@/lib/repeat";

/** How many jobs run at once. */
const CONCURRENCY = 10;
/** How often the jobs that this process locked are checked; see `watchLockedJobs`. */
const LOOK_EVERY_MS = 2_000;

/** graphile-worker's own messages: a failed job is a warning, and the rest is for debugging. */
const logger = new Logger(() => (level, message, meta) => {
  log[level === "error" ? "warn" : "debug"]({ meta }, message);
});

const FORMER_TASKS = ["webhooks.deliver", "webhooks.wake"];

/**
 * Brings the queue's own tables, which belong to the program's role, up to date, and deletes the jobs and queues that an
 * older version left and nothing runs any more: deliveries were once jobs in queues of each account.
 */
export async function migrateQueue() {
  const queue = await makeWorkerUtils({ pgPool: pool(), logger });
  await queue.migrate();
  const left = "select id from graphile_worker.jobs where task_identifier = any($1)";
  const { rows } = await pool().query<{ id: string }>(left, [FORMER_TASKS]);
  await queue.completeJobs(rows.map(({ id }) => id));
  await queue.cleanup({ tasks: ["GC_JOB_QUEUES"] });
  await queue.release();
}

type Run = (payload: never) => Promise<unknown>;

/** What a worker does; `lib/jobs/registry.ts` names it all, so that the worker itself knows no noun. */
export type Registry = {
  /** What is due in rows. */
  work: readonly Loop[];
  /** What is repeated on every worker. */
  sweeps: readonly { name: string; everyMs: number; run: () => Promise<unknown> }[];
  /** What the timetable starts, on one worker. */
  scheduled: Record<string, Run>;
  timetable: { task: string; match: string }[];
  /** What runs all the time until the returned function is called. */
  loops: readonly { name: string; start: (failed: (error: unknown) => void) => () => Promise<void> }[];
};

/**
 * Runs jobs, loops, relay, sweeps and the timetable until the returned function is called, which waits for running
 * work to end. The jobs of a worker that vanished (SIGKILL, lost machine) are freed within seconds and run again. A
 * fault of the database does not end the worker: the queue's statements are repeated, and a job that was lost on its
 * way here is freed.
 */
export async function startWorker({
  work,
  sweeps,
  scheduled,
  timetable,
  loops,
}: Registry): Promise<() => Promise<void>> {
  const alive = await startAliveLocks();
  const stopOutliving = outliveFaults();
  const patient = patientPool(pool());
  const tasksOf = (table: Record<string, Run>): TaskList =>
    Object.fromEntries(
      Object.entries(table).map(([name, handle]) => [
        name,
        (payload, { job }) =>
          keepInHand(job.id, async () => {
            await alive.hold(job.locked_by ?? "");
            await handle(payload as never);
          }),
      ]),
    );
  const runner = await run({
    pgPool: patient.pool,
    noHandleSignals: true,
    pollInterval: 500,
    logger,
    taskList: tasksOf(scheduled),
    parsedCronItems: parseCronItems(timetable),
    concurrency: CONCURRENCY,
  });
  const failed = (name: string) => (error: unknown) => log.error({ error, name }, "background work failed");
  const stopLoops = loops.map(({ name, start }) => start(failed(name)));
  const stopWork = work.map((loop) => startLoop(loop, failed(loop.name)));
  const stopSweeps = sweeps.map(({ name, everyMs, run }) => repeat(everyMs, run, failed(name)));
  stopSweeps.push(repeat(LOOK_EVERY_MS, watchLockedJobs(alive.ids), failed("jobs.free-lost")));
  return async () => {
    patient.hurry();
    await Promise.all([runner.stop(), ...[...stopWork, ...stopLoops, ...stopSweeps].map((stop) => stop())]);
    await patient.allAnswered();
    await alive.stop();
    stopOutliving();
  };
}

/**
 * Keeps the process alive after an unhandled rejection that an unavailable database caused, and logs it instead. Any
 * other unhandled rejection still ends the process, unless another listener (Next's) exists. Returns a function that
 * removes the listener.
 */
function outliveFaults() {
  const listen = (error: unknown) => {
    if (isUnavailable(error)) log.error({ error }, "an error of the database was not awaited");
    else if (process.listenerCount("unhandledRejection") === 1) throw error;
  };
  process.on("unhandledRejection", listen);
  return () => process.off("unhandledRejection", listen);
}
