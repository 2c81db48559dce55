import { pool } from "@/lib/db";
import type { JobName } from "@/lib/jobs/enqueue";

type Job = { payload: object; queue?: string; runAt?: Date };

/** Adds jobs to the queue itself, without the outbox, each to its named queue if it gives one. */
export function addJobs(name: JobName, jobs: readonly Job[]) {
  const specs = jobs.map(({ payload, queue, runAt }) => ({
    ...{ identifier: name, payload, queue_name: queue, run_at: runAt, max_attempts: 25 },
  }));
  return pool().query(
    `select from graphile_worker.add_jobs(array(
      select spec from json_populate_recordset(null::graphile_worker.job_spec, $1::json) spec
    ))`,
    [JSON.stringify(specs)],
  );
}
