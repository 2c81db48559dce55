import { type Query, runPrepared } from "@/lib/db";
import { wake } from "@/lib/due/wake";
import { newAlphanumeric } from "@/lib/ids";
import { decimal } from "@/lib/money";
import { realNow } from "@/lib/time/clock";

/** A row of the PSP's table. The time is text, because a Date would cut its microseconds. */
export type Pix = {
  end_to_end_id: string;
  txid: string;
  key: string;
  amount: string;
  payer: { name: string; document: string; ispb: string };
  paid_at: string;
};

/** SQL: a payment's time in the PSP's form. */
export const PAID_AT = `to_char(paid_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as paid_at`;
const COLUMNS = `end_to_end_id, txid, key, amount, payer, ${PAID_AT}`;

type Payment = Omit<Pix, "amount" | "paid_at"> & { amount: number };

/**
 * Records a payment, whose notice is due at once. Undefined when the end-to-end id is in use, by a repeat
 * of this payment or by another one.
 */
export async function recordPix(payment: Payment, query: Query = runPrepared): Promise<Pix | undefined> {
  const { end_to_end_id, txid, key, amount, payer } = payment;
  const [pix] = await query<Pix>(
    "simulator-record",
    `insert into simulator_pix (end_to_end_id, txid, key, amount, payer, paid_at, notify_at)
     values ($1, $2, $3, $4, $5, now(), now())
     on conflict (end_to_end_id) do nothing
     returning ${COLUMNS}`,
    [end_to_end_id, txid, key, amount, JSON.stringify(payer)],
  );
  if (pix && query === runPrepared) wake("notices"); // a transaction wakes once it has committed
  return pix;
}

export async function getPix(endToEndId: string, query: Query = runPrepared): Promise<Pix | undefined> {
  const text = `select ${COLUMNS} from simulator_pix where end_to_end_id = $1`;
  const [pix] = await query<Pix>("simulator-get", text, [endToEndId]);
  return pix;
}

/**
 * Payments after this place and not after `until`, oldest first. A place is a time and an id; `["<time>", ""]` is before
 * all of that time.
 */
export function listPix([paidAt, endToEndId]: readonly [paidAt: string, id: string], until: string, limit: number) {
  const text = `select ${COLUMNS} from simulator_pix
    where (simulator_pix.paid_at, end_to_end_id) > ($1::timestamptz, $2) and simulator_pix.paid_at <= $3
    order by simulator_pix.paid_at, end_to_end_id limit $4`;
  return runPrepared<Pix>("simulator-list", text, [paidAt, endToEndId, until, limit]);
}

export const newEndToEndId = (ispb: string, at = realNow()) =>
  `E${ispb}${at.toISOString().replace(/\D/g, "").slice(0, 12)}${newAlphanumeric(11)}`;

/** The PSP's answer about a payment. */
export const present = ({ end_to_end_id, txid, amount, payer, paid_at }: Pix) => ({
  end_to_end_id,
  txid,
  amount: decimal(BigInt(amount)),
  payer,
  paid_at,
});
