import type { AccountContext } from "@/lib/accounts/context";
import { forAccount } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { splitIdOf } from "@/lib/subscription-splits/find";
import { openSplits } from "@/lib/subscription-splits/states";

/**
 * Ends a split of the account's own plan. Sales from then on are not shared by it; earlier ones stay as they were agreed.
 * Throws `split_not_found`, and `invalid_transition` for one that has ended already.
 */
export const cancelSplit = ({ id: accountId }: AccountContext, idText: string) =>
  forAccount(accountId, async (tx) => {
    const id = splitIdOf(idText);
    const { count } = await tx.planSplit.updateMany({
      where: { accountId, id, status: { in: openSplits } },
      data: { status: "cancelled", cancelledAt: new Date() },
    });
    const isKnown = count > 0 || (await tx.planSplit.count({ where: { accountId, id } })) > 0;
    if (!isKnown) throw new AppError("split_not_found");
    if (count === 0) throw new AppError("invalid_transition");
    return { message: "Repasse cancelado." };
  });
