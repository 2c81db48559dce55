import { businessNow } from "@/lib/clock";
import { mayCrash } from "@/lib/crash-points";
import { asSystem, forAccount, type Tx } from "@/lib/db";
import { post } from "@/lib/ledger/post";
import type { Share } from "@/lib/splits/snapshot";
import { sweep } from "@/lib/sweep";
import type { Transaction } from "@/prisma/client/client";

/**
 * Sweep: card sales whose settlement day has come, on each account's own clock, become available: the seller's rest and
 * each recipient's share. Returns how many were due.
 */
export const settleDueCharges = () => sweep(findDue, settleCharge);

/** One transaction: only the first to come finds it unsettled. */
function settleCharge({ accountId, id, shares }: Transaction) {
  const recipients = (shares as Share[]).map(({ account_id }) => account_id);
  return forAccount([accountId, ...recipients], async (tx) => {
    const account = await tx.account.findUniqueOrThrow({ where: { id: accountId } });
    const [sale] = await tx.transaction.updateManyAndReturn({
      where: { accountId, id, type: "card", status: "completed", settledAt: null },
      data: { settledAt: businessNow(account) },
    });
    if (sale) await postSettlement(tx, sale);
    mayCrash("settle.posting");
  });
}

async function postSettlement(tx: Tx, { id, accountId, net, shares }: Transaction) {
  let rest = Number(net);
  for (const { id: sourceId, account_id, amount } of shares as Share[]) {
    rest -= amount;
    await post(tx, { type: "card_settled", sourceId, owners: { account: account_id }, amounts: { amount } });
  }
  await post(tx, { type: "card_settled", sourceId: id, owners: { account: accountId }, amounts: { amount: rest } });
}

/** What is due in real time is due on every clock, since none runs behind it; then those whose clock runs ahead. */
const findDue = (most: number, but: string[]) =>
  asSystem(async (tx) => {
    const due = await tx.$queryRaw<{ account_id: string; id: string }[]>`
      (
        select account_id, id from transactions
        where type = 'card' and status = 'completed' and settled_at is null and settle_at <= now()
          and id <> all(${but}::uuid[])
        order by settle_at limit ${most}
      ) union all (
        select t.account_id, t.id
        from accounts a join transactions t on t.account_id = a.id
        where a.clock_offset_ms > 0 and t.type = 'card' and t.status = 'completed' and t.settled_at is null
          and t.settle_at > now() and t.settle_at <= now() + a.clock_offset_ms * interval '1 millisecond'
          and t.id <> all(${but}::uuid[])
        limit ${most}
      )
      limit ${most}`;
    return tx.transaction.findMany({ where: { OR: due.map(({ account_id, id }) => ({ accountId: account_id, id })) } });
  });
