import type { AccountContext } from "@/lib/accounts/context";
import { recordChange } from "@/lib/audit/record-change";
import { forAccount, type Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { mailTeam } from "@/lib/notifications/addressees";
import { leadsTo, startsFrom } from "@/lib/states";
import { readInvite, splitIdOf } from "@/lib/subscription-splits/find";
import { type InviteRow, presentInvite } from "@/lib/subscription-splits/present";
import { splitTransitions } from "@/lib/subscription-splits/states";
import { businessNow, realNow } from "@/lib/time/clock";

/**
 * Ends a split of the account's own plan, and mails the recipient, if somebody had accepted it. Sales from then on are not
 * shared by it; earlier ones stay as they were agreed. Throws `split_not_found`, and `invalid_transition` for one that has ended already.
 */
export const cancelSplit = (account: AccountContext, input: { id: string }) =>
  forAccount(account.id, async (tx) => {
    const [accountId, id] = [account.id, splitIdOf(input.id)];
    const { count } = await tx.planSplit.updateMany({
      where: { accountId, id, ...startsFrom(splitTransitions.cancel) },
      data: { ...leadsTo(splitTransitions.cancel), cancelledAt: realNow() },
    });
    const invite = await readInvite(tx, id);
    if (invite.accountId !== accountId) throw new AppError("split_not_found"); // it is one that the account received
    if (count === 0) throw new AppError("invalid_transition");
    await recordChange(tx, {
      ...{
        accountId,
        subject: "plan_split",
        id,
        verb: "cancelled",
        at: businessNow(account),
        after: presentInvite(invite),
      },
    });
    if (invite.acceptedAt) await tellRecipient(tx, account, invite);
    return { message: "Repasse cancelado." };
  });

async function tellRecipient(tx: Tx, { id: accountId, mode }: AccountContext, invite: InviteRow) {
  if (!invite.recipientId) return;
  await mailTeam(tx, "invites", invite.recipientId, {
    intent: `split_cancelled:${invite.id}`,
    from: { mode, accountId },
    content: { template: "split_cancelled", seller: invite.sellerName, plan: invite.planName },
  });
}
