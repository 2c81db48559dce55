import { asSystem, pool } from "@/lib/db";
import { log } from "@/lib/log";

/** How long rows are kept (domain.md section 7): the table, the column whose age counts, and a further condition. */
export const retention: readonly { table: string; column: string; keep: string; only?: string }[] = [
  { table: "request_log", column: "created_at", keep: "30 days" },
  { table: "delivery_attempts", column: "created_at", keep: "14 days" },
  { table: "delivery_bodies", column: "created_at", keep: "14 days" },
  { table: "deliveries", column: "created_at", keep: "30 days", only: "next_attempt_at is null" },
  { table: "idempotency_keys", column: "created_at", keep: "1 day" },
  { table: "access_tokens", column: "expires_at", keep: "0 s" },
  { table: "sessions", column: "expires_at", keep: "0 s" },
  { table: "card_tokens", column: "expires_at", keep: "1 day" }, // emptied long before: lib/card-tokens/expire.ts
  { table: "account_storage", column: "day", keep: "31 days" },
  { table: "rate_limits", column: "updated_at", keep: "5 minutes" },
  { table: "rail_callbacks", column: "received_at", keep: "90 days" },
  { table: "simulator_pix", column: "paid_at", keep: "400 days" },
  { table: "card_charges", column: "created_at", keep: "400 days" },
  { table: "rail_calls", column: "created_at", keep: "400 days", only: "answered_at is not null" },
  { table: "simulator_charges", column: "created_at", keep: "400 days" },
];

/** The largest number of rows that one transaction deletes. */
const CHUNK = 10_000;

/**
 * Deletes, in chunks, the rows that are older than the table above allows. A table that fails does not stop the others;
 * its error is thrown at the end. Returns how many rows were deleted, by table.
 */
export async function purge(): Promise<Record<string, number>> {
  const gone: Record<string, number> = {};
  const failures: unknown[] = [];
  for (const { table, column, keep, only = "true" } of retention) {
    const text = `delete from ${table} where ctid = any(array(
      select ctid from ${table} where ${column} < now() - interval '${keep}' and ${only} limit ${CHUNK}
      for update skip locked)) and ${column} < now() - interval '${keep}' and ${only}`;
    gone[table] = 0;
    try {
      for (let deleted = CHUNK; deleted === CHUNK; gone[table] += deleted) {
        deleted = await asSystem((tx) => tx.$executeRawUnsafe(text));
      }
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, "Some tables were not purged");
  return gone;
}

/** Logs the jobs that used up their attempts, so that the operator learns that their work was not done. */
export async function reportFailedJobs(): Promise<void> {
  const { rows } = await pool().query<{ task: string; failed: string; last_error: string }>(
    `select task_identifier as task, count(*)::text as failed, max(left(last_error, 200)) as last_error
     from graphile_worker.jobs where attempts >= max_attempts and locked_at is null group by task_identifier`,
  );
  for (const { task, failed, last_error } of rows) {
    log.error({ task, failed: Number(failed), lastError: last_error }, "jobs used up their attempts");
  }
}
