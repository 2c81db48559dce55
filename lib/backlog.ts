import { remember } from "@/lib/concurrency/remember";
import { transactionOverAll } from "@/lib/db";

/**
 * Rows that are due, in SQL, as an index finds them: the table, when a row is due (`at`, of the table `t`), what else
 * must hold, and where the index has other columns first, these (`of`) or the order that it does have.
 */
export type Due = { table: string; at: string; only?: string; of?: readonly string[]; order?: string };

/** What works on due rows. Some loops work on several tables. */
type Worker = { name: string; due?: readonly Due[] };

/** The due rows of one worker: their number, counted to `MAX_ROWS`, and how long the oldest has been due. */
export type Backlog = { loop: string; rows: number; oldestSeconds: number };

const MAX_ROWS = 5_000;
const REMEMBER_MS = 10_000;
const READ_WITHIN_MS = 3_000;

/**
 * Makes the read of what is due in the database, of all workers together, in real time: what is due only on the clock of
 * a sandbox that runs ahead is not in it. It is read every 10 s at most, from indexes alone, and fails after 3 s.
 */
export function newBacklog(workers: readonly Worker[]): () => Promise<Backlog[]> {
  const text = backlogOf(workers);
  return remember(REMEMBER_MS, () =>
    transactionOverAll(async (query) => {
      await query("", LIMIT, []);
      return query<Backlog>("", text, []); // planned each time, for the tables as they are
    }),
  );
}

const LIMIT = `select set_config('statement_timeout', '${READ_WITHIN_MS}', true)`;

/** SQL: one row for each worker. */
export const backlogOf = (workers: readonly Worker[]) =>
  workers.flatMap(({ name, due = [] }) => (due.length === 0 ? [] : ofWorker(name, due))).join("\nunion all\n");

const ofWorker = (name: string, due: readonly Due[]) => `select '${name}' as loop, count(*)::int as rows,
    coalesce(greatest(extract(epoch from now() - min(at)), 0), 0)::float8 as "oldestSeconds"
  from (${due.map((one) => `(${rowsOf(one)})`).join(" union all ")}) due`;

const rowsOf = ({ table, at, only = "true", of = [], order = at }: Due): string =>
  of.length === 0
    ? `select ${at} as at from ${table} t where ${only} and ${at} <= now() order by ${order} limit ${MAX_ROWS}`
    : rowsOfGroups(table, at, only, of, order);

/** SQL: walks from group to group, with one step of the index for each, and reads the first rows that are due of each. */
function rowsOfGroups(table: string, at: string, only: string, of: readonly string[], order: string): string {
  const keys = of.map((column, i) => `${column} as key${i}`).join(", ");
  const names = of.map((_, i) => `key${i}`).join(", ");
  const columns = of.join(", ");
  return `with recursive g (${names}) as (
      (select ${keys} from ${table} t where ${only} order by ${columns}, ${order} limit 1)
      union all
      select n.* from g cross join lateral (
        select ${keys} from ${table} t where ${only} and (${columns}) > (${of.map((_, i) => `g.key${i}`).join(", ")})
        order by ${columns}, ${order} limit 1
      ) n
    )
    select n.at from g cross join lateral (
      select ${at} as at from ${table} t
      where ${only} and ${of.map((column, i) => `${column} = g.key${i}`).join(" and ")} and ${at} <= now()
      order by ${order} limit ${MAX_OF_GROUP}
    ) n limit ${MAX_ROWS}`;
}

/** How many due rows of one group are counted. */
const MAX_OF_GROUP = 200;
