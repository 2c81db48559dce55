import { readAddressee } from "@/lib/accounts/addressee";
import { presentSeller } from "@/lib/accounts/list";
import type { AccountChange, TermsInput } from "@/lib/accounts/schema";
import { accountStates } from "@/lib/accounts/states";
import { approvedTerms } from "@/lib/accounts/terms";
import { realNow } from "@/lib/clock";
import { forAccount, type Tx } from "@/lib/db";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { log } from "@/lib/log";
import { writeMail } from "@/lib/mail/write";
import { before } from "@/lib/states";
import type { Account } from "@/prisma/client/client";

/**
 * Approves or suspends a seller's live account, or sets its features, fees and limits, for the operator's staff: what comes
 * together is one change. An approval is mailed to the seller. Throws `account_not_found`, for a sandbox too, and
 * `invalid_transition`.
 */
export async function changeAccount(id: string, change: AccountChange, { userId }: { userId: string }) {
  const { status, features, terms } = change;
  const data = await forAccount(id, async (tx) => {
    if (status === "approved") {
      await tx.account.updateMany({ where: { id, mode: "live", status: "pending" }, data: approvedTerms });
    }
    const from = status && { status: { in: before(accountStates, status) } };
    const [account] = await tx.account.updateManyAndReturn({
      where: { id, mode: "live", ...from },
      data: {
        ...(status && { status }),
        ...(features && { features: [...new Set(features)] }),
        ...(terms && columnsOf(terms)),
      },
    });
    if (account && status === "approved") await mailSeller(tx, account);
    if (account) return presentSeller(account);
    const found = await tx.account.count({ where: { id, mode: "live" } });
    throw new AppError(found === 0 ? "account_not_found" : "invalid_transition");
  });
  log.info({ accountId: id, userId, status, features, terms }, "account changed by staff");
  return { data };
}

const columnsOf = ({ pix_fee, card_fee, card_settlement_days, storage_limit_mb }: TermsInput) => ({
  ...{ pixFeeBasisPoints: pix_fee.percentage, pixFeeFixed: pix_fee.fixed, pixFeeMinimum: pix_fee.minimum },
  ...{ cardFeeBasisPoints: card_fee.percentage, cardFeeFixed: card_fee.fixed, cardFeeMinimum: card_fee.minimum },
  ...{ cardSettlementDays: card_settlement_days, storageLimitMb: storage_limit_mb },
});

/** Each approval has a mail of its own: an account may come back from a suspension. */
const mailSeller = async (tx: Tx, account: Account) =>
  writeMail(tx, {
    ...(await readAddressee(tx, account.id)),
    intent: `account_approved:${account.id}:${realNow().toISOString()}`,
    content: {
      template: "account_approved",
      seller: account.name,
      features: account.features,
      pixFee: { basisPoints: account.pixFeeBasisPoints ?? 0, fixed: account.pixFeeFixed },
      cardFee: { basisPoints: account.cardFeeBasisPoints ?? 0, fixed: account.cardFeeFixed },
      url: `${env.APP_URL}/${account.id}/home`,
    },
  });
