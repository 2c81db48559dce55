import { Logger, parseCronItems, run, runMigrations, type TaskList } from "graphile-worker";
import { pool } from "@/lib/db";
import { startAliveLocks } from "@/lib/jobs/alive";
import { scheduled, sweeps, timetable, verbs } from "@/lib/jobs/registry";
import { startRelay } from "@/lib/jobs/relay";
import { log } from "@/lib/log";

/** Jobs at once: those that move money, and those that wait for other people's servers, which never share a place. */
const CONCURRENCY = 10;
const DELIVERIES_AT_ONCE = 24;

/** The queue's own words: a job that failed is a warning, its advice on pool sizes is noise. */
const logger = new Logger(() => (level, message, meta) => {
  log[level === "error" ? "warn" : "debug"]({ meta }, message);
});

/** Brings the queue's own tables up to date; they belong to the program's role. */
export const migrateQueue = () => runMigrations({ pgPool: pool(), logger });

/**
 * Runs jobs, relay, sweeps and the timetable until the returned function is called, which lets running jobs end.
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
  const { "webhooks.deliver": deliver, ...others } = verbs;
  const options = { pgPool: pool(), noHandleSignals: true, pollInterval: 500, logger };
  const runners = await Promise.all([
    run({
      ...options,
      taskList: { ...tasksOf(others), ...tasksOf(scheduled) },
      parsedCronItems: parseCronItems(timetable),
      concurrency: CONCURRENCY,
    }),
    run({ ...options, taskList: tasksOf({ "webhooks.deliver": deliver }), concurrency: DELIVERIES_AT_ONCE }),
  ]);
  const failed = (name: string) => (error: unknown) => log.error({ error, name }, "background work failed");
  const stopRelay = startRelay(failed("relay"));
  const stopSweeps = sweeps.map(({ name, everyMs, run }) => repeat(everyMs, run, failed(name)));
  return async () => {
    await Promise.all([stopRelay(), ...stopSweeps.map((stop) => stop())]);
    await Promise.all(runners.map((runner) => runner.stop()));
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
