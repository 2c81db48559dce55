import { currentActor, noteRecorded } from "@/lib/actor";
import { coalesceBy } from "@/lib/concurrency/coalesce";
import type { Row } from "@/lib/database/json-rows";
import { isUnavailable, type Query, queryOf, runPrepared, type Tx } from "@/lib/db";
import { wake, wakeOnCommit } from "@/lib/due/wake";
import type { Answer } from "@/lib/errors";
import { emitFrom } from "@/lib/events/emit";
import { encryptAnswer, type Idem, inProgress } from "@/lib/idempotency";
import type { Share } from "@/lib/splits/share";
import { type Sale, saleOf, sales as table } from "@/lib/transactions/sale";
import type { Tracking } from "@/lib/transactions/tracking";

type Amounts = Record<"amount" | "fee" | "net", number>;
/** Columns of JSON, for which Prisma has a type of its own. */
type Written = "callback" | "legacy" | "payer" | "checkout" | "deliveryAddress" | "tracking";
type Known = Pick<Sale, "accountId" | "id" | "method" | "createdAt">;

/** A sale to write, which begins as pending. Amounts in cents, instants on the account's clock. */
export type NewSale = Known &
  Amounts &
  Partial<Omit<Sale, keyof Known | keyof Amounts | Written>> & {
    shares: readonly Share[];
    callback?: object | null;
    legacy?: object | null;
    checkout?: object | null;
    deliveryAddress?: object | null;
    tracking?: Tracking | null;
  };

/**
 * A sale on a page of ours: the columns that no caller of the API names, and what admits it in its own transaction, which
 * resolves to the payer's own open sale where that is given again in its place.
 */
export type PageSale = {
  columns: Pick<
    NewSale,
    | ("origin" | "checkout" | "productId" | "paymentLinkId" | "deliveryAddress")
    | ("clientIp" | "userAgent" | "byVisitor" | "tracking")
  >;
  admit(tx: Tx): Promise<Sale | undefined>;
};

/**
 * SQL: writes the sales of parameter 1, each with its first event, and the shares of parameter 2, all in JSON. They pass
 * `gate`, a CTE of one row, or of none when nothing may be written. The event keeps the sale as it was given, which is
 * its whole row, without nulls.
 */
const WRITE = `share as (
    insert into shares select n.* from gate cross join json_populate_recordset(null::shares, $2::json) n
  ), given as materialized (
    select g.one - 'actor' as record, g.one -> 'actor' as actor
    from gate cross join jsonb_array_elements($1::jsonb) g (one)
  ), sale as (
    insert into transactions (${table.names})
    select ${table.names} from given cross join lateral jsonb_populate_record(null::transactions, given.record)
  ), first as (
    select (record ->> 'account_id')::uuid as account_id, 'transaction.created' as type, 'transaction' as subject,
      (record ->> 'id')::uuid as subject_id, record, (record ->> 'request_id')::uuid as request_id, actor,
      jsonb_build_object('status', record -> 'status', 'previous_status', null) as data,
      (record ->> 'created_at')::timestamptz as occurred_at
    from given
  ), ${emitFrom("first")}`;

/** A sale as the statement reads it: its row, who makes it, and the rows of its shares. */
function rowsOf(sale: NewSale) {
  noteRecorded();
  return { row: { ...table.rowOf(withDefaults(sale)), actor: currentActor() }, shares: shareRows(sale) };
}
type Rows = ReturnType<typeof rowsOf>;

const valuesOf = (sales: readonly Rows[]) => [
  JSON.stringify(sales.map(({ row }) => row)),
  JSON.stringify(sales.flatMap(({ shares }) => shares)),
];

const WITHIN = `with gate as materialized (select true as passed), ${WRITE}`;

/** Writes sales of accounts in the transaction's scope, each with its shares and its event. */
export async function writeSales(query: Query, sales: readonly NewSale[]): Promise<void> {
  await query("sales_write", `${WITHIN} select from gate`, valuesOf(sales.map(rowsOf)));
  wakeOnCommit(query, "events");
}

/** The same for whoever goes on with the sales. Returns them in the given order. */
export async function insertSales(tx: Tx, sales: readonly NewSale[]): Promise<Sale[]> {
  const rows = await queryOf(tx)<{ sale: Row }>(
    "sales_within",
    `${WITHIN} select record as sale from given`,
    valuesOf(sales.map(rowsOf)),
  );
  wakeOnCommit(tx, "events");
  const written = new Map(rows.map(({ sale }) => [sale.id, saleOf(sale)]));
  return sales.map(({ id }) => written.get(id) as Sale);
}

/** SQL: sets the tenant scope to the account of parameter 3. All other CTEs read from it, so it runs first. */
const SCOPE = `scope as materialized (
    select set_config('app.accounts', $3::text, true)::uuid as account, set_config('lock_timeout', '4s', true)
  )`;

const COALESCED = `with ${SCOPE}, gate as materialized (select account from scope), ${WRITE} select from gate`;

/** Also writes an Idempotency-Key. When the key exists already, the statement writes nothing. */
const ONCE = `with ${SCOPE}, gate as (
    insert into idempotency_keys (account_id, key, request_hash, value_hash, status, answer)
    select account, $4, $5, $6::bytea, $7, $8 from scope
    on conflict do nothing returning account_id as account
  ), ${WRITE} select from gate`;

/**
 * Writes one sale, and the caller's key if there is one. Sales of one account that come at the same moment without a key
 * are written in one statement. Returns false when the key was used before; nothing is written then. Throws
 * `idempotency_in_progress`.
 */
export async function insertSale(sale: NewSale, key?: Key): Promise<boolean> {
  const rows = rowsOf(sale);
  const isWritten = key ? await insertOnce(sale.accountId, rows, key) : await insertCoalesced(sale.accountId, rows);
  if (isWritten) wake("events");
  return isWritten;
}

type Key = { idem: Idem; answer: Answer };

async function insertOnce(accountId: string, rows: Rows, { idem, answer }: Key): Promise<boolean> {
  const keyed = [idem.key, idem.requestHash, idem.valueHash ?? null, answer.status, encryptAnswer(idem, answer)];
  const values = [...valuesOf([rows]), accountId, ...keyed];
  return (await runPrepared("sale_once", ONCE, values).catch(inProgress)).length > 0;
}

/** When the statement fails, each sale is written alone, so that none fails because of another. */
const insertCoalesced = coalesceBy(async (accountId, sales: readonly Rows[]): Promise<(true | Error)[]> => {
  const insert = async (some: readonly Rows[]) => {
    await runPrepared("sales", COALESCED, [...valuesOf(some), accountId]);
    return true as const;
  };
  return insert(sales).then(
    () => sales.map(() => true),
    (error) => {
      if (sales.length === 1 || isUnavailable(error)) throw error;
      return Promise.all(sales.map((sale) => insert([sale]).catch((alone: Error) => alone)));
    },
  );
});

const withDefaults = (sale: NewSale) =>
  ({
    origin: "api",
    status: "pending",
    late: false,
    refundedAmount: 0,
    lostAmount: 0,
    updatedAt: sale.createdAt,
    ...sale,
  }) as const;

const shareRows = ({ accountId, id, shares }: NewSale) =>
  shares.map((share, place) => ({
    id: share.id,
    account_id: accountId,
    transaction_id: id,
    place,
    recipient_id: share.recipientId,
    name: share.name,
    basis_points: share.basisPoints,
    amount: share.amount,
    plan_id: share.planId,
  }));
