import type { AccountChange, TermsInput } from "@/lib/accounts/schema";
import { accountTransitions } from "@/lib/accounts/states";
import { approvedTerms } from "@/lib/accounts/terms";
import type { Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { statusesBefore } from "@/lib/states";

/**
 * Changes a live account's status, features, fees and limits at once. Throws `account_not_found`, for a sandbox too, and
 * `invalid_transition`.
 */
export async function changeAccount(tx: Tx, id: string, { status, features, terms }: AccountChange) {
  if (status === "approved") {
    await tx.account.updateMany({ where: { id, mode: "live", status: "pending" }, data: approvedTerms });
  }
  const from = status && { status: { in: statusesBefore(accountTransitions, status) } };
  const [account] = await tx.account.updateManyAndReturn({
    where: { id, mode: "live", ...from },
    data: {
      ...(status && { status }),
      ...(features && { features: [...new Set(features)] }),
      ...(terms && columnsOf(terms)),
    },
  });
  if (account) return account;
  const found = await tx.account.count({ where: { id, mode: "live" } });
  throw new AppError(found === 0 ? "account_not_found" : "invalid_transition");
}

const columnsOf = ({ pix_fee, card_fee, card_settlement_days, storage_limit_mb }: TermsInput) => ({
  ...{ pixFeeBasisPoints: pix_fee.percentage, pixFeeFixed: pix_fee.fixed, pixFeeMinimum: pix_fee.minimum },
  ...{ cardFeeBasisPoints: card_fee.percentage, cardFeeFixed: card_fee.fixed, cardFeeMinimum: card_fee.minimum },
  ...{ cardSettlementDays: card_settlement_days, storageLimitMb: storage_limit_mb },
});
