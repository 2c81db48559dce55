import type { Tx } from "@/lib/db";

/**
 * The database's clock, to the millisecond that a `Date` holds. It alone says when a delivery is due, claimed, tried and
 * given up: the clocks of processes differ.
 */
export async function databaseNow(tx: Tx): Promise<Date> {
  const [row] = await tx.$queryRaw<{ at: Date }[]>`select date_trunc('milliseconds', clock_timestamp()) as at`;
  if (!row) throw new Error("the database did not say what time it is");
  return row.at;
}
