import type { Tx } from "@/lib/db";

/** Every job and what it is told: ids only, never a secret or a body. */
export type Jobs = {
  "deposits.settle": { provider: string; endToEndId: string };
  "webhooks.dispatch": { accountId: string; eventId: string };
  "webhooks.deliver": { accountId: string; deliveryId: string };
  "simulator.notify": { endToEndId: string };
};

export type JobName = keyof Jobs;

type Options = { runAt?: Date; key?: string; queue?: string };

/** Puts a job into the queue in the caller's transaction. A `key` replaces an unstarted job of the same key. */
export async function enqueue<N extends JobName>(tx: Tx, name: N, payload: Jobs[N], options: Options = {}) {
  await tx.$queryRaw`
    select 1 as queued from graphile_worker.add_job(
      ${name}, payload := ${JSON.stringify(payload)}::json, queue_name := ${options.queue ?? null},
      run_at := ${options.runAt ?? null}, max_attempts := 25, job_key := ${options.key ?? null})`;
}

/**
 * Promises a job without touching the queue: the relay moves it there within 100 ms. For transactions that many
 * callers run at once, because the queue's NOTIFY takes one lock of the whole database at commit.
 */
export async function enqueueSoon<N extends JobName>(tx: Tx, name: N, payload: Jobs[N]) {
  await tx.outbox.create({ data: { name, payload } });
}
