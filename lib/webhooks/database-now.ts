import type { Tx } from "@/lib/db";

/**
 * The database's clock, in the milliseconds that a `Date` holds. Deliveries are planned, claimed, attempted and given
 * up by this clock alone, because the clocks of processes differ.
 */
export async function databaseNow(tx: Tx): Promise<Date> {
  const [row] = await tx.$queryRaw<{ at: Date }[]>`select date_trunc('milliseconds', clock_timestamp()) as at`;
  if (!row) throw new Error("the database did not return its time");
  return row.at;
}
