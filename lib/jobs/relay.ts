import { statement } from "@/lib/db";

const EVERY_MS = 75;
const AFTER_A_FAILURE_MS = 1_000;
const BATCH_LIMIT = 500;

/**
 * Moves jobs from the outbox into the queue, many at a time. One statement deletes the rows and adds the jobs, so a
 * crash leaves both done or neither. Any number of relays may run, because each claims rows that no other holds.
 * Returns how many jobs it moved.
 */
export async function relayOnce(): Promise<number> {
  const [row] = await statement<{ moved: string }>("relay", RELAY, [BATCH_LIMIT]);
  return Number(row?.moved ?? 0);
}

const RELAY = `with moved as (
    delete from outbox where id in (select id from outbox order by id limit $1 for update skip locked)
    returning name, payload
  )
  select count(*)::text as moved from (
    select array_agg(json_populate_record(null::graphile_worker.job_spec,
      json_build_object('identifier', name, 'payload', payload, 'max_attempts', 25))) as specs
    from moved having count(*) > 0
  ) batch cross join lateral graphile_worker.add_jobs(batch.specs)`;

/** Runs the relay until the returned function is called, which waits for the statement under way. */
export function startRelay(failed: (error: unknown) => void): () => Promise<void> {
  let stopped = false;
  const loop = (async () => {
    while (!stopped) {
      let waitMs = EVERY_MS;
      try {
        if ((await relayOnce()) === BATCH_LIMIT) continue;
      } catch (error) {
        failed(error);
        waitMs = AFTER_A_FAILURE_MS;
      }
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  })();
  return () => {
    stopped = true;
    return loop;
  };
}
