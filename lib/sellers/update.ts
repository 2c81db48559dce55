import { isDeepStrictEqual } from "node:util";
import { noteClosing } from "@/lib/account-documents/note-closing";
import { readAddressee } from "@/lib/accounts/addressee";
import { feeOfAccount } from "@/lib/accounts/fees";
import { conditionsOf, presentSeller } from "@/lib/accounts/list";
import type { AccountChange } from "@/lib/accounts/schema";
import { changeOf } from "@/lib/accounts/states";
import { updateAccount } from "@/lib/accounts/update";
import { currentActor } from "@/lib/actor";
import { recordChange } from "@/lib/audit/record-change";
import { forAccount, type Tx } from "@/lib/db";
import { env } from "@/lib/env";
import { newId } from "@/lib/ids";
import { log } from "@/lib/log";
import { feesOfMail } from "@/lib/mail/templates";
import { writeMail } from "@/lib/mail/write";
import type { Account } from "@/prisma/client/client";

/**
 * Approves or suspends a seller's live account, or sets its features, fees and limits, for the operator's staff: what comes
 * together is one change. An approval is mailed to the seller, and so is whatever changes later; the same change once more
 * is not. Throws what `updateAccount` throws.
 */
export async function updateSeller({ id, ...change }: AccountChange & { id: string }) {
  const { data, ...conditions } = await forAccount(id, async (tx) => {
    const { was, account } = await updateAccount(tx, id, change);
    if (was.status === "closed" && account.status !== "closed") await noteClosing(tx, id, null);
    if (change.status === "approved") await mailConditions(tx, "account_approved", account);
    else if (!isDeepStrictEqual(conditionsOf(was), conditionsOf(account))) {
      await mailConditions(tx, "account_changed", account);
    }
    const [before, data] = [presentSeller(was), presentSeller(account)];
    const verb = changeOf(was.status, account.status);
    await recordChange(tx, { accountId: id, subject: "account", id, verb, before, after: data });
    return { was: conditionsOf(was), is: conditionsOf(account), data };
  });
  log.info(
    { accountId: id, userId: currentActor().id, status: change.status, ...conditions },
    "account changed by staff",
  );
  return { data };
}

/** Each change has a mail of its own: an account may come back from a suspension, and its fees may change again. */
const mailConditions = async (tx: Tx, template: "account_approved" | "account_changed", account: Account) =>
  writeMail(tx, {
    ...(await readAddressee(tx, account.id)),
    intent: `${template}:${account.id}:${newId()}`,
    content: {
      template,
      seller: account.name,
      features: account.features,
      ...feesOfMail((name) => {
        const { basisPoints, ...rest } = feeOfAccount(account, name);
        return { basisPoints: basisPoints ?? 0, ...rest };
      }),
      refundFee: Number(account.refundFee),
      chargebackFee: Number(account.chargebackFee),
      cardSettlementDays: account.cardSettlementDays,
      storageLimitMb: account.storageLimitMb,
      ...{ withdrawalFee: Number(account.withdrawalFee), withdrawalLimit: Number(account.withdrawalLimit) },
      ...{ withdrawalDayLimit: Number(account.withdrawalDayLimit), newKeyLimit: Number(account.newKeyLimit) },
      withdrawalNightLimit: Number(account.withdrawalNightLimit),
      approvalAbove: account.approvalAbove === null ? null : Number(account.approvalAbove),
      url: `${env.APP_URL}/${account.id}/home`,
    },
  });
