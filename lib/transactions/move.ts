import type { Tx } from "@/lib/db";
import { emitFrom } from "@/lib/events/emit";
import { type Row, recordOf, type Sale, saleOf } from "@/lib/transactions/sale";
import { inSql, type Transition, transitions } from "@/lib/transactions/states";
import type { TransactionStatus } from "@/prisma/client/enums";

type Paid = { paidAt: Date; endToEndId?: string; payer?: object; settleAt?: Date };
type Facts = { pay: Paid; refuse: { reason: string } };

/** The facts of a move. Instants are in real time, and are written on the account's clock. */
export type Move<T extends Transition> = {
  accountId: string;
  id: string;
  requestId?: string | undefined;
} & (T extends keyof Facts ? Facts[T] : unknown);

type Moved = { sale: Sale; previous: TransactionStatus };

/** SQL: the present by the database's clock. A statement that waits for a row reads it after the wait. */
const NOW = "date_trunc('milliseconds', clock_timestamp())";

/**
 * SQL: a comparison that is always true, and that the planner takes for true in one row of two hundred. Without it the
 * planner expects a hundred rows of JSON, reads a table that is still small as a whole, and keeps that plan while the
 * table grows. For the same reason a sale is found by its key alone, and its status is compared afterwards.
 */
const FEW = "pg_typeof(m.id) = 'uuid'::regtype";

/** SQL: what a move brings beside the names of its sale. */
const FACTS = `, request_id uuid, paid_at timestamptz, settle_at timestamptz, end_to_end_id text, payer jsonb, reason text,
  pix_code text`;

/** SQL: the columns that a transition sets beside the status, from the sale `t` and the facts of its move, `old`. */
const changes: Partial<Record<Transition, string>> = {
  pay: `, paid_at = old.paid_at + old.ahead, settle_at = old.settle_at + old.ahead, end_to_end_id = old.end_to_end_id,
      payer = old.payer, late = coalesce(t.expires_at < old.paid_at + old.ahead, false)`,
  refuse: ", refused_reason = old.reason",
  // A sale that ends before its time expires now, so that a later payment counts as late.
  expire: `, expires_at = least(t.expires_at, ${NOW} + old.ahead)`,
};

/**
 * Moves sales by a transition, each with its event and its webhooks' job, in one statement. Of two calls at once only
 * the first finds a sale in a status from which it may move. A sale in another status or out of scope stays as it is
 * and is not returned.
 */
export async function moveSales<T extends Transition>(
  tx: Tx,
  transition: T,
  moves: readonly Move<T>[],
): Promise<Moved[]> {
  return change(tx, SQL[transition], moves);
}

/** SQL: the condition of pending deposits without a code. */
const UNCODED = "t.status = 'pending' and t.method = 'pix' and t.pix_code is null";
const WRITE_CODE = sqlOf(UNCODED, "status = t.status, pix_code = old.pix_code");

/**
 * Writes the codes that a rail made for pending deposits, each with an event; the status stays. Of two calls at once
 * only the first finds a deposit without a code.
 */
export const writePixCodes = (tx: Tx, codes: readonly { accountId: string; id: string; pixCode: string }[]) =>
  change(tx, WRITE_CODE, codes);

type Change = { accountId: string; id: string; requestId?: string | undefined };

async function change(tx: Tx, sql: string, moves: readonly Change[]): Promise<Moved[]> {
  const once = new Map(moves.map((move) => [move.id, move])); // a sale that is named twice would have two events
  if (once.size === 0) return [];
  const rows = [...once.values()].map((move) => ({ ...common(move), ...factsOf(move) }));
  const moved = await tx.$queryRawUnsafe<{ sale: Row; previous: TransactionStatus }[]>(sql, JSON.stringify(rows));
  return moved.map(({ sale, previous }) => ({ sale: saleOf(sale), previous }));
}

const UNSETTLED = "t.method = 'card' and t.status = 'completed' and t.settled_at is null";
const SETTLE = `with old as materialized (${lockSales("", UNSETTLED)}), settled as (
    update transactions t set settled_at = ${NOW} + old.ahead
    from old where t.account_id = old.account_id and t.id = old.id
    returning ${recordOf("t")} as sale
  )
  select sale from settled`;

/**
 * Marks the money of card sales as available, on each account's clock; status and history stay. Of two calls at once
 * only the first finds a sale unmarked. Returns the sales that this call marked.
 */
export async function markSettled(tx: Tx, sales: readonly { accountId: string; id: string }[]): Promise<Sale[]> {
  const rows = sales.map(({ accountId, id }) => ({ account_id: accountId, id }));
  const settled = await tx.$queryRawUnsafe<{ sale: Row }[]>(SETTLE, JSON.stringify(rows));
  return settled.map(({ sale }) => saleOf(sale));
}

const common = ({ accountId, id, requestId }: Change) => ({
  account_id: accountId,
  id,
  request_id: requestId,
});

const factsOf = (facts: object & Partial<Paid & { reason: string; pixCode: string }>) => ({
  paid_at: facts.paidAt,
  settle_at: facts.settleAt,
  end_to_end_id: facts.endToEndId,
  payer: facts.payer,
  reason: facts.reason,
  pix_code: facts.pixCode,
});

const SQL = Object.fromEntries(
  Object.keys(transitions).map((name) => [name, sqlOfTransition(name as Transition)]),
) as Record<Transition, string>;

function sqlOfTransition(transition: Transition): string {
  const { from, to, ...rest } = transitions[transition];
  const method = "method" in rest ? ` and t.method = '${rest.method}'` : "";
  return sqlOf(`t.status in ${inSql(from)}${method}`, `status = '${to}'${changes[transition] ?? ""}`);
}

/** SQL: changes the sales `t` for which `isSo` holds, each with its event. */
function sqlOf(isSo: string, set: string): string {
  return `with old as materialized (${lockSales(FACTS, isSo)}), sale as (
    update transactions t set ${set}, updated_at = ${NOW} + old.ahead
    from old where t.account_id = old.account_id and t.id = old.id
    returning t.account_id, t.id as subject_id, t.status, old.request_id, t.updated_at as occurred_at, old.previous,
      ${recordOf("t")} as record
  ), change as (
    select *, 'transaction.updated' as type, 'transaction' as subject,
      jsonb_build_object('status', status, 'previous_status', previous) as data
    from sale
  ), ${emitFrom("change")}
  select record as sale, previous from sale`;
}

/**
 * SQL: the sales of the JSON in parameter 1 that are so, each locked, with its status and how far its account's clock is
 * ahead. All statements lock in the same order. `columns` are what the JSON has beside account and id.
 */
function lockSales(columns: string, isSo: string): string {
  return `
    select g.*, t.status as previous, a.ahead
    from (
      select * from json_to_recordset($1::json) as m(account_id uuid, id uuid${columns})
      where ${FEW} order by account_id, id
    ) g
    cross join lateral (
      select clock_offset_ms * interval '1 millisecond' as ahead from accounts where id = g.account_id offset 0
    ) a
    cross join lateral (
      select * from transactions where account_id = g.account_id and id = g.id offset 0 for update
    ) t
    where ${isSo}`;
}
