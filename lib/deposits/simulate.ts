import type { AccountContext } from "@/lib/accounts/context";
import { countStored, rowBytes } from "@/lib/accounts/storage";
import { forAccount, runPrepared, scopeOf } from "@/lib/db";
import type { PayBody } from "@/lib/deposits/schema";
import { AppError } from "@/lib/errors";
import { findReplay, type Idem, type Intent, once } from "@/lib/idempotency";
import { sha256 } from "@/lib/ids";
import { railFor } from "@/lib/rails/pix/rails";
import type { Sale } from "@/lib/transactions/sale";
import { mayMove } from "@/lib/transactions/states";

type Account = Pick<AccountContext, "id">;
type Payment = PayBody & { id: string };

/**
 * Sandbox: plays the payer of a deposit's code at the simulated PSP, which then calls us back like a real one.
 * An amount in cents other than the code's can be sent, another payer, or a payment more than once, to see that it goes back.
 * Throws `transaction_not_found`, `invalid_transition`, `rail_unavailable`.
 */
export async function simulatePayment({ id: accountId }: Account, { id, ...body }: Payment, { idem }: Intent) {
  await findReplay(idem);
  const sale = await findDeposit(accountId, id);
  const endToEndId = idem && endToEndIdOf(sale, idem);
  const receipt = await pay(sale, body, endToEndId).catch((cause) => {
    throw cause instanceof AppError ? cause : new AppError("rail_unavailable", { cause });
  });
  const isUnmatched = body.again || BigInt(receipt.amount) !== sale.amount;
  if (isUnmatched) countStored(accountId, rowBytes.unmatched); // it has no event that is counted
  const result = { message: "Pagamento simulado.", identifier: id, end_to_end_id: receipt.endToEndId };
  return idem ? forAccount(accountId, (tx) => once(tx, idem, async () => result)) : result;
}

/** The new payment, or the one that this key made when a crash lost its answer. */
async function pay(sale: Deposit, { amount, payer, again }: PayBody, endToEndId: string | undefined) {
  const rail = railFor("sandbox");
  if (!rail?.pay) throw new AppError("rail_unavailable");
  if (sale.pixCode && (again || mayMove("pay", sale))) {
    return rail.pay({
      code: sale.pixCode,
      ...(amount && { amount }),
      ...(payer && { payer: defined(payer) }),
      ...(endToEndId && { endToEndId }),
    });
  }
  const earlier = endToEndId && (await rail.received(endToEndId));
  if (!earlier) throw new AppError("invalid_transition");
  return earlier;
}

/** The same key pays under the same end-to-end id, so a repeat after a crash does not pay twice. */
const endToEndIdOf = ({ createdAt }: Deposit, { accountId, key }: Idem) =>
  `E99999999${createdAt.toISOString().replace(/\D/g, "").slice(0, 12)}${sha256(accountId + key)
    .toString("hex")
    .slice(0, 11)}`;

type Deposit = Pick<Sale, "method" | "status" | "pixCode" | "createdAt" | "amount">;

async function findDeposit(accountId: string, id: string): Promise<Deposit> {
  const [sale] = await runPrepared<Deposit>("deposit_to_pay", FIND, [accountId, id]);
  if (sale?.method !== "pix") throw new AppError("transaction_not_found");
  return sale;
}

const FIND = `select t.method, t.status, t.pix_code as "pixCode", t.created_at as "createdAt", t.amount
  from ${scopeOf("$1")}
  cross join lateral (
    select * from transactions where account_id = scope.account and id = $2 limit 1
  ) t`;

const defined = ({ name, document }: NonNullable<PayBody["payer"]>) => ({
  ...(name && { name }),
  ...(document && { document }),
});
