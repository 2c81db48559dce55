import type { Charge } from "@/lib/charges/schema";
import { AppError, type ErrorCode } from "@/lib/errors";
import type { Sale } from "@/lib/transactions/sale";

/** The `refused_reason` of every sale that our own rules refused; the rule itself is not shown. */
export const ANTIFRAUD = "antifraud";

/**
 * A charge's answer where it is approved or still pending. Throws `card_refused`,
 * `antifraud_refused` or `charge_not_made` otherwise.
 */
export function presentCharge({ id, status, cardBrand, cardLast4, refusedReason }: Sale): Charge {
  const refusal = (code: ErrorCode, details = {}) =>
    new AppError(code, { isKept: true, details: { ...details, identifier: id } });
  if (status === "failed") throw refusal("charge_not_made");
  if (status === "refused" && refusedReason === ANTIFRAUD) throw refusal("antifraud_refused");
  if (status === "refused") throw refusal("card_refused", { refused_reason: refusedReason ?? "unknown" });
  const isPending = status === "pending";
  return {
    message: isPending ? "Cobrança em análise: o resultado chega pelo webhook." : "Cobrança aprovada.",
    identifier: id,
    status: isPending ? "pending" : "completed",
    brand: cardBrand as Charge["brand"],
    last4: cardLast4 ?? "",
  };
}
