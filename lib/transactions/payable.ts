import type { Row } from "@/lib/database/json-rows";
import type { Query } from "@/lib/db";
import { firstIdAt } from "@/lib/ids";
import { decimal } from "@/lib/money";
import { DAY_MS } from "@/lib/time/calendar";
import { iso } from "@/lib/time/clock";
import { type Sale, saleOf } from "@/lib/transactions/sale";
import { transitions } from "@/lib/transactions/states";
import type { Mode, TransactionMethod } from "@/prisma/client/enums";

/** Money that came without its sale. `near` is when it came, `accountId` whose it is, where that is known. */
type Sought = {
  mode: Mode;
  method: TransactionMethod;
  amount: bigint;
  txid: string | null;
  near: Date;
  accountId: string | null;
};

type Found = { sale: Row; name: string };

/** How long before the money a sale may have been made, how many of an amount are looked through, and how many found. */
const BEFORE_MS = 3 * DAY_MS;
const LOOKED_THROUGH = 500;
const SHOWN = 10;

/**
 * The sales of this amount that money may have been meant for: those that it can still pay and that were made not long before,
 * newest first, the one of its txid before all others. Amounts in cents. For the operator's staff, over all accounts.
 */
export async function findPayable(query: Query, { mode, method, amount, txid, near, accountId }: Sought) {
  const since = firstIdAt(new Date(near.getTime() - BEFORE_MS));
  const rows = await query<Found>("", textOf(method), [mode, amount, txid, since, accountId]);
  return rows.map(({ sale, name }) => present(saleOf(sale), name, txid));
}

/** One index has what can be paid, by its amount and in the order of ids. */
const textOf = (method: TransactionMethod) => {
  const newest = transitions.pay.from.map(
    (status) => `(select * from transactions where amount = $2::bigint and id >= $4::uuid and method = '${method}'
      and status = '${status}' and ($5::uuid is null or account_id = $5) order by id desc limit ${LOOKED_THROUGH})`,
  );
  return `select to_jsonb(t) as sale, a.name
    from (${newest.join(" union all ")}) t cross join lateral (select name, mode from accounts where id = t.account_id offset 0) a
    where a.mode = $1::"Mode" order by t.txid is not distinct from $3 desc, t.id desc limit ${SHOWN}`;
};

const present = (sale: Sale, name: string, txid: string | null) => ({
  ...{ reference_id: sale.id, account: { id: sale.accountId, name }, amount: decimal(sale.amount) },
  ...{ status: sale.status, description: sale.description, client: sale.clientName },
  ...{ created_at: iso(sale.createdAt), is_same_txid: txid !== null && sale.txid === txid },
});

/** The sale of this id, of whatever account of a mode, for the operator's staff; undefined where there is none. */
export async function findSaleOfAny(query: Query, id: string, mode: Mode): Promise<Sale | undefined> {
  const [found] = await query<{ sale: Row }>("", OF_ANY, [id, mode]);
  return found && saleOf(found.sale);
}

const OF_ANY = `select to_jsonb(t) as sale from accounts a cross join lateral (
    select * from transactions where account_id = a.id and id = $1::uuid offset 0
  ) t where a.mode = $2::"Mode"`;
