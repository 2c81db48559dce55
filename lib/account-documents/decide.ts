import { presentDocument, shown } from "@/lib/account-documents/present";
import { documentTransitions as transitions } from "@/lib/account-documents/states";
import { changeAccount } from "@/lib/accounts/change";
import { lockAccount } from "@/lib/accounts/lock";
import { recordChange } from "@/lib/audit/record-change";
import { forAccount, type Tx } from "@/lib/db";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { type Intent, once } from "@/lib/idempotency";
import { log } from "@/lib/log";
import { mailDecision } from "@/lib/reviews/mail";
import { leadsTo, startsFrom } from "@/lib/states";
import { realNow } from "@/lib/time/clock";

type Named = { accountId: string; id: string };

/** Accepts a document, for the operator's staff. Throws `document_not_found` and `invalid_transition`. */
export const acceptDocument = (input: Named, intent: Intent) => decide(input, "accept", null, intent);

/**
 * Refuses a document, for the operator's staff, with a reason that the seller reads in a mail and beside it: another one is
 * to be sent, and the review asked for again. Throws as `acceptDocument` does.
 */
export const refuseDocument = ({ reason, ...named }: Named & { reason: string }, intent: Intent) =>
  decide(named, "refuse", reason, intent);

const decide = (
  { accountId, id }: Named,
  transition: keyof typeof transitions,
  reason: string | null,
  { idem }: Intent,
) =>
  forAccount(accountId, (tx) =>
    once(tx, idem, async () => {
      await lockAccount(tx, accountId);
      const { count } = await tx.accountDocument.updateMany({
        where: { accountId, id, ...startsFrom(transitions[transition]) },
        data: { ...leadsTo(transitions[transition]), reason, decidedAt: realNow() },
      });
      const row = await tx.accountDocument.findUnique({ where: { accountId_id: { accountId, id } }, select: shown });
      if (!row) throw new AppError("document_not_found");
      if (count === 0) throw new AppError("invalid_transition");
      const after = presentDocument(row);
      await recordChange(tx, {
        accountId,
        subject: "document",
        id,
        verb: after.status as "accepted" | "refused",
        after,
      });
      if (reason !== null) await sendBack(tx, accountId, { ...after, reason });
      log.info({ accountId, id, transition }, "a document was decided about by staff");
      return { data: after };
    }),
  );

type Refused = ReturnType<typeof presentDocument> & { reason: string };

async function sendBack(tx: Tx, accountId: string, { id, kind, reason }: Refused) {
  await changeAccount(tx, accountId, () => ({ reviewAskedAt: null }));
  const url = `${env.APP_URL}/${accountId}/settings/documents`;
  await mailDecision(tx, accountId, id, { template: "document_refused", kind, reason, url });
}
