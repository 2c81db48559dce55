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

const columnsOf = ({ refund_fee, card_settlement_days, storage_limit_mb, approval_above, ...fees }: TermsInput) => ({
  ...feeColumns((name) => {
    const { percentage: basisPoints, fixed, minimum } = fees[methods[name].fee.column];
    return { basisPoints, fixed, minimum };
  }),
  ...{ refundFee: BigInt(refund_fee), cardSettlementDays: card_settlement_days, storageLimitMb: storage_limit_mb },
  approvalAbove: approval_above === null ? null : BigInt(approval_above),
});
