import { queryOf, type Tx } from "@/lib/db";

/** How many withdrawals of an account were paid, the sum of their amounts, and the same with fees, in cents. */
export type PaidOut = { number: number; amount: number; total: number };

/** What came back later was paid out all the same. */
export async function readPaidOut(tx: Tx, accountId: string): Promise<PaidOut> {
  const [paid] = await queryOf(tx)<PaidOut>("withdrawals_paid_out", PAID_OUT, [accountId]);
  return paid ?? { number: 0, amount: 0, total: 0 };
}

const PAID_OUT = `select count(*)::int as number, coalesce(sum(amount), 0)::float8 as amount,
    coalesce(sum(amount + fee), 0)::float8 as total
  from withdrawals where account_id = $1::uuid and status in ('paid', 'returned')`;
