import { payLink, type Visit } from "@/lib/checkout/pay";
import { CheckoutPay, type CheckoutStarted } from "@/lib/checkout/schema";
import { findPayment } from "@/lib/checkout/status";
import { AppError } from "@/lib/errors";
import { check } from "@/lib/http/check";

/**
 * Begins a payment of a link anew for the same payer, by another Pix code in place of the first one. Of many requests for
 * the same payment each gets the same new one. Throws as `payLink` does, and `invalid_transition` for a payment that was
 * made.
 */
export async function renewPayment(token: string, id: string, visit: Visit): Promise<CheckoutStarted> {
  const { sale, status } = await findPayment(token, id);
  if (status === "paid") throw new AppError("invalid_transition");
  if (!sale.paymentLinkId) throw new AppError("checkout_not_found");
  const payer = {
    name: sale.clientName,
    email: sale.clientEmail,
    document: sale.clientDocument,
    phone: sale.clientPhone,
  };
  const asked = { ...payer, method: "pix", address: sale.deliveryAddress, replaces: sale.id, attempt: sale.id };
  return payLink(token, check(CheckoutPay, asked), visit);
}
