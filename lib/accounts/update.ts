import { isDeepStrictEqual } from "node:util";
import { feeColumns } from "@/lib/accounts/fees";
import { conditionsOf } from "@/lib/accounts/list";
import { lockAccount } from "@/lib/accounts/lock";
import type { AccountChange, TermsInput } from "@/lib/accounts/schema";
import { staffTransitions } from "@/lib/accounts/states";
import { approvedTerms } from "@/lib/accounts/terms";
import type { Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { methods } from "@/lib/methods/methods";
import { statusesBefore } from "@/lib/states";
import type { AccountStatus } from "@/prisma/client/enums";

/**
 * Changes a live account's status, features, fees and limits at once; answers it as it was and as it is. Throws
 * `account_not_found`, for a sandbox too, `invalid_transition`, and `terms_changed` where somebody else changed what the
 * form showed, unless it is already as the form makes it.
 */
export async function updateAccount(tx: Tx, id: string, { status, features, terms, seen }: AccountChange) {
  await lockAccount(tx, id);
  const was = await tx.account.findFirst({ where: { id, mode: "live" } });
  if (!was) throw new AppError("account_not_found");
  if (status && !statusesBefore<AccountStatus>(staffTransitions, status).includes(was.status))
    throw new AppError("invalid_transition");
  const data = {
    ...(status && { status, reviewAskedAt: null }),
    ...(status === "approved" && was.status === "pending" && approvedTerms),
    ...(features && { features: [...new Set(features)] }),
    ...(terms && columnsOf(terms)),
  };
  const expected = seen && [seen, conditionsOf({ ...was, ...data })];
  if (expected?.every((one) => !isDeepStrictEqual(one, conditionsOf(was)))) throw new AppError("terms_changed");
  return { was, account: await tx.account.update({ where: { id }, data }) };
}

const columnsOf = (terms: TermsInput) => ({
  ...feeColumns((name) => {
    const { percentage: basisPoints, fixed, minimum } = terms[methods[name].fee.column];
    return { basisPoints, fixed, minimum };
  }),
  ...{ refundFee: BigInt(terms.refund_fee), chargebackFee: BigInt(terms.chargeback_fee) },
  ...{ cardSettlementDays: terms.card_settlement_days },
  storageLimitMb: terms.storage_limit_mb,
  approvalAbove: terms.approval_above === null ? null : BigInt(terms.approval_above),
  ...{ withdrawalFee: BigInt(terms.withdrawal_fee), withdrawalLimit: BigInt(terms.withdrawal_limit) },
  ...{ withdrawalDayLimit: BigInt(terms.withdrawal_day_limit), newKeyLimit: BigInt(terms.new_key_limit) },
  withdrawalNightLimit: BigInt(terms.withdrawal_night_limit),
});
