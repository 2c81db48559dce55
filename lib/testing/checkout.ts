import { payLink } from "@/lib/checkout/pay";
import { CheckoutPay } from "@/lib/checkout/schema";
import { completeDeposit } from "@/lib/deposits/complete";
import { simulatePayment } from "@/lib/deposits/simulate";
import { createPaymentLink } from "@/lib/payment-links/create";
import { PaymentLinkInput } from "@/lib/payment-links/schema";
import { call, type Made } from "@/lib/testing/make";

/** Makes a payment link of R$ 132.00 and returns its token; `overrides` as a caller writes them. */
export async function makeLink({ account }: Made, overrides: object = {}): Promise<string> {
  const input = PaymentLinkInput.parse({ amount: 132, description: "Assinatura da revista", ...overrides });
  const { data } = await createPaymentLink(account, input, call());
  return data.token;
}

export const aPayer = {
  name: "Zélia Prado",
  email: "zelia@example.com",
  document: "529.982.247-25",
  phone: "(11) 98765-4321",
};

/** Pays a link as its page does, by Pix where `overrides` name no other way. */
export const payAs = (token: string, overrides: object = {}, ip = "203.0.113.9") =>
  payLink({ ...CheckoutPay.parse({ ...aPayer, method: "pix", ...overrides }), token, ip, userAgent: "test" }, call());

/** A person of their own for each number up to 999,999: the CPF of that number, with its check digits. */
export function personOf(number: number) {
  const base = String(100_000_000 + number);
  const digit = (digits: string) => {
    const sum = [...digits].reduce((total, one, at) => total + Number(one) * (digits.length + 1 - at), 0);
    return String(((sum * 10) % 11) % 10);
  };
  const first = digit(base);
  return { name: `Pessoa ${number}`, email: `p${number}@example.com`, document: base + first + digit(base + first) };
}

/** Plays the payer of a code at the simulated PSP, and completes what it received. Needs `serveRail`. */
export async function settleAs({ accountId }: Made, id: string) {
  const { end_to_end_id: endToEndId } = await simulatePayment({ id: accountId }, { id }, call());
  await completeDeposit({ provider: "simulator", endToEndId });
}
