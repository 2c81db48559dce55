import { readAddressee } from "@/lib/accounts/addressee";
import { changeAccount } from "@/lib/accounts/change";
import { presentSeller } from "@/lib/accounts/list";
import type { AccountChange } from "@/lib/accounts/schema";
import { recordChange } from "@/lib/audit/record-change";
import { realNow } from "@/lib/clock";
import { forAccount, type Tx } from "@/lib/db";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { writeMail } from "@/lib/mail/write";
import type { Account } from "@/prisma/client/client";

/**
 * Approves or suspends a seller's live account, or sets its features, fees and limits, for the operator's staff: what comes
 * together is one change. An approval is mailed to the seller. Throws what `changeAccount` throws.
 */
export async function changeSeller(id: string, change: AccountChange, { userId }: { userId: string }) {
  const data = await forAccount(id, async (tx) => {
    const old = await tx.account.findUnique({ where: { id } });
    const account = await changeAccount(tx, id, change);
    if (change.status === "approved") await mailApproval(tx, account);
    const [before, after] = [presentSeller(old ?? account), presentSeller(account)];
    await recordChange(tx, { accountId: id, subject: "account", id, verb: "updated", before, after });
    return after;
  });
  log.info({ accountId: id, userId, ...change }, "account changed by staff");
  return { data };
}

/** Each approval has a mail of its own: an account may come back from a suspension. */
const mailApproval = async (tx: Tx, account: Account) =>
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
