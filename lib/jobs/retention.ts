import { IN_SCOPE, SCOPE_OF_ALL, transactionOverAll } from "@/lib/db";
import { locked } from "@/lib/due/find";
import { nameOfRule, retention } from "@/lib/privacy/retention";

/** How many rows of one table a batch deletes at most. */
const CHUNK = 5_000;

/** Deletes a batch of what `lib/privacy/retention.ts` does not keep. Returns whether more may be left. */
export const purgeSome = async (): Promise<boolean> => Object.values(await purge()).includes(CHUNK);

/**
 * Deletes some rows by each rule, each in a transaction of its own. A rule that fails does not stop the others; its
 * error is thrown at the end. Returns how many rows were deleted, by the rules' names.
 */
export async function purge(): Promise<Record<string, number>> {
  const gone: Record<string, number> = {};
  const failures: unknown[] = [];
  for (const { name, text } of purges) {
    await transactionOverAll((query) => query<{ gone: number }>(`purge_${name}`, text, [])).then(
      ([row]) => {
        gone[name] = row?.gone ?? 0;
      },
      (error) => failures.push(error),
    );
  }
  if (failures.length > 0) throw new AggregateError(failures, "Some rules were not carried out");
  return gone;
}

/**
 * SQL: deletes a batch of what is over, by each rule. By places, because each table has another key: a row that changed since
 * the statement began is not found by the place of its newest version, and is left for the next run.
 */
export const purges = retention.map((rule) => {
  const { table, column, keep, only = "true" } = rule;
  const isOver = `${column} < now() - interval '${keep}' and ${only}`;
  const text = `with ${SCOPE_OF_ALL}, gone as (
      delete from ${table} where ${IN_SCOPE} and ${isOver} and ctid = any(array(
        ${locked(`select ctid from ${table} where ${IN_SCOPE} and ${isOver} order by ${column} limit ${CHUNK}`)}))
      returning 1
    )
    select count(*)::int as gone from gone`;
  return { name: nameOfRule(rule), table, text };
});
