import { mayCrash } from "@/lib/charges/crash-points";
import { asSystem, forAccount } from "@/lib/db";
import { post } from "@/lib/ledger/post";
import { settlementOf } from "@/lib/splits/facts";
import { readShares } from "@/lib/splits/read";
import type { Share } from "@/lib/splits/share";
import { sweep } from "@/lib/sweep";
import { markSettled } from "@/lib/transactions/move";

/**
 * Sweep: card sales whose settlement day has come, on each account's own clock, become available: the seller's rest and
 * each recipient's share. Returns how many were due.
 */
export const settleDueCharges = () => sweep(findDue, settleCharge);

/** One transaction: only the first to come finds it unsettled. */
function settleCharge({ accountId, id, shares }: Due) {
  const recipients = shares.map(({ recipientId }) => recipientId);
  return forAccount([accountId, ...recipients], async (tx) => {
    const [sale] = await markSettled(tx, [{ accountId, id }]);
    if (sale) await post(tx, ...settlementOf(sale, shares));
    mayCrash("settle.posting");
  });
}

type Due = { accountId: string; id: string; shares: Share[] };

/** What is due in real time is due on every clock, since none runs behind it; then those whose clock runs ahead. */
const findDue = (most: number, but: string[]) =>
  asSystem(async (tx) => {
    const due = await tx.$queryRaw<{ account_id: string; id: string }[]>`
      (
        select account_id, id from transactions
        where method = 'card' and status = 'completed' and settled_at is null and settle_at <= now()
          and id <> all(${but}::uuid[])
        order by settle_at limit ${most}
      ) union all (
        select t.account_id, t.id
        from accounts a join transactions t on t.account_id = a.id
        where a.clock_offset_ms > 0 and t.method = 'card' and t.status = 'completed' and t.settled_at is null
          and t.settle_at > now() and t.settle_at <= now() + a.clock_offset_ms * interval '1 millisecond'
          and t.id <> all(${but}::uuid[])
        limit ${most}
      )
      limit ${most}`;
    const shares = await readShares(
      tx,
      due.map(({ id }) => id),
    );
    return due.map(({ account_id: accountId, id }): Due => {
      return { accountId, id, shares: shares.filter(({ transactionId }) => transactionId === id) };
    });
  });
