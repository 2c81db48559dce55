import type { Tx } from "@/lib/db";

/**
 * How many active subscriptions each of these plans has. It reads the table itself, because subscriptions know plans and
 * plans must not know them.
 */
export async function countActive(tx: Tx, accountId: string, planIds: readonly string[]) {
  const rows = await tx.$queryRaw<{ id: string; number: number }[]>`
    select plan_id as id, count(*)::int as number from subscriptions
    where account_id = ${accountId}::uuid and plan_id = any(${planIds}::uuid[]) and status = 'active'
    group by plan_id`;
  const counts = new Map(rows.map(({ id, number }) => [id, number]));
  return (planId: string): number => counts.get(planId) ?? 0;
}
