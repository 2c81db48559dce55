import type { Row } from "@/lib/columns";
import { few, IN_SCOPE, type Query, queryOf, statement, type Tx } from "@/lib/db";
import { emitFrom } from "@/lib/events/emit";
import { type Fact, rowsOf } from "@/lib/ledger/post";
import { recordOf, type Sale, saleOf } from "@/lib/transactions/sale";
import { inSql, type Transition, transitions } from "@/lib/transactions/states";
import { wake, wakeOnCommit } from "@/lib/wake";
import type { TransactionStatus } from "@/prisma/client/enums";

type Paid = { paidAt: Date; endToEndId?: string; payer?: object; settleAt?: Date };
type Facts = { pay: Paid; refuse: { reason: string } };

/** The facts of a move. Instants are in real time, and are written on the account's clock. */
export type Move<T extends Transition> = {
  accountId: string;
  id: string;
  requestId?: string | undefined;
  /** What is posted if the sale moves. */
  posts?: readonly Fact[];
} & (T extends keyof Facts ? Facts[T] : unknown);

/** SQL: the present by the database's clock. A statement that waits for a row reads it after the wait. */
const NOW = "date_trunc('milliseconds', clock_timestamp())";

/** SQL: the columns that a transition sets beside status and time, from the sale `t` and its move, `old`. */
const sets: Partial<Record<Transition, string>> = {
  pay: `, paid_at = old.paid_at + old.ahead, settle_at = old.settle_at + old.ahead, end_to_end_id = old.end_to_end_id,
      payer = old.payer, late = coalesce(t.expires_at < old.paid_at + old.ahead, false)`,
  refuse: ", refused_reason = old.reason",
  // A sale that ends before its time expires now, so that a later payment counts as late.
  expire: `, expires_at = least(t.expires_at, ${NOW} + old.ahead)`,
};

/** From which sales `t` and how a sale is changed; `silent` where no event tells of it. */
type How = { from: string; set: string; silent?: boolean };

/** Every change of a sale: its transitions, and two that leave its status. */
const changes = {
  ...(Object.fromEntries(Object.keys(transitions).map((name) => [name, transitionOf(name as Transition)])) as Record<
    Transition,
    How
  >),
  code: {
    from: "t.status = 'pending' and t.method = 'pix' and t.pix_code is null",
    set: `pix_code = old.pix_code, updated_at = ${NOW} + old.ahead`,
  },
  settle: {
    from: "t.method = 'card' and t.status = 'completed' and t.settled_at is null",
    set: `settled_at = ${NOW} + old.ahead`,
    silent: true,
  },
} satisfies Record<string, How>;

function transitionOf(name: Transition): How {
  const { from, to, ...rest } = transitions[name];
  const method = "method" in rest ? ` and t.method = '${rest.method}'` : "";
  return {
    from: `t.status in ${inSql(from)}${method}`,
    set: `status = '${to}'${sets[name] ?? ""}, updated_at = ${NOW} + old.ahead`,
  };
}

/**
 * Moves sales by a transition, each with its event and its postings, in one statement of a transaction. Of two calls at
 * once only the first finds a sale in a status from which it may move. A sale in another status or out of scope stays as
 * it is and is not returned. The transaction must have every account in scope that a posting names.
 */
export const moveSales = <T extends Transition>(tx: Tx | Query, transition: T, moves: readonly Move<T>[]) =>
  change(tx, transition, moves);

/**
 * The same as one prepared statement and one round trip, of any accounts, for what comes in crowds. A caller's request
 * must never name the sales.
 */
export const moveSalesNow = <T extends Transition>(transition: T, moves: readonly Move<T>[]) =>
  change("alone", transition, moves);

/**
 * Writes the codes that a rail made for pending deposits, each with an event; the status stays. Of two calls at once
 * only the first finds a deposit without a code.
 */
export const writePixCodes = (tx: Tx | Query, codes: readonly { accountId: string; id: string; pixCode: string }[]) =>
  change(tx, "code", codes);

/** Writes which card on file a pending sale is about to be charged on; the status stays. */
export const writeCard = (tx: Tx, { accountId, id }: Key, { brand: cardBrand, last4: cardLast4 }: Card) =>
  tx.transaction.update({ where: { accountId_id: { accountId, id } }, data: { cardBrand, cardLast4 } });

type Key = { accountId: string; id: string };
type Card = { brand: string; last4: string };

/**
 * Marks the money of card sales as available, on each account's clock, with their postings; status and history stay.
 * Of two calls at once only the first finds a sale unmarked. Returns the sales that this call marked.
 */
export const markSettled = (tx: Tx | Query, sales: readonly Change[]) => change(tx, "settle", sales);

type Change = Move<"fail">;
type Moved = { sale: Sale; previous: TransactionStatus };
type Changed = { sale: Row; previous: TransactionStatus };

