import { transactionOverAll } from "@/lib/db";
import { newBacklog } from "@/lib/due/backlog";
import { registry } from "@/lib/jobs/registry";
import type { Works } from "@/lib/work/schema";

const readBacklog = newBacklog([...registry.loops, ...registry.attempts]);

/** Where attempts are counted: the worker, its table, and which of its rows were tried and have not ended. */
const tried: readonly (readonly [name: string, table: string, only: string])[] = [
  ["calls", "calls", "done_at is null and attempts > 1"],
  ["deliveries", "deliveries", "next_attempt_at is not null and attempts > 0"],
  ["mails", "mails", "next_attempt_at is not null and attempts > 0"],
  ["timetable", "timed_jobs", "attempts > 0 and claimed_by is null"],
  ["watches.ask", "watches", "unanswered_since is not null"],
];

const MAX_ROWS = 5_000;

const FAILING = tried
  .map(
    ([name, table, only]) => `select '${name}' as name, count(*)::int as failing
    from (select from ${table} where ${only} limit ${MAX_ROWS}) t`,
  )
  .join(" union all ");

/** What is due or fails, of each worker: what waits longest first. */
export async function readWork(): Promise<Works> {
  const [backlog, failing] = await Promise.all([
    readBacklog(),
    transactionOverAll((query) => query<{ name: string; failing: number }>("work_failing", FAILING, [])),
  ]);
  const failingOf = new Map(failing.map(({ name, failing }) => [name, failing]));
  const data = backlog.map(({ loop: name, rows, oldestSeconds }) => ({
    ...{ name, rows, oldest_seconds: Math.round(oldestSeconds) },
    failing: failingOf.get(name) ?? null,
  }));
  return { data: data.toSorted((a, b) => b.oldest_seconds - a.oldest_seconds || a.name.localeCompare(b.name)) };
}
