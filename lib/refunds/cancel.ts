import type { AccountContext } from "@/lib/accounts/context";
import type { Intent } from "@/lib/idempotency";
import { releaseRefund } from "@/lib/refunds/release";

/** Cancels a refund that is not decided yet, for the account that asked for it. Throws as `releaseRefund` does. */
export const cancelRefund = ({ id: accountId }: AccountContext, { code }: { code: string }, intent: Intent) =>
  releaseRefund("cancel", { accountId, code }, intent);
