import { payLink } from "@/lib/checkout/pay";
import { CheckoutPay } from "@/lib/checkout/schema";
import { completeDeposit } from "@/lib/deposits/complete";
import { simulatePayment } from "@/lib/deposits/simulate";
import { newId } from "@/lib/ids";
import { createPaymentLink } from "@/lib/payment-links/create";
import { PaymentLinkInput } from "@/lib/payment-links/schema";
import type { Made } from "@/lib/testing/make";

/** Makes a payment link of R$ 132.00 and returns its token; `overrides` as a caller writes them. */
export async function makeLink({ account }: Made, overrides: object = {}): Promise<string> {
  const input = PaymentLinkInput.parse({ amount: 132, description: "Assinatura da revista", ...overrides });
  const { data } = await createPaymentLink(account, input);
  return data.token;
}

export const aPayer = {
  name: "Zélia Prado",
  email: "zelia@example.com",
  document: "529.982.247-25",
  phone: "(11) 98765-4321",
};

/** Pays a link as its page does, by Pix where `overrides` name no other way. */
export const payAs = (token: string, overrides: object = {}) =>
  payLink(token, CheckoutPay.parse({ ...aPayer, method: "pix", ...overrides }), {
    ip: "203.0.113.9",
    userAgent: "test",
    requestId: newId(),
  });

/** Plays the payer of a code at the simulated PSP, and completes what it received. Needs `serveRail`. */
export async function settleAs({ accountId }: Made, id: string) {
  const { end_to_end_id: endToEndId } = await simulatePayment(accountId, id, {}, undefined);
  await completeDeposit({ provider: "simulator", endToEndId });
}
