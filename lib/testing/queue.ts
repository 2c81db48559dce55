import { pool } from "@/lib/db";

type Job = { payload: object; queue?: string; runAt?: Date };

/** Adds jobs to the queue itself, past the outbox, each to the named queue it gives, if any. */
export function addJobs(name: string, jobs: readonly Job[]) {
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
