import { presentSeller } from "@/lib/accounts/list";
import type { AccountChange } from "@/lib/accounts/schema";
import { accountStates } from "@/lib/accounts/states";
import { approvedTerms } from "@/lib/accounts/terms";
import { forAccount } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { log } from "@/lib/log";
import { before } from "@/lib/states";

/**
 * Approves or suspends a seller's live account, or sets its features, for the operator's staff.
 * Throws `account_not_found`, for a sandbox too, and `invalid_transition`.
 */
export async function changeAccount(id: string, { status, features }: AccountChange, { userId }: { userId: string }) {
  const data = await forAccount(id, async (tx) => {
    if (status === "approved") {
      await tx.account.updateMany({ where: { id, mode: "live", status: "pending" }, data: approvedTerms });
    }
    const from = status && { status: { in: before(accountStates, status) } };
    const [account] = await tx.account.updateManyAndReturn({
      where: { id, mode: "live", ...from },
      data: { ...(status && { status }), ...(features && { features: [...new Set(features)] }) },
    });
    if (account) return presentSeller(account);
    const found = await tx.account.count({ where: { id, mode: "live" } });
    throw new AppError(found === 0 ? "account_not_found" : "invalid_transition");
  });
  log.info({ accountId: id, userId, status, features }, "account changed by staff");
  return { data };
}
