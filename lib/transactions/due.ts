import { isAway, type Query, transactionOverAll } from "@/lib/db";
import { log } from "@/lib/log";

/** How many sales one batch has. */
const BATCH = 500;
/** How long a sale that could not be done is left alone. */
const LEFT_ALONE_MS = 60_000;

/** A sale that is due; `at` is null where only the clock of its account makes it due, and else when it was due. */
type Due = { accountId: string; id: string; at: string | null };

type Work<More> = {
  /** For the log. */
  name: string;
  /** The column that says when a sale is due, on its account's clock. */
  column: "expires_at" | "settle_at";
  /** SQL: whether the sale `t` is still to be done. */
  isOpen: string;
  /** SQL: what else is read of the sale `t`, each with a comma before it. */
  more?: string;
  /** Does a set of sales, in the transaction that found them. */
  act(query: Query, sales: readonly (Due & More)[]): Promise<unknown>;
};

/**
 * Makes a loop's function, which does one batch of the sales that are due, the longest due first, in one transaction and
 * returns whether more may be due. Where a set fails, its sales are done one by one. One that fails alone is logged and
 * left alone for a minute, so that it neither stops the others nor is tried all the time. Any number of processes may
 * work at once: a sale that another transaction holds is left for later. With `only`, it does one account's.
 */
export function salesDue<More = unknown>({
  name,
  column,
  isOpen,
  more,
  act,
}: Work<More>): (only?: string) => Promise<boolean> {
  const text = find(column, isOpen, more);
  const textOfOne = findOf(column, isOpen, more);
  const leftAlone = new Map<string, number>();
  // A batch is read from where the one before ended, because an index still has what that one did.
  let after = START;

  return async (only) => {
    for (const [id, until] of leftAlone) if (until < performance.now()) leftAlone.delete(id);
    let due: (Due & More)[] = [];
    const set = async (query: Query) => {
      const except = [...leftAlone.keys()];
      due = only ? await query("", textOfOne, [except, only]) : await query("", text, [after.at, after.id, except]);
      if (due.length > 0) await act(query, due);
    };
    await transactionOverAll(set).catch(async (error) => {
      if (isAway(error) || due.length === 0) throw error;
      for (const sale of due) await doAlone(sale);
    });
    if (only) return due.length === BATCH;
    const last = due.at(-1);
    const isFull = due.length === BATCH;
    after = isFull && last?.at ? { at: last.at, id: last.id } : START;
    return isFull;
  };

  async function doAlone(sale: Due & More) {
    await transactionOverAll((query) => act(query, [sale])).catch((error) => {
      if (isAway(error)) throw error;
      leftAlone.set(sale.id, performance.now() + LEFT_ALONE_MS);
      log.error({ name, accountId: sale.accountId, id: sale.id, error }, "a sale that is due could not be done");
    });
  }
}

const START = { at: "-infinity", id: "00000000-0000-0000-0000-000000000000" };

/**
 * SQL: what is due in real time, and so on every clock, because no clock runs behind; then what is due on clocks ahead,
 * among the open sales of those accounts alone: no index of instants fits the comparison.
 * The statement has no name, so that it is planned for the table as it is: a plan made while the table was small would
 * read it as a whole.
 */
const find = (column: string, isOpen: string, more = "") => `
  select * from (
    select t.account_id as "accountId", t.id, t.${column}::text as at${more} from transactions t
    where (t.${column}, t.id) > ($1::timestamptz, $2::uuid) and t.${column} <= now()
      and ${isOpen} and t.id <> all($3::uuid[])
    order by t.${column}, t.id limit ${BATCH} for update skip locked
  ) due
  union all
  select ahead.* from accounts a cross join lateral (
    select t.account_id, t.id, null${more} from transactions t
    where t.account_id = a.id and t.${column} - now() > interval '0'
      and t.${column} - now() <= a.clock_offset_ms * interval '1 millisecond'
      and ${isOpen} and t.id <> all($3::uuid[])
    order by t.${column}, t.id limit ${BATCH} for update skip locked
  ) ahead
  where a.clock_offset_ms > 0
  limit ${BATCH}`;

/** SQL: what is due of one account, on its clock. */
const findOf = (column: string, isOpen: string, more = "") => `
  select t.account_id as "accountId", t.id, null as at${more} from accounts a cross join lateral (
    select t.* from transactions t
    where t.account_id = a.id and t.${column} <= now() + a.clock_offset_ms * interval '1 millisecond'
      and ${isOpen} and t.id <> all($1::uuid[])
    order by t.${column}, t.id limit ${BATCH} for update skip locked
  ) t
  where a.id = $2::uuid`;
