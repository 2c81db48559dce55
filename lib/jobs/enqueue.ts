import type { Tx } from "@/lib/db";

/** Every job with its payload, which holds ids only, never a secret or a body. */
export type Jobs = {
  "deposits.settle": { provider: string; endToEndId: string };
  "webhooks.dispatch": { accountId: string; eventId: string };
  "simulator.notify": { endToEndId: string };
};

export type JobName = keyof Jobs;

/** Adds a job to the queue in the caller's transaction, to run now or at `runAt`. */
export async function enqueue<N extends JobName>(tx: Tx, name: N, payload: Jobs[N], options: { runAt?: Date } = {}) {
  const spec = { identifier: name, payload, run_at: options.runAt, max_attempts: 25 };
  await tx.$queryRaw`
    select count(*)::int as queued from graphile_worker.add_jobs(array[
      json_populate_record(null::graphile_worker.job_spec, ${JSON.stringify(spec)}::json)
    ])`;
}

/**
 * Writes a job to the outbox, from where the relay moves it into the queue within 100 ms. Transactions that many
 * callers run at once use this, because the queue's NOTIFY takes one lock of the whole database at commit.
 */
export async function enqueueSoon<N extends JobName>(tx: Tx, name: N, payload: Jobs[N]) {
  await tx.outbox.create({ data: { name, payload } });
}
