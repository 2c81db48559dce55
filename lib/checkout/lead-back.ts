import { readContext } from "@/lib/accounts/read";
import { findOffer } from "@/lib/checkout/find";
import { findPayment } from "@/lib/checkout/status";
import { realNow } from "@/lib/time/clock";
import { statusV2 } from "@/lib/transactions/states";
import { readReturnSecret } from "@/lib/way-back/return-secret";
import { signedUrl } from "@/lib/way-back/sign";

/**
 * Where a page leads its visitor back to, by what holds now: a payment that was made to the shop's `return_url`, signed;
 * everything else to its `cancel_url`. Null where there is no way back. Throws `checkout_not_found`.
 */
export async function leadBack(token: string, payment: string | null): Promise<string | null> {
  if (!payment) return (await findOffer(token)).wayBack.cancelUrl;
  const { sale, status, wayBack } = await findPayment(token, payment);
  if (status !== "paid") return wayBack.cancelUrl;
  const account = wayBack.returnUrl && (await readContext(sale.accountId));
  if (!wayBack.returnUrl || !account) return null;
  const { secret } = (await readReturnSecret(account)).data;
  return signedUrl(wayBack.returnUrl, secret, { referenceId: sale.id, status: statusV2[sale.status] }, realNow());
}
