import { statement, type Tx } from "@/lib/db";
import type { Answer } from "@/lib/errors";
import { emitFrom } from "@/lib/events/emit";
import { encryptAnswer, type Idem, inProgress } from "@/lib/idempotency";
import type { Share } from "@/lib/splits/share";
import {
  columnCount,
  columnNames,
  type Row,
  recordOf,
  rowOf,
  type Sale,
  saleOf,
  valuesOf,
} from "@/lib/transactions/sale";
import { wake, wakeOnCommit } from "@/lib/wake";

type Amounts = Record<"amount" | "fee" | "net", number>;
/** Columns of JSON, for which Prisma has a type of its own. */
type Written = "callback" | "legacy" | "payer";
type Known = Pick<Sale, "accountId" | "id" | "method" | "createdAt">;

/** A sale to write, which begins as pending. Amounts in cents, instants on the account's clock. */
export type NewSale = Known &
  Amounts &
  Partial<Omit<Sale, keyof Known | keyof Amounts | Written>> & {
    shares: readonly Share[];
    callback?: object | null;
    legacy?: object | null;
  };

/** SQL: writes sales from the row source `given`, and their first events. */
const write = (given: string) => `sale as (
    insert into transactions (${columnNames}) select ${given}
    returning account_id, id, status, request_id, created_at, ${recordOf("transactions")} as record
  ), first as (
    select s.account_id, 'transaction.created' as type, 'transaction' as subject, s.id as subject_id,
      jsonb_build_object('status', s.status, 'previous_status', null) as data, s.record, s.request_id,
      s.created_at as occurred_at
    from sale s
  ), ${emitFrom("first")}`;

/** SQL: writes the shares of the JSON in parameter `$at`. */
const writeShares = (at: number) => `share as (
    insert into shares select n.* from gate cross join json_populate_recordset(null::shares, $${at}::json) n
  )`;

const WITHIN = `with gate as materialized (select true as passed), ${writeShares(2)}, ${write(
  `${columnNames} from json_populate_recordset(null::transactions, $1::json)`,
)} select record as sale from sale`;

/**
 * Writes sales of accounts in the transaction's scope, each with its shares and its event. Returns them in the given
 * order.
 */
export async function insertSales(tx: Tx, sales: readonly NewSale[]): Promise<Sale[]> {
  const values = [sales.map(born).map(rowOf), sales.flatMap(shareRows)];
  const rows = await tx.$queryRawUnsafe<{ sale: Row }[]>(WITHIN, ...values.map((value) => JSON.stringify(value)));
  wakeOnCommit(tx, "events");
  const written = new Map(rows.map(({ sale }) => [sale.id, saleOf(sale)]));
  return sales.map(({ id }) => written.get(id) as Sale);
}

/** SQL: sets the tenant scope. All other CTEs read from it, so it runs first. */
const SCOPE = `scope as materialized (
    select set_config('app.accounts', $1::text, true)::uuid as account, set_config('lock_timeout', '10s', true)
  )`;

const PLAIN = "gate as materialized (select account from scope)";

/** SQL: writes the Idempotency-Key. When the key exists already, the statement writes nothing. */
const once = (at: number) => `gate as (
    insert into idempotency_keys (account_id, key, request_hash, status, answer)
    select account, $${at}, $${at + 1}, $${at + 2}, $${at + 3} from scope
    on conflict do nothing returning account_id as account
  )`;

/** The account comes before the columns. */
const FIRST = 2;
const AFTER = FIRST + columnCount;
const places = Array.from({ length: columnCount }, (_, at) => `$${FIRST + at}`).join(", ");
const ONE = write(`${places} from gate`);

/** The statements, by whether a sale has shares and a key, so that a sale costs only what it has. */
const texts = {
  sale: `with ${SCOPE}, ${PLAIN}, ${ONE} select from gate`,
  sale_split: `with ${SCOPE}, ${PLAIN}, ${writeShares(AFTER)}, ${ONE} select from gate`,
  sale_once: `with ${SCOPE}, ${once(AFTER)}, ${ONE} select from gate`,
  sale_split_once: `with ${SCOPE}, ${once(AFTER + 1)}, ${writeShares(AFTER)}, ${ONE} select from gate`,
};

/**
 * Writes one sale, and the caller's key if there is one, in one statement and one round trip. Returns false when the
 * key was used before; nothing is written then. Throws `idempotency_in_progress`.
 */
export async function insertSale(sale: NewSale, key?: { idem: Idem; answer: Answer }): Promise<boolean> {
  const shares = sale.shares.length > 0 ? [JSON.stringify(shareRows(sale))] : [];
  const keyed = key ? [key.idem.key, key.idem.requestHash, key.answer.status, encryptAnswer(key.idem, key.answer)] : [];
  const name = `sale${shares.length > 0 ? "_split" : ""}${key ? "_once" : ""}` as keyof typeof texts;
  const values = [sale.accountId, ...valuesOf(born(sale)), ...shares, ...keyed];
  const isWritten = (await statement(name, texts[name], values).catch(inProgress)).length > 0;
  if (isWritten) wake("events");
  return isWritten;
}

const born = (sale: NewSale) =>
  ({ origin: "api", status: "pending", late: false, updatedAt: sale.createdAt, ...sale }) as const;

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
  }));
