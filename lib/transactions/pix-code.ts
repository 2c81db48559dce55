import { AppError } from "@/lib/errors";
import type { Sale } from "@/lib/transactions/sale";

/** After this time the loop has asked the rail about a code that is not known yet. */
const RETRY_AFTER_MS = 3_000;

/**
 * The code of a sale by Pix. Throws `deposit_not_made` where there is none, and `deposit_pending` while that is not known;
 * a repeat of the request is answered with what is known then.
 */
export function pixCodeOf({ id, status, pixCode }: Pick<Sale, "id" | "status" | "pixCode">): string {
  if (pixCode) return pixCode;
  const details = { identifier: id };
  if (status === "pending") throw new AppError("deposit_pending", { details, retryAfterMs: RETRY_AFTER_MS });
  throw new AppError("deposit_not_made", { details, isKept: true });
}
