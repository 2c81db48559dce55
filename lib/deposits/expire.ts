import { asSystem, forAccount, type Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { type Idem, once } from "@/lib/idempotency";
import { moveSales, moveSalesNow } from "@/lib/transactions/move";
import { inSql, transitions } from "@/lib/transactions/states";

/**
 * Expires an unpaid deposit. Of two calls at once only the first finds it open. A payment that arrives afterwards still
 * counts. Throws `transaction_not_found` for another account's, `invalid_transition` when it is no longer open.
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

const BATCH = 500;

/**
 * Expires a batch of what is due on each account's own clock, in one statement. What is due in real time is due on every
 * clock, since none runs behind it; then come the sandboxes whose clock runs ahead. What was paid or expired meanwhile
 * stays as it is. Returns whether more may be due.
 */
export async function expireDueDeposits(): Promise<boolean> {
  const due = await asSystem((tx) => tx.$queryRawUnsafe<{ accountId: string; id: string }[]>(DUE, BATCH));
  await moveSalesNow("expire", due);
  return due.length === BATCH;
}

const OPEN = `t.status in ${inSql(transitions.expire.from)} and t.method = '${transitions.expire.method}'`;

/** `$1` is the largest number. */
const DUE = `(
    select t.account_id as "accountId", t.id from transactions t where t.expires_at < now() and ${OPEN}
    order by t.expires_at limit $1
  ) union all (
    select t.account_id, t.id
    from accounts a join transactions t on t.account_id = a.id
    where a.clock_offset_ms > 0 and ${OPEN}
      and t.expires_at >= now() and t.expires_at < now() + a.clock_offset_ms * interval '1 millisecond'
    limit $1
  )
  limit $1`;
