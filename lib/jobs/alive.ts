import pg from "pg";
import { pool } from "@/lib/db";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { repeat } from "@/lib/repeat";

/**
 * The first half of the advisory locks by which workers show that they are alive; the second is the worker id's hash.
 */
const ALIVE = 7_001;
const SWEEP_EVERY_MS = 2_000;
/** A worker locks at its first job, so a job that was claimed less than this ago says nothing about its worker yet. */
const YOUNG_MS = 3_000;
const ANSWER_WITHIN_MS = 2_000;

/**
 * Holds one lock for each worker of this process, on a connection that ends with the process however it dies, and frees
 * the jobs of every worker whose lock is gone.
 */
export async function startAliveLocks() {
  const held = new Set<string>();
  let client: pg.Client | undefined;
  let stopped = false;
  let holding = Promise.resolve();

  async function connect() {
    const next = new pg.Client({
      connectionString: env.DATABASE_PROGRAM_URL,
      application_name: "repasse worker",
      connectionTimeoutMillis: ANSWER_WITHIN_MS,
      query_timeout: ANSWER_WITHIN_MS, // the client's own time-out: a dead connection may never report an error
    });
    next.on("error", () => drop(next));
    try {
      await next.connect();
      for (const id of held) await lock(next, id);
    } catch (error) {
      drop(next);
      throw error;
    }
    client = next;
  }

  function drop(broken: pg.Client) {
    if (client === broken) client = undefined;
    broken.end().catch(() => {});
  }

  /** Checks that the connection works, and replaces it when it does not. */
  async function keep() {
    const now = client;
    if (now) await now.query("select 1").catch(() => drop(now));
    if (!client && !stopped) await connect();
  }

  await connect().catch((error) => log.error({ error }, "a worker starts without its lock; the sweep will lock it"));
  const stopSweep = repeat(
    SWEEP_EVERY_MS,
    async () => {
      await keep();
      await freeLostJobs();
    },
    (error) => log.error({ error }, "lost jobs were not looked for"),
  );

  return {
    /** The ids of this process's workers that have a lock. */
    ids: () => [...held],
    /** Resolves when the worker has its lock, or after 2 s without one. A job's handler starts only then. */
    hold(workerId: string): Promise<void> {
      if (held.has(workerId)) return holding;
      held.add(workerId);
      holding = holding.then(async () => {
        const now = client;
        if (!now) return; // the sweep reconnects and locks again
        await lock(now, workerId).catch((error) => {
          log.error({ error }, "a worker could not lock");
          drop(now);
        });
      });
      return holding;
    },
    async stop() {
      stopped = true;
      await stopSweep();
      await client?.end();
    },
  };
}

/** The lock is shared, so that a new connection does not wait until the server notices that the old one is gone. */
const lock = (client: pg.Client, id: string) =>
  client.query("select pg_advisory_lock_shared($1, hashtext($2))", [ALIVE, id]);

/** Makes the jobs of vanished workers, and their queues, available at once. Returns how many workers were gone. */
export async function freeLostJobs(youngMs = YOUNG_MS): Promise<number> {
  const { rows } = await pool().query<{ freed: string }>(
    `with holder as materialized (
       select locked_by as id, max(locked_at) as since from graphile_worker.jobs where locked_by is not null
       group by locked_by
     ), gone as materialized (
       select id from holder
       where since < now() - $2 * interval '1 millisecond' and pg_try_advisory_xact_lock($1, hashtext(id))
     )
     select count(*)::text as freed
     from (select array_agg(id) as ids from gone having count(*) > 0) g
     cross join lateral (select graphile_worker.force_unlock_workers(g.ids)::text) done`,
    [ALIVE, youngMs],
  );
  return Number(rows[0]?.freed ?? 0);
}
