import type { Row } from "@/lib/database/json-rows";
import type { Query } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { recordOf, type WithdrawalRecord, withdrawalOf } from "@/lib/withdrawals/record";

/** A withdrawal's record. Throws `withdrawal_not_found`, also for another account's. */
export async function findWithdrawal(query: Query, accountId: string, id: string): Promise<WithdrawalRecord> {
  const [found] = await query<{ record: Row }>("withdrawal_find", FIND, [accountId, id]);
  if (!found) throw new AppError("withdrawal_not_found");
  return withdrawalOf(found.record);
}

const FIND = `select ${recordOf("w")} as record from withdrawals w where w.account_id = $1::uuid and w.id = $2::uuid`;