async function change(
  tx: Tx | Query | "alone",
  name: keyof typeof changes,
  moves: readonly Change[],
): Promise<Moved[]> {
  const once = new Map(moves.map((move) => [move.id, move])); // a sale that is named twice would have two events
  if (once.size === 0) return [];
  const given = [...once.values()];
  const facts = given.flatMap(({ id, posts = [] }) => rowsOf(posts).map((row) => ({ sale_id: id, ...row })));
  const form = { posts: facts.length > 0, alone: tx === "alone" };
  const values = [JSON.stringify(given.map(rowOf)), ...(form.posts ? [JSON.stringify(facts), given.length] : [])];
  const changed = await run(tx, `sales_${name}`, form, sqlOf(name, form), values);
  if (tx === "alone") wake("events");
  else wakeOnCommit(tx, "events");
  return changed.map(({ sale, previous }) => ({ sale: saleOf(sale), previous }));
}

function run(tx: Tx | Query | "alone", name: string, form: Form, text: string, values: unknown[]): Promise<Changed[]> {
  const query = tx === "alone" ? statement : typeof tx === "function" ? tx : queryOf(tx);
  return query(`${name}${form.posts ? "_post" : ""}${form.alone ? "_now" : ""}`, text, values);
}

type Given = Change & Partial<Paid & { reason: string; pixCode: string }>;

/** A move as the JSON that the statement reads. */
const rowOf = (given: Given) => ({
  account_id: given.accountId,
  id: given.id,
  request_id: given.requestId,
  paid_at: given.paidAt,
  settle_at: given.settleAt,
  end_to_end_id: given.endToEndId,
  payer: given.payer,
  reason: given.reason,
  pix_code: given.pixCode,
});

type Form = { posts: boolean; alone: boolean };
const texts = new Map<string, string>();

/**
 * SQL: changes the sales of parameter 1 that may change, with their events and their postings, which are in parameter 2.
 * Parameter 3 is the number of sales.
 */
function sqlOf(name: keyof typeof changes, form: Form): string {
  const key = `${name} ${form.posts} ${form.alone}`;
  const text = texts.get(key) ?? write(changes[name], form);
  texts.set(key, text);
  return text;
}

const write = ({ from, set, silent }: How, { posts, alone }: Form) => `with ${alone ? `${SCOPE}, ` : ""}
  old as materialized (${lockSales(from, alone ? "scope cross join" : "")}), sale as (
    update transactions t set ${set}
    from old where ${alone ? `${IN_SCOPE} and ` : ""}t.account_id = old.account_id and t.id = old.id
    returning t.account_id, t.id as subject_id, t.status, old.request_id, t.updated_at as occurred_at, old.previous,
      ${recordOf("t")} as record
  )${silent ? "" : `, ${EVENTS}`}${posts ? `, ${POSTED}` : ""}
  select record as sale, previous${posts ? ", (select count(*) from posted)" : ""} from sale`;

/** SQL: sets the tenant scope to all accounts (see `IN_SCOPE`), and how long to wait for a lock. */
const SCOPE = `scope as materialized (
    select set_config('app.accounts', '*', true) as name, set_config('lock_timeout', '4s', true)
  )`;

const EVENTS = `change as (
    select *, 'transaction.updated' as type, 'transaction' as subject,
      jsonb_build_object('status', status, 'previous_status', previous) as data
    from sale
  ), ${emitFrom("change")}`;

/** SQL: posts what belongs to the sales that were changed, which are nearly always all of them. */
const POSTED = `posted as materialized (
    select ledger_post(case when moved.count = $3::int then $2::json else (
        select json_agg(r) from json_array_elements($2::json) r
        where (r ->> 'sale_id')::uuid in (select subject_id from sale)
      ) end)
    from (select count(*) from sale) moved where moved.count > 0
  )`;

/**
 * SQL: the sales of the JSON in parameter 1 that are so, each locked, with its status and how far its account's clock is
 * ahead. All statements lock in the same order. A sale is found by its key alone (see `few`), and its status is compared
 * afterwards.
 */
function lockSales(isSo: string, scope: string): string {
  return `
    select g.*, t.status as previous, a.ahead
    from (
      select m.* from ${scope} json_to_recordset($1::json) as m(account_id uuid, id uuid, request_id uuid,
        paid_at timestamptz, settle_at timestamptz, end_to_end_id text, payer jsonb, reason text, pix_code text)
      where ${few("m.id", "uuid")} order by account_id, id
    ) g
    cross join lateral (
      select clock_offset_ms * interval '1 millisecond' as ahead from accounts where id = g.account_id offset 0
    ) a
    cross join lateral (
      select * from transactions where account_id = g.account_id and id = g.id offset 0 for update
    ) t
    where ${isSo}`;
}
