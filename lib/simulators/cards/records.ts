import { runPrepared, transactionOverAll } from "@/lib/db";
import { isForGood } from "@/lib/simulators/cards/outcomes";
import { disputedOf } from "@/lib/simulators/disputes";

/** A row of the acquirer's table, which never has a number, a holder or a CVV. `amount` is cents. */
export type Charge = {
  id: string;
  amount: string;
  installments: number;
  status: string;
  refused_reason: string | null;
};

const COLUMNS = "id, amount, installments, status, refused_reason";

/** Records a charge with its outcome. Undefined when the id is in use, by a repeat of this charge or by another one. */
export async function recordCharge(charge: Omit<Charge, "amount"> & { amount: number }): Promise<Charge | undefined> {
  const { id, amount, installments, status, refused_reason } = charge;
  const [recorded] = await runPrepared<Charge>(
    "simulator-record-charge",
    `insert into simulator_charges (${COLUMNS}) values ($1, $2, $3, $4, $5)
     on conflict (id) do nothing
     returning ${COLUMNS}`,
    [id, amount, installments, status, refused_reason],
  );
  return recorded;
}

export async function getCharge(id: string): Promise<Charge | undefined> {
  const text = `select ${COLUMNS} from simulator_charges where id = $1`;
  const [charge] = await runPrepared<Charge>("simulator-get-charge", text, [id]);
  return charge;
}

/**
 * Charges after this place, oldest first. A place is a time and an id; `["<time>", NIL]` is before all of that time.
 */
export function listCharges([at, id]: readonly [at: string, id: string], limit: number) {
  const text = `select ${COLUMNS}, to_char(created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as created_at
    from simulator_charges
    where (simulator_charges.created_at, id) > ($1::timestamptz, $2::uuid)
    order by simulator_charges.created_at, id limit $3`;
  return runPrepared<Charge & { created_at: string }>("simulator-list-charges", text, [at, id, limit]);
}

/** An id that sorts before every other. */
export const NIL = "00000000-0000-0000-0000-000000000000";

/** The acquirer's answer about a charge. */
export const present = ({ amount, ...charge }: Charge) => ({
  ...charge,
  amount: Number(amount),
  refused_for_good: charge.refused_reason !== null && isForGood(charge.refused_reason),
});

export type Refund = { id: string; charge_id: string; amount: string };

/**
 * Records money that goes back, or finds it recorded under its id. `too_much` where it is more than is left of the charge, or
 * where the id is another refund's, `unknown` where there is no such approved charge.
 */
export const recordRefund = ({ id, chargeId, amount }: { id: string; chargeId: string; amount: number }) =>
  transactionOverAll(async (query): Promise<Refund | "unknown" | "too_much"> => {
    const [charge] = await query<Charge>("simulator-lock-charge", LOCK, [chargeId]);
    if (charge?.status !== "approved") return "unknown";
    const [earlier] = await query<Refund>("simulator-get-refund", REFUND, [id]);
    if (earlier) return earlier.charge_id === charge.id && earlier.amount === String(amount) ? earlier : "too_much";
    const [made] = await query<Refund>("simulator-record-refund", INSERT_REFUND, [id, chargeId, amount, charge.amount]);
    return made ?? "too_much";
  });

export async function getRefund(id: string): Promise<Refund | undefined> {
  const [refund] = await runPrepared<Refund>("simulator-get-refund", REFUND, [id]);
  return refund;
}

const LOCK = `select ${COLUMNS} from simulator_charges where id = $1 for update`;
const REFUND = "select id, charge_id, amount from simulator_card_refunds where id = $1";
const INSERT_REFUND = `insert into simulator_card_refunds (id, charge_id, amount)
  select $1::uuid, $2::uuid, $3::bigint
  where $3::bigint + (select coalesce(sum(amount), 0) from simulator_card_refunds where charge_id = $2::uuid)
    + ${disputedOf("simulator_chargebacks", "$2::uuid::text")} <= $4::bigint
  returning id, charge_id, amount`;
