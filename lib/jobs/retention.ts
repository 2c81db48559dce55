import { IN_SCOPE, SCOPE_OF_ALL, transactionOverAll } from "@/lib/db";
import { locked } from "@/lib/due/find";

/**
 * How long rows are kept: the table, the column whose age counts, and a further condition. An index
 * in the order of that column finds what is over; only sessions and limits, which are few, have none.
 */
export const retention: readonly { table: string; column: string; keep: string; only?: string }[] = [
  { table: "request_log", column: "created_at", keep: "30 days" },
  { table: "delivery_attempts", column: "created_at", keep: "14 days" },
  { table: "delivery_bodies", column: "created_at", keep: "14 days" },
  { table: "deliveries", column: "created_at", keep: "30 days", only: "next_attempt_at is null" },
  { table: "mails", column: "created_at", keep: "30 days", only: "next_attempt_at is null" },
  { table: "mail_links", column: "created_at", keep: "2 days" },
  { table: "idempotency_keys", column: "created_at", keep: "1 day" },
  { table: "access_tokens", column: "expires_at", keep: "0 s" },
  { table: "sessions", column: "expires_at", keep: "0 s" },
  { table: "known_devices", column: "seen_at", keep: "180 days" },
  { table: "card_tokens", column: "expires_at", keep: "1 day" }, // emptied long before: lib/card-tokens/expire.ts
  { table: "account_storage", column: "day", keep: "31 days" },
  { table: "rate_limits", column: "updated_at", keep: "5 minutes" },
  { table: "callbacks", column: "received_at", keep: "30 days" },
  { table: "watches", column: "ends_at", keep: "30 days", only: "ask_at is null" }, // of what has no answer
  { table: "clock_advances", column: "created_at", keep: "30 days", only: "done_at is not null" },
  { table: "simulator_pix", column: "paid_at", keep: "400 days" },
  { table: "simulator_cobs", column: "created_at", keep: "400 days" },
  { table: "simulator_card_refunds", column: "created_at", keep: "400 days" },
  { table: "simulator_devolucoes", column: "created_at", keep: "400 days" },
  { table: "simulator_cobrs", column: "created_at", keep: "400 days" },
  {
    table: "simulator_recs",
    column: "created_at",
    keep: "400 days",
    only: "doc ->> 'status' not in ('CRIADA', 'APROVADA')",
  },
  { table: "card_charges", column: "created_at", keep: "400 days" },
  { table: "calls", column: "created_at", keep: "400 days", only: "done_at is not null" },
  { table: "simulator_charges", column: "created_at", keep: "400 days" },
];

/** How many rows of one table a batch deletes at most. */
const CHUNK = 5_000;

/** Deletes a batch of what the table above does not keep. Returns whether more may be left. */
export const purgeSome = async (): Promise<boolean> => Object.values(await purge()).includes(CHUNK);

/**
 * Deletes some rows of each table, each in a transaction of its own. A table that fails does not stop the others; its
 * error is thrown at the end. Returns how many rows were deleted, by table.
 */
export async function purge(): Promise<Record<string, number>> {
  const gone: Record<string, number> = {};
  const failures: unknown[] = [];
  for (const { table, text } of purges) {
    await transactionOverAll((query) => query<{ gone: number }>(`purge_${table}`, text, [])).then(
      ([row]) => {
        gone[table] = row?.gone ?? 0;
      },
      (error) => failures.push(error),
    );
  }
  if (failures.length > 0) throw new AggregateError(failures, "Some tables were not purged");
  return gone;
}

/**
 * SQL: deletes a batch of what is over, by table. By places, because each table has another key: a row that changed since
 * the statement began is not found by the place of its newest version, and is left for the next run.
 */
export const purges = retention.map(({ table, column, keep, only = "true" }) => {
  const isOver = `${column} < now() - interval '${keep}' and ${only}`;
  const text = `with ${SCOPE_OF_ALL}, gone as (
      delete from ${table} where ${IN_SCOPE} and ${isOver} and ctid = any(array(
        ${locked(`select ctid from ${table} where ${IN_SCOPE} and ${isOver} order by ${column} limit ${CHUNK}`)}))
      returning 1
    )
    select count(*)::int as gone from gone`;
  return { table, text };
});
