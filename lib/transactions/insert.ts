import { statement, type Tx } from "@/lib/db";
import { emitFrom } from "@/lib/events/emit";
import type { Answer } from "@/lib/http/answer";
import { type Idem, inProgress, sealAnswer } from "@/lib/idempotency";
import { newId } from "@/lib/ids";
import type { Share } from "@/lib/splits/share";
import { type Row, recordOf, rowOf, type Sale, saleOf } from "@/lib/transactions/sale";

type Amounts = Record<"amount" | "fee" | "net", number>;
/** Columns of JSON, which Prisma would have in a type of its own. */
type Written = "callback" | "legacy" | "payer";
type Known = Pick<Sale, "accountId" | "id" | "method" | "createdAt">;

/** A sale that is asked for: it is born pending. Amounts in cents, instants on the account's clock. */
export type NewSale = Known &
  Amounts &
  Partial<Omit<Sale, keyof Known | keyof Amounts | Written>> & {
    shares: readonly Share[];
    callback?: object | null;
    legacy?: object | null;
  };

/** SQL: writes sales `$2`, their shares `$3`, their first events `$4` and the promise of webhooks, once the gate is passed. */
const WRITE = `sale as (
    insert into transactions select s.* from gate cross join json_populate_recordset(null::transactions, $2::json) s
    returning *
  ), share as (
    insert into shares select n.* from gate cross join json_populate_recordset(null::shares, $3::json) n
  ), first as (
    select s.account_id, e.id as event_id, 'transaction.created' as type, 'transaction' as subject, s.id as subject_id,
      jsonb_build_object('status', s.status, 'previous_status', null) as data, ${recordOf("s")} as record, s.request_id,
      s.created_at as occurred_at
    from sale s join json_to_recordset($4::json) as e(sale_id uuid, id uuid) on e.sale_id = s.id
  ), ${emitFrom("first")}`;

/** Names the account for row-level security; everything that is written reads from it, so it runs first. */
const SCOPE = `scope as materialized (
    select set_config('app.accounts', $1::text, true)::uuid as account, set_config('lock_timeout', '10s', true)
  )`;

const PLAIN = `with ${SCOPE}, gate as materialized (select account from scope), ${WRITE}
  select from gate`;

/** The key goes in with the sale: whoever finds it taken writes nothing. */
const ONCE = `with ${SCOPE}, gate as (
    insert into idempotency_keys (account_id, key, request_hash, status, answer)
    select account, $5, $6, $7, $8 from scope
    on conflict do nothing returning account_id as account
  ), ${WRITE}
  select from gate`;

const WITHIN = `with gate as materialized (select $1::text), ${WRITE}
  select to_jsonb(s) as sale from sale s`;

/**
 * Writes sales of accounts that the transaction is of, each with its shares, its event and the promise of webhooks.
 * Returns them in the order in which they were given.
 */
export async function insertSales(tx: Tx, sales: readonly NewSale[]): Promise<Sale[]> {
  const rows = await tx.$queryRawUnsafe<{ sale: Row }[]>(WITHIN, "", ...valuesOf(sales));
  const written = new Map(rows.map(({ sale }) => [sale.id, saleOf(sale)]));
  return sales.map(({ id }) => written.get(id) as Sale);
}

/**
 * The same for one sale in one statement and one round trip, which is also the caller's key if there is one. False when
 * the key was taken: nothing was written. Throws `idempotency_in_progress`.
 */
export async function insertSale(sale: NewSale, key?: { idem: Idem; answer: Answer }): Promise<boolean> {
  const values = [sale.accountId, ...valuesOf([sale])];
  if (!key) return (await statement("sale", PLAIN, values)).length > 0;
  const { idem, answer } = key;
  const keyed = [...values, idem.key, idem.requestHash, answer.status, sealAnswer(idem, answer)];
  return (await statement("sale_once", ONCE, keyed).catch(inProgress)).length > 0;
}

function valuesOf(sales: readonly NewSale[]): [rows: string, shares: string, events: string] {
  const rows = sales.map((sale) =>
    rowOf({ origin: "api", status: "pending", late: false, updatedAt: sale.createdAt, ...sale }),
  );
  const shares = sales.flatMap(({ accountId, id, shares }) =>
    shares.map((share, place) => ({
      id: share.id,
      account_id: accountId,
      transaction_id: id,
      place,
      recipient_id: share.recipientId,
      name: share.name,
      basis_points: share.basisPoints,
      amount: share.amount,
    })),
  );
  const events = sales.map(({ id }) => ({ sale_id: id, id: newId() }));
  return [JSON.stringify(rows), JSON.stringify(shares), JSON.stringify(events)];
}
