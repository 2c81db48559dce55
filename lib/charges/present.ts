import type { Charge } from "@/lib/charges/schema";
import { type Answer, AppError, type ErrorCode, renderError } from "@/lib/errors";
import type { Idem } from "@/lib/idempotency";
import type { Transaction } from "@/prisma/client/client";

/** What `refused_reason` says of a sale that our own rules refused: which one stays ours. */
export const ANTIFRAUD = "antifraud";

/** A charge's answer (operations.md section 3): approved, or not answered yet. */
export function presentCharge({ id, status, cardBrand, cardLast4 }: Transaction): Charge {
  const isPending = status === "pending";
  return {
    message: isPending ? "Cobrança em análise: o resultado chega pelo webhook." : "Cobrança aprovada.",
    identifier: id,
    status: isPending ? "pending" : "completed",
    brand: cardBrand as Charge["brand"],
    last4: cardLast4 ?? "",
  };
}

/** A charge's answer as it is kept under a key. */
export function renderCharge(idem: Idem, sale: Transaction, requestId: string): Answer {
  const refusal = refusalOf(sale);
  return refusal ? renderError(refusal, requestId) : idem.render(presentCharge(sale));
}

/** The error of a charge that came to nothing; undefined for one that did or may still. */
export function refusalOf({ id: identifier, status, refusedReason }: Transaction): AppError | undefined {
  const refusal = (code: ErrorCode, details = {}) =>
    new AppError(code, { isKept: true, details: { ...details, identifier } });
  if (status === "failed") return refusal("charge_not_made");
  if (status !== "refused") return undefined;
  if (refusedReason === ANTIFRAUD) return refusal("antifraud_refused");
  return refusal("card_refused", { refused_reason: refusedReason ?? "unknown" });
}
