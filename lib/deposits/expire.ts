import { businessNow } from "@/lib/clock";
import { asSystem, forAccount, type Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { emit } from "@/lib/events";
import { type Idem, once } from "@/lib/http/idempotency";
import { before } from "@/lib/states";
import { transactionStates } from "@/lib/transactions/states";

/**
 * Ends an unpaid charge. Only the first of two at once finds it open; a payment that still comes afterwards counts.
 * Throws `transaction_not_found` for another account's, `invalid_transition` when it is no longer open.
 */
export async function expireDeposit(accountId: string, id: string, idem?: Idem) {
  return forAccount(accountId, (tx) => once(tx, idem, () => expire(tx, accountId, id)));
}

async function expire(tx: Tx, accountId: string, id: string) {
  const account = await tx.account.findUniqueOrThrow({ where: { id: accountId } });
  const now = businessNow(account);
  const { count } = await tx.transaction.updateMany({
    where: { accountId, id, type: "cash_in", status: { in: before(transactionStates, "expired") } },
    data: { status: "expired", updatedAt: now },
  });
  if (count === 0) {
    const found = await tx.transaction.count({ where: { accountId, id } });
    throw new AppError(found === 0 ? "transaction_not_found" : "invalid_transition");
  }
  // Ended before its time: a payment that comes now is late.
  await tx.transaction.updateMany({ where: { accountId, id, expiresAt: { gt: now } }, data: { expiresAt: now } });
  const data = { status: "expired", previous_status: "pending" };
  await emit(tx, { accountId, type: "transaction.updated", subjectId: id, data, occurredAt: now });
  return { message: "Cobrança expirada." };
}

const MOST = 500;

/** Sweep: expires what is due on each account's own clock. Returns how many; run again while it returns many. */
export async function expireDueDeposits(): Promise<number> {
  const due = await asSystem(
    (tx) => tx.$queryRaw<{ account_id: string; id: string }[]>`
      select t.account_id, t.id from transactions t join accounts a on a.id = t.account_id
      where t.status = 'pending' and t.type = 'cash_in'
        and t.expires_at < now() + a.clock_offset_ms * interval '1 millisecond'
      limit ${MOST}`,
  );
  for (const { account_id, id } of due) {
    await expireDeposit(account_id, id).catch((error) => {
      if (!(error instanceof AppError)) throw error; // paid or expired by another worker meanwhile
    });
  }
  return due.length;
}
