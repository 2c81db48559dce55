import type { AccountContext } from "@/lib/accounts/context";
import { queryOf, readFor } from "@/lib/db";
import { AppError } from "@/lib/errors";
import type { Intent } from "@/lib/idempotency";
import { findRefund } from "@/lib/refunds/read";
import { idOfCode } from "@/lib/refunds/record";
import { releaseRefund } from "@/lib/refunds/release";

/**
 * Cancels a refund that is not decided yet, for the account that asked for it; one that the operator asked for is the
 * operator's to end. Throws as `releaseRefund` does.
 */
export async function cancelRefund({ id: accountId }: AccountContext, { code }: { code: string }, intent: Intent) {
  const { history } = await readFor(accountId, (tx) => findRefund(queryOf(tx), accountId, idOfCode(code)));
  if (history[0]?.actor === "staff") throw new AppError("invalid_transition"); // who asked never changes
  return releaseRefund("cancel", { accountId, code }, intent);
}
