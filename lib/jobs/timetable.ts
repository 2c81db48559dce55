import { answeredWithin } from "@/lib/concurrency/time-limit";
import { IN_SCOPE, type Query, runPrepared, SCOPE_OF_ALL } from "@/lib/db";
import { startAttempts } from "@/lib/due/attempts";
import { leasesOf, waitOf } from "@/lib/due/claims";
import { type DueRows, isPicked, locked } from "@/lib/due/find";
import { log } from "@/lib/log";

/** What is run every `everyMs`, counted from the time of day `from` in UTC. It is safe to run twice. */
export type Timetable = readonly {
  name: string;
  everyMs: number;
  from: `${number}:${number}`;
  run: () => Promise<unknown>;
}[];

/** The pause after a look that found nothing. */
const IDLE_MS = 2_000;
const GATHER_MS = 20;
/** Until when another worker runs what this process had claimed when it died. */
const LEASE_MS = 8_000;
/** After a failure that was not recorded. */
const HELD_BACK_MS = 60_000;
/** A job that takes longer counts as failed, so that one that hangs is run again. */
const RUN_WITHIN_MS = 4 * 3_600_000;
/** How long a stop waits for what the timetable started. It is safe to be cut off, and may take minutes. */
const STOP_WITHIN_MS = 2_000;

/** The jobs of the timetable that are due. A claim moves the instant ahead, and a job that succeeded has its next time. */
export const dueJobs = { table: "timed_jobs", key: { name: "text" }, at: "due_at" } as const satisfies DueRows;

type Claimed = { id: string; name: string };

/**
 * Runs each job of the timetable when it is due, on one of all workers, until the returned function is called. A job whose
 * time passed while no worker ran is run once. One that fails is run again, after longer and longer pauses, and keeps no
 * other waiting.
 */
export const startTimetable =
  (timetable: Timetable) =>
  (failed: (error: unknown) => void): (() => Promise<void>) => {
    const names = timetable.map(({ name }) => name);
    let isPlanned = false;
    return startAttempts<Claimed>(
      {
        gatherMs: GATHER_MS,
        heldBackMs: HELD_BACK_MS,
        stopWithinMs: STOP_WITHIN_MS,
        async claim(worker) {
          if (!isPlanned) await plan(timetable);
          isPlanned = true;
          return { claimed: await runPrepared<Claimed>("timetable_claim", CLAIM, [worker, names]), pauseMs: IDLE_MS };
        },
        attempt: (worker, claimed, stop) => attempt(timetable, worker, claimed, stop),
        renew: leases.renew,
        release: leases.release,
      },
      failed,
    );
  };

/** Brings the rows in step with the timetable. What is due, under way or to be repeated stays as it is. */
async function plan(timetable: Timetable): Promise<void> {
  const columns = [
    timetable.map(({ name }) => name),
    timetable.map(({ everyMs }) => everyMs),
    timetable.map(({ from }) => from),
  ];
  await runPrepared("timetable_plan", PLAN, columns);
}

async function attempt(timetable: Timetable, worker: string, { name }: Claimed, stop: AbortSignal): Promise<void> {
  const job = timetable.find((one) => one.name === name);
  if (!job) return;
  try {
    await answeredWithin(RUN_WITHIN_MS, job.run(), stop);
  } catch (error) {
    if (stop.aborted) return;
    log.error({ name, error }, "a job of the timetable failed");
    await runPrepared("timetable_later", LATER, [name, worker]);
    return;
  }
  await runPrepared("timetable_done", DONE, [name, worker, job.everyMs, job.from]);
}

const leases = leasesOf({
  ...{ name: "timetable", table: dueJobs.table, key: dueJobs.key },
  ...{ by: "claimed_by", until: dueJobs.at, leaseMs: LEASE_MS },
});

/** SQL: the next time of a job, by the database's clock alone, so that no job is run twice at one time. */
const nextOf = (everyMs: string, from: string) => {
  const every = `${everyMs} * interval '1 millisecond'`;
  return `date_bin(${every}, now(), timestamptz '2000-01-01 00:00Z' + ${from}) + ${every}`;
};

const PLAN = `with job as (
    select name, ${nextOf("every_ms", "of_day")} as due_at
    from unnest($1::text[], $2::float8[], $3::interval[]) as planned(name, every_ms, of_day)
  ), gone as (
    delete from timed_jobs where name <> all($1::text[])
  )
  insert into timed_jobs as t (name, due_at) select name, due_at from job order by name
  on conflict (name) do update set due_at = excluded.due_at
    where t.attempts = 0 and t.due_at > now() and t.due_at <> excluded.due_at`;

const CLAIM = `with ${SCOPE_OF_ALL}, due as materialized (
    ${locked(`select t.name from timed_jobs t
      where ${IN_SCOPE} and t.name = any($2::text[]) and t.due_at <= now() order by t.due_at`)}
  )
  update timed_jobs t set ${leases.sets}, attempts = t.attempts + 1
  from due where ${IN_SCOPE} and ${isPicked("t", "due", dueJobs.key)}
  returning t.name as id, t.name`;

/** Whoever lost its claim to another worker changes nothing. */
const IS_OURS = "t.name = $1 and t.claimed_by = $2::uuid";

const LATER = `update timed_jobs t set due_at = now() + ${waitOf({ firstMs: 10_000, maxMs: 1_800_000 })}, claimed_by = null
  where ${IS_OURS}`;

const DONE = `update timed_jobs t set due_at = ${nextOf("$3::float8", "$4::interval")}, claimed_by = null, attempts = 0
  where ${IS_OURS}`;

/** When a job is due, and whether a worker runs it. Undefined before a worker has planned it. */
export async function readJob(name: string): Promise<{ dueAt: Date; isClaimed: boolean } | undefined> {
  const [job] = await runPrepared<{ dueAt: Date; isClaimed: boolean }>("timetable_read", READ, [name]);
  return job;
}

/** Lets a worker run a job now. One that is run, or is due, stays as it is. */
export const runNow = (query: Query, name: string) => query("timetable_now", RUN_NOW, [name]);

const READ = `select due_at as "dueAt", claimed_by is not null as "isClaimed" from timed_jobs where name = $1`;
const RUN_NOW = "update timed_jobs set due_at = now() where name = $1 and claimed_by is null and due_at > now()";
