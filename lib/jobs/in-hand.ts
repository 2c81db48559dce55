import { statement } from "@/lib/db";
import { log } from "@/lib/log";

/** The jobs that handlers of this process are at, by id. */
const inHand = new Set<string>();

/** Runs a job's handler, and knows meanwhile that the job is at work here. */
export async function keepInHand<T>(jobId: string, run: () => Promise<T>): Promise<T> {
  inHand.add(jobId);
  try {
    return await run();
  } finally {
    inHand.delete(jobId);
  }
}

type Locked = { id: string; locked_by: string; locked_at: string };

/**
 * Looks for jobs that are locked in the name of this process's workers and that it is not at: the database locked them
 * and the answer was lost. Called again and again; only what two looks in a row find is freed, because a job's answer,
 * or its end, may be on its way at one of them. Returns how many were freed.
 */
export function watchLockedJobs(workerIds: () => string[]) {
  let seen = new Set<string>();
  return async () => {
    const before = seen;
    seen = new Set(); // a look that fails begins anew
    const locked = await statement<Locked>("jobs-locked-here", LOCKED, [workerIds()]);
    const lost = locked.filter(({ id }) => !inHand.has(id));
    const keyOf = ({ id, locked_at }: Locked) => `${id} ${locked_at}`;
    seen = new Set(lost.map(keyOf));
    const freed = lost.filter((job) => before.has(keyOf(job)));
    if (freed.length === 0) return 0;
    await statement("jobs-free-lost", FREE, [JSON.stringify(freed)]);
    log.warn({ jobs: freed.map(({ id }) => id) }, "jobs were locked by a worker that never got them");
    return freed.length;
  };
}

const LOCKED = `select id::text, locked_by, locked_at::text from graphile_worker._private_jobs
  where locked_by = any($1::text[])`;

/** As graphile-worker's own force_unlock_workers, for these jobs alone: its lock is in the name of all its workers. */
const FREE = `with lost as (
    select * from json_to_recordset($1::json) as l(id bigint, locked_by text, locked_at timestamptz)
  ), freed as (
    update graphile_worker._private_jobs job set locked_by = null, locked_at = null,
      run_at = greatest(job.run_at, now()), attempts = greatest(job.attempts - 1, 0) -- no handler ever had it
    from lost where job.id = lost.id and job.locked_by = lost.locked_by and job.locked_at = lost.locked_at
    returning job.job_queue_id, lost.locked_by
  )
  update graphile_worker._private_job_queues queue set locked_by = null, locked_at = null
  from freed where queue.id = freed.job_queue_id and queue.locked_by = freed.locked_by`;
