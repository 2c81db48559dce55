import { presentSeller } from "@/lib/accounts/list";
import type { AccountChange } from "@/lib/accounts/schema";
import { accountStates } from "@/lib/accounts/states";
import { forAccount } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { log } from "@/lib/log";
import { before } from "@/lib/states";

/** Megabytes in thirty days, more than 600 requests a minute fill. An account that is not approved has what a sandbox has. */
const APPROVED_STORAGE = { storageLimitMb: 102_400 };

/**
 * Staff approve or suspend a seller's live account, and say which features it has.
 * Throws `account_not_found`, for a sandbox too, and `invalid_transition`.
 */
export async function changeAccount(id: string, { status, features }: AccountChange, { userId }: { userId: string }) {
  const data = await forAccount(id, async (tx) => {
    if (status === "approved") {
      await tx.account.updateMany({ where: { id, mode: "live", status: "pending" }, data: APPROVED_STORAGE });
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
