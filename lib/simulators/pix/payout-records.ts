import { type Query, runPrepared } from "@/lib/db";
import { decimal } from "@/lib/money";

/** A payout with what came back of it. Times are text, because a Date would cut their microseconds. */
export type Payout = {
  id: string;
  key: string;
  amount: string;
  status: "processing" | "paid" | "failed";
  reason: string | null;
  end_to_end_id: string;
  step: number;
  paid_at: string | null;
  changed_at: string;
  returns: { id: string; amount: string; created_at: string }[];
};

const text = (column: string) => `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

const COLUMNS = `p.id, p.key, p.amount::text, p.status, p.reason, p.end_to_end_id, p.step, ${text("p.paid_at")} as paid_at,
  ${text("p.changed_at")} as changed_at, coalesce((
    select json_agg(json_build_object('id', r.id, 'amount', r.amount::text, 'created_at', ${text("r.created_at")}) order by r.created_at, r.id)
    from simulator_payout_returns r where r.payout_id = p.id
  ), '[]') as returns`;

export async function getPayout(id: string, query: Query = runPrepared): Promise<Payout | undefined> {
  const [payout] = await query<Payout>(
    "simulator-payout",
    `select ${COLUMNS} from simulator_payouts p where p.id = $1`,
    [id],
  );
  return payout;
}

/** Payouts that changed after this place and not after `until`. One that was forgotten is in no list. */
export const listPayouts = ([changedAt, id]: readonly [changedAt: string, id: string], until: string, limit: number) =>
  runPrepared<Payout>(
    "simulator-payouts",
    `select ${COLUMNS} from simulator_payouts p
     where (p.changed_at, p.id) > ($1::timestamptz, $2) and p.changed_at <= $3 and right(p.id, 1) <> '~'
     order by p.changed_at, p.id limit $4`,
    [changedAt, id, until, limit],
  );

/** The PSP's answer about a payout. */
export const present = ({ key: _key, step: _step, amount, returns, ...payout }: Payout) => ({
  ...payout,
  amount: decimal(BigInt(amount)),
  returns: returns.map((one) => ({ ...one, amount: decimal(BigInt(one.amount)) })),
});
