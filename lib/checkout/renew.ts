import { readContext } from "@/lib/accounts/read";
import { isBusy } from "@/lib/checkout/find";
import { payLink, type Visit } from "@/lib/checkout/pay";
import { CheckoutPay } from "@/lib/checkout/schema";
import { findPayment } from "@/lib/checkout/status";
import { admit } from "@/lib/db";
import { AppError } from "@/lib/errors";
import type { Intent } from "@/lib/idempotency";
import { methods } from "@/lib/methods/methods";
import { spendSlot } from "@/lib/rate-limits/spend-slot";
import { resendCharge } from "@/lib/subscriptions/resend";
import type { Sale } from "@/lib/transactions/sale";

/**
 * Begins a payment anew for the same payer, by another Pix code in place of the first one, or finds the one that is in its
 * place already. Returns its id. Throws as `payLink` and `resendCharge` do, and `invalid_transition`
 * for a payment that was made or that is owed no more.
 */
export async function renewPayment({ id, ...visit }: Visit & { id: string }, intent: Intent): Promise<string> {
  const { sale, status, isOwed, successor } = await findPayment(visit.token, id);
  if (successor) return successor;
  if (status === "paid" || !isOwed) throw new AppError("invalid_transition");
  if (sale.subscriptionId) return renewCharge(sale, sale.subscriptionId, intent);
  const { clientName: name, clientEmail: email, clientDocument: document, clientPhone: phone } = sale;
  const payer = { name, email, document, phone, address: sale.deliveryAddress };
  const body = CheckoutPay.parse({ ...payer, method: methods[sale.method].renewedBy, replaces: sale.id });
  const attempt = `renew ${sale.id}`; // no visitor's form can name it
  const started = await payLink({ ...body, attempt, ...visit }, intent);
  return started.data.payment;
}

/** What a subscription owes, by another code; who asks is limited, because each code is mailed. */
async function renewCharge({ accountId }: Sale, subscriptionId: string, intent: Intent): Promise<string> {
  await spendSlot("checkout-renew", subscriptionId); // each code has an id of its own
  const account = await readContext(accountId);
  if (!account) throw new AppError("checkout_not_found");
  if (isBusy(account)) throw new AppError("rail_unavailable");
  const renew = () => resendCharge(account, { id: subscriptionId, byVisitor: true }, intent);
  const id = await admit(accountId, renew).then(({ charge }) => charge.payment.identifier, pendingOf);
  if (!id) throw new AppError("rail_unavailable");
  return id;
}

/** The payment whose code the rail still owes: its page shows the code once it comes. */
function pendingOf(error: unknown): string | undefined {
  if (error instanceof AppError && error.code === "deposit_pending") return String(error.options.details?.identifier);
  throw error;
}
