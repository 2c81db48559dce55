import type { Charge } from "@/lib/charges/schema";
import { AppError, errorBody } from "@/lib/errors";
import type { Answer } from "@/lib/http/answer";
import type { Idem } from "@/lib/idempotency";
import type { Sale } from "@/lib/transactions/sale";

/** What `refused_reason` says of a sale that our own rules refused: which one stays ours. */
export const ANTIFRAUD = "antifraud";

/** A charge's answer (operations.md section 3): approved, or not answered yet. */
export function presentCharge({ id, status, cardBrand, cardLast4 }: Sale): Charge {
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
export const renderCharge = (idem: Idem, sale: Sale, requestId: string): Answer =>
  refusalOf(sale, requestId) ?? idem.render(presentCharge(sale));

/** The answer to a charge that came to nothing; undefined for one that did or may still. */
export function refusalOf({ id: identifier, status, refusedReason }: Sale, requestId: string): Answer | undefined {
  const refusal = errorOf(status, refusedReason, identifier);
  if (!refusal) return undefined;
  const { status: code, body } = errorBody(refusal, requestId);
  return { status: code, body: JSON.stringify(body) };
}

function errorOf(status: Sale["status"], reason: string | null, identifier: string): AppError | undefined {
  if (status === "failed") return new AppError("charge_not_made", { details: { identifier } });
  if (status !== "refused") return undefined;
  if (reason === ANTIFRAUD) return new AppError("antifraud_refused", { details: { identifier } });
  return new AppError("card_refused", { details: { refused_reason: reason ?? "unknown", identifier } });
}
