import type { AccountContext } from "@/lib/accounts/context";
import { currentActor } from "@/lib/actor";
import { recordChange } from "@/lib/audit/record-change";
import { forAccount, type Tx } from "@/lib/db";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { type Intent, once } from "@/lib/idempotency";
import { mailTeam } from "@/lib/notifications/addressees";
import { leadsTo, startsFrom } from "@/lib/states";
import { findReceived, type Named, readInvite } from "@/lib/subscription-splits/find";
import { type InviteRow, presentInvite } from "@/lib/subscription-splits/present";
import { splitTransitions } from "@/lib/subscription-splits/states";
import { businessNow, realNow } from "@/lib/time/clock";
import type { Prisma } from "@/prisma/client/client";

/** The terms that an acceptance agrees to (components/splits/terms.tsx); another text of them is another version. */
const TERMS_VERSION = "2026-11-22";

/**
 * Accepts an invite of which the account is the recipient: from then on each sale of the plan gives it its part. Who
 * accepted, when, from where and which terms are kept. Throws `split_not_found`, also for an invite to an e-mail that the
 * account has not proved, `split_own_account`, and `invalid_transition` for one that is not pending.
 */
export const acceptSplit = (account: AccountContext, input: Named, intent: Intent) => {
  const { id: acceptedBy, ip: acceptedIp } = currentActor();
  return answer(account, input, intent, "accept", {
    ...{ acceptedAt: realNow(), acceptedBy, acceptedIp, termsVersion: TERMS_VERSION },
    name: account.name,
  });
};

/** Rejects an invite of which the account is the recipient. Throws as `acceptSplit` does. */
export const rejectSplit = (account: AccountContext, input: Named, intent: Intent) =>
  answer(account, input, intent, "reject", { rejectedAt: realNow() });

type Facts = Prisma.PlanSplitUncheckedUpdateInput;

const answer = (
  account: AccountContext,
  named: Named,
  { idem }: Intent,
  transition: "accept" | "reject",
  facts: Facts,
) =>
  forAccount(account.id, (tx) =>
    once(tx, idem, async () => {
      const split = await findReceived(tx, account, named);
      if (split.accountId === account.id) throw new AppError("split_own_account");
      const { count } = await tx.planSplit.updateMany({
        where: { id: split.id, ...startsFrom(splitTransitions[transition]) },
        data: { ...facts, ...leadsTo(splitTransitions[transition]), recipientId: account.id },
      });
      if (count === 0) throw new AppError("invalid_transition");
      const invite = await readInvite(tx, split.id);
      if (transition === "accept") await tellSeller(tx, account, invite);
      const after = presentInvite(invite);
      const verb = splitTransitions[transition].to;
      await recordChange(tx, {
        ...{ accountId: account.id, subject: "plan_split", id: split.id, verb, at: businessNow(account) },
        ...{ before: { status: split.status }, after },
      });
      return { data: after };
    }),
  );

/** The mail names the seller's account: its mode may be another than the one that its reader last looked at. */
const tellSeller = (tx: Tx, { id: accountId, mode, name }: AccountContext, invite: InviteRow) =>
  mailTeam(tx, "invites", invite.accountId, {
    intent: `split_accepted:${invite.id}`,
    from: { mode, accountId },
    content: {
      ...{ template: "split_accepted", recipient: name, plan: invite.planName, product: invite.product },
      ...{ percentage: invite.basisPoints, url: `${env.APP_URL}/${invite.accountId}/splits/sent` },
    },
  });
