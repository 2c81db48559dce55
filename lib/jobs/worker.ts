import { Logger, parseCronItems, run, runMigrations, type TaskList } from "graphile-worker";
import { isUnavailable, pool } from "@/lib/db";
import { startAliveLocks } from "@/lib/jobs/alive";
import { keepInHand, watchLockedJobs } from "@/lib/jobs/in-hand";
import { patientPool } from "@/lib/jobs/patient-pool";
import { scheduled, sweeps, timetable, verbs } from "@/lib/jobs/registry";
import { startRelay } from "@/lib/jobs/relay";
import { log } from "@/lib/log";
import { repeat } from "@/lib/repeat";
import { startDeliveries } from "@/lib/webhooks/run";

/** Jobs at once. What waits for other people's servers is no job: see `lib/webhooks/run.ts`. */
const CONCURRENCY = 10;
/** How often the jobs that are locked here are looked at; what two looks find in nobody's hands is freed. */
const LOOK_EVERY_MS = 2_000;

/** The queue's own words: a job that failed is a warning, its advice on pool sizes is noise. */
const logger = new Logger(() => (level, message, meta) => {
  log[level === "error" ? "warn" : "debug"]({ meta }, message);
});

/** Brings the queue's own tables up to date; they belong to the program's role. */
export async function migrateQueue() {
  await runMigrations({ pgPool: pool(), logger });
  await pool().query(FORGET_DELIVERIES);
}

/** Deliveries were jobs once, in queues of each account: what an older version left of those is of no use to anybody. */
const FORGET_DELIVERIES = `with forgotten as (
    delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
    where t.id = j.task_id and t.identifier in ('webhooks.deliver', 'webhooks.wake')
  )
  delete from graphile_worker._private_job_queues where queue_name ~ '^(webhook|retry):'`;

/**
 * Runs jobs, deliveries, relay, sweeps and the timetable until the returned function is called, which lets what runs end.
 * The jobs of a worker that vanished (SIGKILL, lost machine) are freed within seconds and run again. No fault of the
 * database ends it: statements of the queue are repeated, and a job that was lost on its way here is freed.
 */
export async function startWorker(): Promise<() => Promise<void>> {
  const alive = await startAliveLocks();
  const stopOutliving = outliveFaults();
  const patient = patientPool(pool());
  const tasksOf = (table: object): TaskList => {
    const entries = Object.entries(table) as [string, (payload: unknown) => Promise<unknown>][];
    return Object.fromEntries(
      entries.map(([name, verb]) => [
        name,
        (payload, { job }) =>
          keepInHand(job.id, async () => {
            await alive.hold(job.locked_by ?? "");
            await verb(payload);
          }),
      ]),
    );
  };
  const runner = await run({
    pgPool: patient.pool,
    noHandleSignals: true,
    pollInterval: 500,
    logger,
    taskList: { ...tasksOf(verbs), ...tasksOf(scheduled) },
    parsedCronItems: parseCronItems(timetable),
    concurrency: CONCURRENCY,
  });
  const failed = (name: string) => (error: unknown) => log.error({ error, name }, "background work failed");
  const stopDeliveries = startDeliveries(failed("deliveries"));
  const stopRelay = startRelay(failed("relay"));
  const stopSweeps = sweeps.map(({ name, everyMs, run }) => repeat(everyMs, run, failed(name)));
  stopSweeps.push(repeat(LOOK_EVERY_MS, watchLockedJobs(alive.ids), failed("jobs.free-lost")));
  return async () => {
    patient.hurry();
    await Promise.all([runner.stop(), stopDeliveries(), stopRelay(), ...stopSweeps.map((stop) => stop())]);
    await patient.settle();
    await alive.stop();
    stopOutliving();
  };
}

/**
 * A rejection that nobody awaits ends a Node process. One that comes from a database that could not be asked is logged
 * instead; any other ends it still, unless somebody else (Next) listens. Returns what undoes this.
 */
function outliveFaults() {
  const listen = (error: unknown) => {
    if (isUnavailable(error)) log.error({ error }, "nobody awaited this fault of the database");
    else if (process.listenerCount("unhandledRejection") === 1) throw error;
  };
  process.on("unhandledRejection", listen);
  return () => process.off("unhandledRejection", listen);
}
