import { remember } from "@/lib/concurrency/remember";
import { transactionOverAll } from "@/lib/db";
import { type Due, turnsOf } from "@/lib/due/find";

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

const rowsOf = (due: Due): string =>
  due.of
    ? rowsOfTurns(due, due.of)
    : `select ${due.at} as at from ${due.table} t where ${isDue(due)} limit ${MAX_ROWS}`;

const isDue = ({ at, only = "true", order = at }: Due, whose = "true") =>
  `${only} and ${whose} and ${at} <= now() order by ${order}`;

/** SQL: the first rows that are due of each whose rows take turns. */
function rowsOfTurns(due: Due, of: readonly string[]): string {
  const keys = of.map((_, i) => `key${i}`);
  const whose = of.map((column, i) => `${column} = turn.key${i}`).join(" and ");
  return `with recursive ${turnsOf(due, keys)}
    select n.at from turn cross join lateral (
      select ${due.at} as at from ${due.table} t where ${isDue(due, whose)} limit ${MAX_OF_TURN}
    ) n limit ${MAX_ROWS}`;
}

/** How many due rows of one turn are counted. */
const MAX_OF_TURN = 200;
