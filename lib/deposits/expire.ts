import { asSystem, forAccount, type Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { type Idem, once } from "@/lib/idempotency";
import { sweep } from "@/lib/sweep";
import { moveSales } from "@/lib/transactions/move";
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

const findDue = (limit: number, except: string[]) =>
  asSystem((tx) => tx.$queryRawUnsafe<{ account_id: string; id: string }[]>(DUE, limit, except));

const OPEN = `t.status in ${inSql(transitions.expire.from)} and t.method = '${transitions.expire.method}'
  and t.id <> all($2::uuid[])`;

/** `$1` is the largest number, `$2` the ids that failed already. */
const DUE = `(
    select t.account_id, t.id from transactions t where t.expires_at < now() and ${OPEN}
    order by t.expires_at limit $1
  ) union all (
    select t.account_id, t.id
    from accounts a join transactions t on t.account_id = a.id
    where a.clock_offset_ms > 0 and ${OPEN}
      and t.expires_at >= now() and t.expires_at < now() + a.clock_offset_ms * interval '1 millisecond'
    limit $1
  )
  limit $1`;
