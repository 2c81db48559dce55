import { queryOf, readForStaff } from "@/lib/db";
import { decimal } from "@/lib/money";
import { everyRail } from "@/lib/rails/pix/rails";
import type { Payouts } from "@/lib/withdrawals/schema";
import { listStops } from "@/lib/withdrawals/stops";

type Row = { provider: string; account_id: string; count: number; amount: number };

/** Where payouts go and where they are stopped, with what waits, for the operator's staff. */
export async function readPayouts(): Promise<Payouts> {
  const { data: stops } = await listStops();
  const waiting = await readForStaff((tx) => queryOf(tx)<Row>("", WAITING, []));
  return {
    stops,
    rails: [...everyRail()].map(({ provider }) => provider),
    waiting: waiting.map((row) => ({ ...row, amount: decimal(row.amount) })),
  };
}

const WAITING = `select provider, account_id, count(*)::int as count, sum(amount)::float8 as amount
  from withdrawals where status = 'requested' group by provider, account_id`;
