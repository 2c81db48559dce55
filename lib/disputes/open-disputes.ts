import { queryOf, type Tx } from "@/lib/db";
import { COUNTED } from "@/lib/lists/pagination";

/** Disputes that have not ended, those of them that wait for their defence, and what they hold of their seller's balance in cents. */
export type OpenDisputes = { open: number; undefended: number; held: number };

/** Those of an account in scope. No more than `COUNTED` are counted. */
export async function readOpenDisputes(tx: Tx, accountId: string): Promise<OpenDisputes> {
  const [row] = await queryOf(tx)<OpenDisputes>("", OPEN, [accountId, COUNTED]);
  return row ?? { open: 0, undefended: 0, held: 0 };
}

const OPEN = `select count(*)::int as open, (count(*) filter (where defended_at is null))::int as undefended,
    coalesce(sum(blocked_amount), 0)::float8 as held
  from (
    select defended_at, blocked_amount from disputes where account_id = $1::uuid and status = 'open' limit $2::int
  ) open`;
