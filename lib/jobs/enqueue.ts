import type { Tx } from "@/lib/db";

/** Every job and what it is told: ids only, never a secret or a body. */
export type Jobs = {
  "deposits.settle": { provider: string; endToEndId: string };
  "webhooks.dispatch": { accountId: string; eventId: string };
  /** `rank`: the endpoint's when this was queued; see `lib/webhooks/rank.ts`. */
  "webhooks.deliver": { accountId: string; deliveryId: string; rank?: number };
  "webhooks.wake": { accountId: string; webhookId: number };
  "simulator.notify": { endToEndId: string };
};

export type JobName = keyof Jobs;

/** Of jobs that are due the lowest `priority` goes first (0 when it is not given), and then the oldest. */
type Options = { runAt?: Date; key?: string; queue?: string; priority?: number };

export type NewJob<N extends JobName> = Options & { payload: Jobs[N] };

/** Puts a job into the queue in the caller's transaction. A `key` replaces an unstarted job of the same key. */
export const enqueue = <N extends JobName>(tx: Tx, name: N, payload: Jobs[N], options: Options = {}) =>
  enqueueAll(tx, name, [{ ...options, payload }]);

const MOST_AT_ONCE = 10_000;

/** Puts any number of jobs into the queue as `enqueue` does, with a statement for each ten thousand. */
export async function enqueueAll<N extends JobName>(tx: Tx, name: N, jobs: readonly NewJob<N>[]) {
  for (let from = 0; from < jobs.length; from += MOST_AT_ONCE) {
    const specs = jobs.slice(from, from + MOST_AT_ONCE).map(({ payload, queue, runAt, key, priority }) => ({
      identifier: name,
      payload,
      queue_name: queue,
      run_at: runAt,
      max_attempts: 25,
      job_key: key,
      priority,
    }));
    await tx.$queryRaw`
      select count(*)::int as queued from graphile_worker.add_jobs(array(
        select spec from json_populate_recordset(null::graphile_worker.job_spec, ${JSON.stringify(specs)}::json) spec
      ))`;
  }
}

/**
 * Promises a job without touching the queue: the relay moves it there within 100 ms. For transactions that many
 * callers run at once, because the queue's NOTIFY takes one lock of the whole database at commit.
 */
export async function enqueueSoon<N extends JobName>(tx: Tx, name: N, payload: Jobs[N]) {
  await tx.outbox.create({ data: { name, payload } });
}
