import { changeAccount } from "@/lib/accounts/change";
import { recordChange } from "@/lib/audit/record-change";
import { forAccount, readForStaff, type Tx } from "@/lib/db";
import { env } from "@/lib/env";
import { type Intent, once } from "@/lib/idempotency";
import { log } from "@/lib/log";
import { endRequest } from "@/lib/profile-requests/end";
import { mailDecision } from "@/lib/reviews/mail";
import type { Account, ProfileRequest as Row } from "@/prisma/client/client";

type Named = { accountId: string; id: string };

/**
 * Changes an account as its request says, in both modes, for the operator's staff; the seller gets a mail. What was sold
 * before keeps the name that it had. Throws as `endRequest` does.
 */
export async function approveRequest({ accountId, id }: Named, { idem }: Intent) {
  const sandbox = await readForStaff((tx) =>
    tx.account.findFirst({ where: { twinId: accountId }, select: { id: true } }),
  );
  const both = [accountId, ...(sandbox ? [sandbox.id] : [])];
  return forAccount(both, (tx) =>
    once(tx, idem, async () => {
      const { row, after } = await endRequest(tx, { accountId, id }, "approve");
      for (const one of both) await changeReviewed(tx, one, row);
      await mailOutcome(tx, row);
      log.info({ accountId, id }, "a change of a profile was approved by staff");
      return { data: after };
    }),
  );
}

/** Refuses a request, for the operator's staff, with a reason that the seller reads. Throws as `endRequest` does. */
export const rejectRequest = ({ accountId, id, reason }: Named & { reason: string }, { idem }: Intent) =>
  forAccount(accountId, (tx) =>
    once(tx, idem, async () => {
      const { row, after } = await endRequest(tx, { accountId, id, reason }, "reject");
      await mailOutcome(tx, row);
      log.info({ accountId, id }, "a change of a profile was refused by staff");
      return { data: after };
    }),
  );

async function changeReviewed(tx: Tx, accountId: string, { name, document, legalRepresentative }: Row) {
  const { was, is } = await changeAccount(tx, accountId, () => ({
    ...(name !== null && { name }),
    ...(document !== null && { document }),
    ...(legalRepresentative !== null && { legalRepresentative }),
  }));
  const [before, after] = [reviewedOf(was), reviewedOf(is)];
  await recordChange(tx, { accountId, subject: "account", id: accountId, verb: "updated", before, after });
}

/** What the operator has reviewed of an account, as people see it. */
const reviewedOf = ({ name, document, legalRepresentative: legal_representative }: Account) => ({
  ...{ name, document, legal_representative },
});

const mailOutcome = (tx: Tx, { accountId, id, reason }: Row) =>
  mailDecision(tx, accountId, id, {
    ...{ template: "profile_decided", outcome: reason === null ? "approved" : "rejected", reason },
    url: `${env.APP_URL}/${accountId}/settings`,
  });
