import type { Tx } from "@/lib/db";

/**
 * How many active subscriptions each of these plans has. The database counts, because subscriptions know plans and
 * plans must not know them.
 */
export async function countActive(tx: Tx, accountId: string, planIds: readonly string[]) {
  const rows = await tx.$queryRaw<{ id: string; number: number }[]>`
    select plan_id as id, number from count_active(${accountId}::uuid, ${planIds}::uuid[])`;
  const counts = new Map(rows.map(({ id, number }) => [id, number]));
  return (planId: string): number => counts.get(planId) ?? 0;
}
