import type { AccountContext } from "@/lib/accounts/context";
import { lockAccount } from "@/lib/accounts/lock";
import { recordChange } from "@/lib/audit/record-change";
import { forAccount, type Tx } from "@/lib/db";
import { env } from "@/lib/env";
import { AppError, invalid } from "@/lib/errors";
import { type Intent, once } from "@/lib/idempotency";
import { newId } from "@/lib/ids";
import { limits } from "@/lib/limits";
import { presentPaymentLink, withProduct } from "@/lib/payment-links/present";
import type { PaymentLinkInput } from "@/lib/payment-links/schema";
import { businessNow } from "@/lib/time/clock";
import { assertLeadsHome } from "@/lib/way-back/assert";

/**
 * Creates a payment link, open at once. Throws `amount_below_minimum`, `payment_link_limit_reached` when the account has
 * as many as `limits` allows, and 422 at `product`, `expires_at`, `return_url` and
 * `cancel_url`.
 */
export const createPaymentLink = (account: AccountContext, input: PaymentLinkInput, { idem }: Intent) =>
  forAccount(account.id, (tx) =>
    once(tx, idem, async () => {
      const { id: accountId } = account;
      await lockAccount(tx, accountId);
      if ((await tx.paymentLink.count({ where: { accountId } })) >= limits.paymentLinks) {
        throw new AppError("payment_link_limit_reached");
      }
      await assertSellable(tx, account, input);
      await assertLeadsHome(tx, account, input);
      const now = businessNow(account);
      const { product: productId, expires_at: expiresAt, max_payments: maxPayments } = input;
      const { amount, description, collect_address: collectAddress } = input;
      const { return_url: returnUrl, cancel_url: cancelUrl } = input;
      const terms = { amount, description, productId, expiresAt, maxPayments, collectAddress, returnUrl, cancelUrl };
      const data = { accountId, id: newId(now), ...terms, createdAt: now, updatedAt: now };
      const row = await tx.paymentLink.create({ data, include: withProduct });
      const link = presentPaymentLink(row, 0, now);
      await recordChange(tx, { accountId, subject: "payment_link", id: row.id, verb: "created", after: link, at: now });
      return { data: link };
    }),
  );

type Terms = { amount?: number | undefined; product?: string | null | undefined; expires_at?: Date | null | undefined };

/** Throws for terms under which nobody could pay: an amount too low, a time that is over, a product that is not sold. */
export async function assertSellable(tx: Tx, account: AccountContext, { amount, product, expires_at }: Terms) {
  if (amount !== undefined && amount < env.MIN_CASHIN) throw new AppError("amount_below_minimum");
  if (expires_at && expires_at <= businessNow(account)) throw invalid({ expires_at: ["Use um momento no futuro."] });
  if (!product) return;
  const where = { accountId: account.id, id: product, status: "active" as const };
  if ((await tx.product.count({ where })) === 0) throw invalid({ product: ["Produto não encontrado."] });
}
