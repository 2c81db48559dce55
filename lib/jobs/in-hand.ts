import { statement } from "@/lib/db";
import { log } from "@/lib/log";

/** The ids of the jobs that handlers of this process are working on. */
const inHand = new Set<string>();

/** Runs a job's handler and notes, while it runs, that this process is working on the job. */
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
 * Makes a function that frees the jobs which are locked by this process's workers while no handler works on them: the
 * database locked such a job and its answer was lost. The function is called repeatedly. It frees a job only when two
 * calls in a row find it, because at one call the job, or the report of its end, may still be on its way. It returns
 * how many jobs it freed.
 */
export function watchLockedJobs(workerIds: () => string[]) {
  let seen = new Set<string>();
  return async () => {
    const before = seen;
    seen = new Set(); // after a look that failed, the next one counts as the first
    const locked = await statement<Locked>("jobs-locked-here", LOCKED, [workerIds()]);
    const lost = locked.filter(({ id }) => !inHand.has(id));
    const keyOf = ({ id, locked_at }: Locked) => `${id} ${locked_at}`;
    seen = new Set(lost.map(keyOf));
    const freed = lost.filter((job) => before.has(keyOf(job)));
    if (freed.length === 0) return 0;
    await statement("jobs-free-lost", FREE, [JSON.stringify(freed)]);
    log.warn({ jobs: freed.map(({ id }) => id) }, "jobs were locked by a worker that never received them");
    return freed.length;
  };
}

const LOCKED = `select id::text, locked_by, locked_at::text from graphile_worker.jobs
  where locked_by = any($1::text[])`;

/**
 * The only statement of the program that uses the queue's private tables. The public functions do not serve here:
 * `force_unlock_workers` would free every job of this process, because all its workers lock under one id, and
 * `reschedule_jobs` and `complete_jobs` pass over locked jobs.
 */
const FREE = `with lost as (
    select * from json_to_recordset($1::json) as l(id bigint, locked_by text, locked_at timestamptz)
  ), freed as (
    update graphile_worker._private_jobs job set locked_by = null, locked_at = null,
      run_at = greatest(job.run_at, now()), attempts = greatest(job.attempts - 1, 0) -- no handler ever received it
    from lost where job.id = lost.id and job.locked_by = lost.locked_by and job.locked_at = lost.locked_at
    returning job.job_queue_id, lost.locked_by
  )
  update graphile_worker._private_job_queues queue set locked_by = null, locked_at = null
  from freed where queue.id = freed.job_queue_id and queue.locked_by = freed.locked_by`;
