import { Logger, parseCronItems, run, runMigrations, type TaskList } from "graphile-worker";
import { pool } from "@/lib/db";
import { startAliveLocks } from "@/lib/jobs/alive";
import { scheduled, sweeps, timetable, verbs } from "@/lib/jobs/registry";
import { startRelay } from "@/lib/jobs/relay";
import { log } from "@/lib/log";
import { startDeliveries } from "@/lib/webhooks/run";

/** Jobs at once. What waits for other people's servers is no job: see `lib/webhooks/run.ts`. */
const CONCURRENCY = 10;

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
 * The jobs of a worker that vanished (SIGKILL, lost machine) are freed within seconds and run again.
 */
export async function startWorker(): Promise<() => Promise<void>> {
  const alive = await startAliveLocks();
  const tasksOf = (table: object): TaskList => {
    const entries = Object.entries(table) as [string, (payload: unknown) => Promise<unknown>][];
    return Object.fromEntries(
      entries.map(([name, verb]) => [
        name,
        async (payload, { job }) => {
          await alive.hold(job.locked_by ?? "");
          await verb(payload);
        },
      ]),
    );
  };
  const runner = await run({
    pgPool: pool(),
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
  return async () => {
    await Promise.all([stopDeliveries(), stopRelay(), ...stopSweeps.map((stop) => stop())]);
    await runner.stop();
    await alive.stop();
  };
}

/** Runs again and again, never twice at once here, until the returned function is called. */
export function repeat(everyMs: number, run: () => Promise<unknown>, failed: (error: unknown) => void) {
  let timer: NodeJS.Timeout;
  let stopped = false;
  let running = Promise.resolve();
  const turn = () => {
    running = run()
      .catch(failed)
      .then(() => {
        if (!stopped) timer = setTimeout(turn, everyMs);
      });
  };
  timer = setTimeout(turn, everyMs);
  return () => {
    stopped = true;
    clearTimeout(timer);
    return running;
  };
}
