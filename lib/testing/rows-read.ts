import { vi } from "vitest";
import { pool, type Query, transactionOverAll } from "@/lib/db";

/**
 * Runs each statement once, all in one transaction on one connection, also those that the pool would run, and returns
 * how many rows of `table` each has read.
 */
export function rowsRead(table: string, runs: readonly ((query: Query) => Promise<unknown>)[]): Promise<number[]> {
  return transactionOverAll(async (query) => {
    const readSoFar = async () => {
      const [row] = await query<{ rows: number }>("rows_read", ROWS_READ, [table]);
      return row?.rows ?? Number.NaN;
    };
    const counts: number[] = [];
    for (const run of runs) {
      const before = await readSoFar();
      await within(query, () => run(query));
      counts.push((await readSoFar()) - before);
    }
    return counts;
  });
}

const ROWS_READ = `select (seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_xact_user_tables where relname = $1`;

/** Runs the statements of the pool within a transaction. */
async function within<T>(query: Query, run: () => Promise<T>): Promise<T> {
  const ask = async ({ name, text, values }: { name: string; text: string; values: unknown[] }) => ({
    rows: await query(name, text, values),
  });
  const spy = vi.spyOn(pool(), "query").mockImplementation(ask as never);
  try {
    return await run();
  } finally {
    spy.mockRestore();
  }
}
