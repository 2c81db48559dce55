import { expect, vi } from "vitest";
import { pool, type Tx } from "@/lib/db";

/** Resolves when another transaction waits for a lock that this one holds. */
export async function untilWaitedFor(tx: Tx): Promise<void> {
  const [row] = await tx.$queryRaw<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const text = "select from pg_stat_activity where $1 = any(pg_blocking_pids(pid))";
  const isWaitedFor = async () => expect((await pool().query(text, [row?.pid])).rows.length).toBeGreaterThan(0);
  await vi.waitFor(isWaitedFor, { timeout: 10_000, interval: 20 });
}
