import type { Query } from "@/lib/db";
import { releasedRefunds } from "@/lib/refunds/states";
import { inSql } from "@/lib/states";

/** SQL: whether a refund holds or has spent what it took, and did not give it back. */
const KEEPS = `status not in ${inSql(releasedRefunds)}`;

/** SQL: what refunds took of the seller's money of the sale `sale` before it was settled, in cents. */
export const usedOfSale = (sale: string) => `select sum(pending_amount) from refunds
  where account_id = ${sale}.account_id and transaction_id = ${sale}.id and ${KEEPS}`;

/** SQL: the same of the share `share`. */
export const usedOfShare = (share: string) => `select sum(p.amount) from refund_shares p
  join refunds r on r.account_id = p.account_id and r.id = p.refund_id
  where r.account_id = ${share}.account_id and r.transaction_id = ${share}.transaction_id and p.share_id = ${share}.id
    and p.is_held and r.${KEEPS}`;

type Key = { accountId: string; id: string };

/** What refunds took of these sales' money before it was settled, in cents by the ids of sales and shares. */
export async function readUsed(query: Query, sales: readonly Key[]): Promise<Map<string, number>> {
  const rows = await query<{ id: string; amount: number }>("refunds_used", USED, [
    sales.map(({ accountId }) => accountId),
    sales.map(({ id }) => id),
  ]);
  return new Map(rows.map(({ id, amount }) => [id, amount]));
}

const USED = `select used.id, sum(used.amount)::float8 as amount
  from unnest($1::uuid[], $2::uuid[]) as s(account_id, id)
  cross join lateral (
    select id as refund_id, pending_amount from refunds
    where account_id = s.account_id and transaction_id = s.id and ${KEEPS} offset 0
  ) r
  cross join lateral (
    select s.id, r.pending_amount as amount
    union all
    select share_id, amount from refund_shares
    where account_id = s.account_id and refund_id = r.refund_id and is_held
  ) used
  group by used.id`;
