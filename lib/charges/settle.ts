import { mayCrash } from "@/lib/crash-points";
import { asSystem, forAccount } from "@/lib/db";
import { post } from "@/lib/ledger/post";
import { settlementOf } from "@/lib/splits/facts";
import { readShares } from "@/lib/splits/read";
import type { Share } from "@/lib/splits/share";
import { sweep } from "@/lib/sweep";
import { markSettled } from "@/lib/transactions/move";

/**
 * Sweep: makes the money of card sales available whose settlement day has come on their account's own clock, to the
 * seller and to each recipient. Returns how many were due.
 */
export const settleDueCharges = () => sweep(findDue, settleCharge);

/** One transaction, in which only the first of several callers finds the sale unsettled. */
function settleCharge({ accountId, id, shares }: Due) {
  const recipients = shares.map(({ recipientId }) => recipientId);
  return forAccount([accountId, ...recipients], async (tx) => {
    const [sale] = await markSettled(tx, [{ accountId, id }]);
    if (sale) await post(tx, ...settlementOf(sale, shares));
    mayCrash("settle.posting");
  });
}

type Due = { accountId: string; id: string; shares: Share[] };

/**
 * Finds what is due in real time, and so on every clock, because no clock runs behind; then what is due on clocks
 * ahead.
 */
const findDue = (limit: number, except: string[]) =>
  asSystem(async (tx) => {
    const due = await tx.$queryRaw<{ account_id: string; id: string }[]>`
      (
        select account_id, id from transactions
        where method = 'card' and status = 'completed' and settled_at is null and settle_at <= now()
          and id <> all(${except}::uuid[])
        order by settle_at limit ${limit}
      ) union all (
        select t.account_id, t.id
        from accounts a join transactions t on t.account_id = a.id
        where a.clock_offset_ms > 0 and t.method = 'card' and t.status = 'completed' and t.settled_at is null
          and t.settle_at > now() and t.settle_at <= now() + a.clock_offset_ms * interval '1 millisecond'
          and t.id <> all(${except}::uuid[])
        limit ${limit}
      )
      limit ${limit}`;
    const shares = await readShares(
      tx,
      due.map(({ id }) => id),
    );
    return due.map(({ account_id: accountId, id }): Due => {
      return { accountId, id, shares: shares.filter(({ transactionId }) => transactionId === id) };
    });
  });
