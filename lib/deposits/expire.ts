import type { AccountContext } from "@/lib/accounts/context";
import { forAccount, type Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { type Intent, once } from "@/lib/idempotency";
import { salesDue } from "@/lib/transactions/due";
import { moveSales } from "@/lib/transactions/move";
import { isExpiring } from "@/lib/transactions/states";

/**
 * Expires an unpaid deposit. Of two calls at once only the first finds it open. A payment that arrives afterwards still
 * counts. Throws `transaction_not_found` for another account's, `invalid_transition` when it is no longer open.
 */
export async function expireDeposit(
  { id: accountId }: Pick<AccountContext, "id">,
  { id }: { id: string },
  { idem }: Intent,
) {
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
 * Expires a batch of the deposits that are due on each account's own clock. What was paid or expired meanwhile stays as
 * it is. Returns whether more may be due.
 */
export const expireDueDeposits = salesDue({
  name: "deposits.expire-due",
  column: "expires_at",
  isOpen: isExpiring("t"),
  act: (query, due) => moveSales(query, "expire", due),
});
