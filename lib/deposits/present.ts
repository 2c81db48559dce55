import { AppError } from "@/lib/errors";
import { iso } from "@/lib/time/clock";
import type { Sale } from "@/lib/transactions/sale";

type Asked = Pick<Sale, "id" | "status" | "txid" | "pixCode" | "expiresAt">;

/** After this time the sweep has asked the rail about a code that is not known yet. */
const RETRY_AFTER_MS = 3_000;

/**
 * A deposit's answer: its code. Throws `deposit_not_made` where there is none, and
 * `deposit_pending` while that is not known; a repeat of the request is answered with what is known then.
 */
export function presentDeposit({ id, status, txid, pixCode, expiresAt }: Asked) {
  const details = { identifier: id };
  if (!pixCode && status === "pending")
    throw new AppError("deposit_pending", { details, retryAfterMs: RETRY_AFTER_MS });
  if (!pixCode || !expiresAt) throw new AppError("deposit_not_made", { details, isKept: true });
  return {
    message: "Cobrança Pix criada.",
    pix_code: pixCode,
    identifier: id,
    expires_at: iso(expiresAt),
    txid,
  };
}
