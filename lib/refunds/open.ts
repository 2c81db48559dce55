import { queryOf, type Tx } from "@/lib/db";
import { COUNTED } from "@/lib/lists/pagination";
import { openRefunds } from "@/lib/reversals/states";
import { inSql } from "@/lib/states";

/** Refunds that have not ended, those of them that wait for the staff, and what they hold of their seller's balance in cents. */
export type OpenRefunds = { open: number; pending: number; held: number | null };

/** Those of an account in scope. No more than `COUNTED` are counted, and what more of them hold together is not known. */
export async function readOpenRefunds(tx: Tx, accountId: string): Promise<OpenRefunds> {
  const [row] = await queryOf(tx)<{ open: number; pending: number; held: number }>("", OPEN, [accountId, COUNTED + 1]);
  const { open = 0, pending = 0, held = 0 } = row ?? {};
  return { open: Math.min(open, COUNTED), pending: Math.min(pending, COUNTED), held: open > COUNTED ? null : held };
}

/** Of a sale that is not settled its recipients hold their parts themselves. */
const OPEN = `select count(*)::int as open, (count(*) filter (where status = 'pending'))::int as pending,
    coalesce(sum(amount + fee - held_shares), 0)::float8 as held
  from (
    select status, amount, fee, held_shares from refunds
    where account_id = $1::uuid and status in ${inSql(openRefunds)} limit $2::int
  ) open`;
