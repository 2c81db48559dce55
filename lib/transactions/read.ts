import type { Row } from "@/lib/database/json-rows";
import { runPrepared, scopeOf } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { reais } from "@/lib/money";
import { presentTransactionV1, presentTransactionV2 } from "@/lib/transactions/present";
import { type Sale, saleOf } from "@/lib/transactions/sale";

/** Reads a sale. Throws `transaction_not_found`, also for another account's. */
export async function findTransaction(accountId: string, id: string): Promise<Sale> {
  const [row] = await runPrepared<{ sale: Row }>("sale_find", FIND, [accountId, id]);
  if (!row) throw new AppError("transaction_not_found");
  return saleOf(row.sale);
}

const FIND = `select to_jsonb(t) as sale from ${scopeOf("$1")} cross join lateral (
    select * from transactions where account_id = scope.account and id = $2::uuid offset 0
  ) t`;

export const readTransactionV1 = async (accountId: string, id: string) => ({
  data: presentTransactionV1(await findTransaction(accountId, id)),
});

export async function readTransactionV2(accountId: string, id: string) {
  const sale = await findTransaction(accountId, id);
  const { transaction, ...rest } = presentTransactionV2(sale);
  const refunded_amount = reais(sale.refundedAmount);
  return { data: { transaction: { ...transaction, refunded_amount }, ...rest } };
}
