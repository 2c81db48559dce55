import { defineColumns, type Row } from "@/lib/database/json-rows";
import { expectFew, type Query } from "@/lib/db";
import { Prisma, type Transaction } from "@/prisma/client/client";

/** A sale of any method: its row. Amounts in cents. */
export type Sale = Transaction;

/** What a sale keeps of what it sold, in its column `checkout`. Amounts in cents. */
export type SoldItems = {
  reference_id: string | null;
  name: string | null;
  items: { reference_id: string; name: string; type: string; amount: number }[];
};

/** The row of a sale as JSON for PostgreSQL's `json_populate_recordset`, and back. */
export const sales = defineColumns<Sale>(Prisma.TransactionScalarFieldEnum, {
  ...{ amount: "cents", fee: "cents", net: "cents", refundedAmount: "cents", lostAmount: "cents" },
  ...{ late: "flag", byVisitor: "asIs", refusedHard: "asIs" },
});

export const saleOf = sales.of;

/**
 * SQL: the record that an event keeps of the row `sale`. Nulls are left out, except those within `legacy`, which are
 * the caller's own and are returned to the caller.
 */
export const recordOf = (sale: string) =>
  `jsonb_strip_nulls(to_jsonb(${sale}) - 'legacy')
    || case when ${sale}.legacy is null then '{}' else jsonb_build_object('legacy', ${sale}.legacy) end`;

/** Reads a sale that must exist, in a verb's own transaction. */
export async function readSale(query: Query, { accountId, id }: Pick<Sale, "accountId" | "id">): Promise<Sale> {
  const [found] = await query<{ sale: Row }>("sale_read", READ, [accountId, id]);
  if (!found) throw new Error(`No sale ${id}`);
  return saleOf(found.sale);
}

const READ = "select to_jsonb(t) as sale from transactions t where account_id = $1::uuid and id = $2::uuid";

/** Reads those of these sales that there are, by their ids. */
export async function readSales(
  query: Query,
  keys: readonly Pick<Sale, "accountId" | "id">[],
): Promise<Map<string, Sale>> {
  if (keys.length === 0) return new Map();
  const [accountIds, ids] = [keys.map(({ accountId }) => accountId), keys.map(({ id }) => id)];
  const found = await query<{ sale: Row }>("sales_read", READ_SET, [accountIds, ids]);
  return new Map(found.map(({ sale }) => [String(sale.id), saleOf(sale)]));
}

const READ_SET = `select to_jsonb(t) as sale
  from (select distinct * from unnest($1::uuid[], $2::uuid[]) as k(account_id, id) where ${expectFew("k.id", "uuid")}) k
  cross join lateral (select * from transactions where account_id = k.account_id and id = k.id offset 0) t`;

/** Locks a sale until the transaction ends, and reads it as it is then; undefined where there is none. */
export async function lockSale(
  query: Query,
  { accountId, id }: Pick<Sale, "accountId" | "id">,
): Promise<Sale | undefined> {
  const [found] = await query<{ sale: Row }>("sale_lock", `${READ} for update`, [accountId, id]);
  return found && saleOf(found.sale);
}
