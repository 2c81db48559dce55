import { asSystem } from "@/lib/db";
import { settlementOf } from "@/lib/splits/facts";
import { readShares } from "@/lib/splits/read";
import { markSettled } from "@/lib/transactions/move";
import type { Sale } from "@/lib/transactions/sale";

const BATCH = 200;

/**
 * Makes the money of a batch of card sales available whose settlement day has come on their account's own clock, to the
 * sellers and to each recipient, in one statement. Returns whether more may be due.
 */
export async function settleDueCharges(): Promise<boolean> {
  const due = await findDue(BATCH);
  await markSettled(due);
  return due.length === BATCH;
}

type Due = Pick<Sale, "accountId" | "id" | "method" | "net" | "fee">;

/**
 * Finds what is due in real time, and so on every clock, because no clock runs behind; then what is due on clocks
 * ahead.
 */
const findDue = (limit: number) =>
  asSystem(async (tx) => {
    const due = await tx.$queryRaw<Due[]>`
      (
        select account_id as "accountId", id, method, net, fee from transactions
        where method = 'card' and status = 'completed' and settled_at is null and settle_at <= now()
        order by settle_at limit ${limit}
      ) union all (
        select t.account_id, t.id, t.method, t.net, t.fee
        from accounts a join transactions t on t.account_id = a.id
        where a.clock_offset_ms > 0 and t.method = 'card' and t.status = 'completed' and t.settled_at is null
          and t.settle_at > now() and t.settle_at <= now() + a.clock_offset_ms * interval '1 millisecond'
        limit ${limit}
      )
      limit ${limit}`;
    const shares = await readShares(
      tx,
      due.map(({ id }) => id),
    );
    return due.map((sale) => ({
      ...sale,
      posts: settlementOf(
        sale,
        shares.filter(({ transactionId }) => transactionId === sale.id),
      ),
    }));
  });
