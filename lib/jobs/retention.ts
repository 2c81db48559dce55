import { IN_SCOPE, SCOPE_OF_ALL, transactionOverAll } from "@/lib/db";
import { locked } from "@/lib/due/find";
import { retention } from "@/lib/privacy/retention";

/** How many rows of one table a batch deletes at most. */
const CHUNK = 5_000;

/** Deletes a batch of what `lib/privacy/retention.ts` does not keep. Returns whether more may be left. */
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
