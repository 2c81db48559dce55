import type { Query } from "@/lib/db";
import { openRefunds, releasedRefunds } from "@/lib/reversals/states";
import { inSql } from "@/lib/states";

/** SQL: whether a refund holds or has spent what it took, and did not give it back. */
const KEEPS = `status not in ${inSql(releasedRefunds)}`;

/** SQL: what a dispute's part `p` of the dispute `d` holds or, after its end, has spent of a share. */
const KEPT_PART = `case when d.status = 'open' then p.amount else p.returned end`;

/**
 * SQL: what refunds and disputes took of the seller's money of the sale `sale` before it was settled, in cents. A dispute says
 * itself what of it was lost.
 */
export const usedOfSale = (sale: string) => `select sum(pending_amount) from (
    select pending_amount from refunds
    where account_id = ${sale}.account_id and transaction_id = ${sale}.id and ${KEEPS}
    union all
    select pending_amount from disputes where account_id = ${sale}.account_id and transaction_id = ${sale}.id
  ) taken`;

/** SQL: the same of the share `share`. */
export const usedOfShare = (share: string) => `select sum(amount) from (
    select p.amount from refund_shares p
    join refunds r on r.account_id = p.account_id and r.id = p.refund_id
    where r.account_id = ${share}.account_id and r.transaction_id = ${share}.transaction_id and p.share_id = ${share}.id
      and p.is_held and r.${KEEPS}
    union all
    select ${KEPT_PART} from dispute_shares p
    join disputes d on d.account_id = p.account_id and d.id = p.dispute_id
    where d.account_id = ${share}.account_id and d.transaction_id = ${share}.transaction_id and p.share_id = ${share}.id
      and p.is_held
  ) taken`;

type Key = { accountId: string; id: string };

/** What refunds and disputes took of these sales' money before it was settled, in cents by the ids of sales and shares. */
export async function readUsed(query: Query, sales: readonly Key[]): Promise<Map<string, number>> {
  const rows = await query<{ id: string; amount: number }>("reversals_used", USED, [
    sales.map(({ accountId }) => accountId),
    sales.map(({ id }) => id),
  ]);
  return new Map(rows.map(({ id, amount }) => [id, amount]));
}

const USED = `select used.id, sum(used.amount)::float8 as amount
  from unnest($1::uuid[], $2::uuid[]) as s(account_id, id)
  cross join lateral (
    select taken.id, taken.amount from (
      select id as refund_id, pending_amount from refunds
      where account_id = s.account_id and transaction_id = s.id and ${KEEPS} offset 0
    ) r
    cross join lateral (
      select s.id, r.pending_amount as amount
      union all
      select share_id, amount from refund_shares
      where account_id = s.account_id and refund_id = r.refund_id and is_held
    ) taken
    union all
    select taken.id, taken.amount from (
      select account_id, id as dispute_id, status, pending_amount from disputes
      where account_id = s.account_id and transaction_id = s.id offset 0
    ) d
    cross join lateral (
      select s.id, d.pending_amount as amount
      union all
      select p.share_id, ${KEPT_PART} from dispute_shares p
      where p.account_id = s.account_id and p.dispute_id = d.dispute_id and p.is_held
    ) taken
  ) used
  group by used.id`;

/** What of a sale is under way back to its payer, and what of its shares refunds and other disputes hold or have given back. */
export type Kept = { underWay: number; shares: ReadonlyMap<string, number> };

/** Of a sale, without its dispute `exceptId`, in cents. */
export async function readKept(query: Query, { accountId, id }: Key, exceptId: string | null): Promise<Kept> {
  const shares = await query<{ id: string; amount: number }>("reversals_kept", KEPT, [accountId, id, exceptId]);
  const [way] = await query<{ amount: number }>("reversals_under_way", UNDER_WAY, [accountId, id, exceptId]);
  return { underWay: way?.amount ?? 0, shares: new Map(shares.map((one) => [one.id, one.amount])) };
}

const KEPT = `select id, sum(amount)::float8 as amount from (
    select p.share_id as id, p.amount from refunds r
    join refund_shares p on p.account_id = r.account_id and p.refund_id = r.id
    where r.account_id = $1::uuid and r.transaction_id = $2::uuid and r.${KEEPS}
    union all
    select p.share_id, ${KEPT_PART} from disputes d
    join dispute_shares p on p.account_id = d.account_id and p.dispute_id = d.id
    where d.account_id = $1::uuid and d.transaction_id = $2::uuid and d.id is distinct from $3::uuid
  ) kept group by id`;

const UNDER_WAY = `select coalesce(sum(amount), 0)::float8 as amount from (
    select amount from refunds
    where account_id = $1::uuid and transaction_id = $2::uuid and status in ${inSql(openRefunds)}
    union all
    select amount from disputes
    where account_id = $1::uuid and transaction_id = $2::uuid and status = 'open' and id is distinct from $3::uuid
  ) open`;
