import { asSystem, forAccount, type Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { type Idem, once } from "@/lib/idempotency";
import { sweep } from "@/lib/sweep";
import { moveSales } from "@/lib/transactions/move";

/**
 * Ends an unpaid charge. Only the first of two at once finds it open; a payment that still comes afterwards counts.
 * Throws `transaction_not_found` for another account's, `invalid_transition` when it is no longer open.
 */
export async function expireDeposit(accountId: string, id: string, idem?: Idem) {
  return forAccount(accountId, (tx) => once(tx, idem, () => expire(tx, accountId, id)));
}

async function expire(tx: Tx, accountId: string, id: string) {
  const [moved] = await moveSales(tx, "expire", [{ accountId, id }]);
  if (!moved) {
    const found = await tx.transaction.count({ where: { accountId, id } });
    throw new AppError(found === 0 ? "transaction_not_found" : "invalid_transition");
  }
  return { message: "Cobrança expirada." };
}

/**
 * Sweep: expires what is due, on each account's own clock. What is due in real time is due on every clock, since none
 * runs behind it; then come the sandboxes whose clock runs ahead. Returns how many were due.
 */
export const expireDueDeposits = () =>
  sweep(findDue, ({ account_id, id }) =>
    expireDeposit(account_id, id).catch((error) => {
      if (!(error instanceof AppError)) throw error; // else paid or expired by another worker meanwhile
    }),
  );

const findDue = (most: number, but: string[]) =>
  asSystem(
    (tx) => tx.$queryRaw<{ account_id: string; id: string }[]>`
      (
        select account_id, id from transactions
        where status = 'pending' and expires_at < now() and method = 'pix' and id <> all(${but}::uuid[])
        order by expires_at limit ${most}
      ) union all (
        select t.account_id, t.id
        from accounts a join transactions t on t.account_id = a.id
        where a.clock_offset_ms > 0 and t.status = 'pending' and t.method = 'pix' and t.id <> all(${but}::uuid[])
          and t.expires_at >= now() and t.expires_at < now() + a.clock_offset_ms * interval '1 millisecond'
        limit ${most}
      )
      limit ${most}`,
  );
