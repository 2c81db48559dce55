import { makeWorkerUtils } from "graphile-worker";
import { asSystem, pool } from "@/lib/db";

/** What is kept how long (domain.md section 7), as one table: table, the instant that ages, days. */
export const retention = [
  { table: "request_log", column: "created_at", days: 30 },
  { table: "delivery_attempts", column: "created_at", days: 14 },
  { table: "idempotency_keys", column: "created_at", days: 1 },
  { table: "access_tokens", column: "expires_at", days: 0 },
  { table: "sessions", column: "expires_at", days: 0 },
  { table: "rate_limits", column: "updated_at", days: 1 },
  { table: "rail_callbacks", column: "received_at", days: 90 },
] as const;

/** Deletes what is older than the table above allows. Returns how many rows went, by table. */
export async function purge(): Promise<Record<string, number>> {
  const gone: Record<string, number> = {};
  for (const { table, column, days } of retention) {
    gone[table] = await asSystem((tx) =>
      tx.$executeRawUnsafe(`delete from ${table} where ${column} < now() - interval '${days} days'`),
    );
  }
  return gone;
}

/** Forgets the names of queues in which nothing waits: every endpoint has some of its own. */
export async function collectQueues(): Promise<void> {
  const utils = await makeWorkerUtils({ pgPool: pool() });
  await utils.cleanup({ tasks: ["GC_JOB_QUEUES"] });
  await utils.release();
}
