import { queryOf, readFor } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { readTransactionV1 } from "@/lib/transactions/read";
import { presentWithdrawalV1 } from "@/lib/withdrawals/present";
import { findWithdrawal } from "@/lib/withdrawals/read";
import type { WithdrawalRecord } from "@/lib/withdrawals/record";

/** V1 of a sale or of a withdrawal, whichever has the id. Throws `transaction_not_found`, also for another account's. */
export async function readAnyTransactionV1(accountId: string, id: string) {
  const sale = await unless("transaction_not_found", readTransactionV1(accountId, id));
  if (sale) return sale;
  const withdrawal = await findAny(accountId, id);
  if (!withdrawal) throw new AppError("transaction_not_found");
  return { data: presentWithdrawalV1(withdrawal) };
}

/** A withdrawal of an account; undefined where there is none of this id. */
export const findAny = (accountId: string, id: string): Promise<WithdrawalRecord | undefined> =>
  unless(
    "withdrawal_not_found",
    readFor(accountId, (tx) => findWithdrawal(queryOf(tx), accountId, id)),
  );

/** What is found; undefined where it is not. */
const unless = <T>(code: string, found: Promise<T>): Promise<T | undefined> =>
  found.catch((error) => {
    if (error instanceof AppError && error.code === code) return undefined;
    throw error;
  });
