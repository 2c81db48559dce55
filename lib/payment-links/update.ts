import type { AccountContext } from "@/lib/accounts/context";
import { lockAccount } from "@/lib/accounts/lock";
import { recordChange } from "@/lib/audit/record-change";
import { forAccount } from "@/lib/db";
import { type Intent, once } from "@/lib/idempotency";
import { assertSellable } from "@/lib/payment-links/create";
import { presentFound } from "@/lib/payment-links/read";
import type { PaymentLinkChange } from "@/lib/payment-links/schema";
import { paymentLinkTransitions } from "@/lib/payment-links/states";
import { mayBecome } from "@/lib/states";
import { businessNow } from "@/lib/time/clock";
import { assertLeadsHome } from "@/lib/way-back/assert";

/**
 * Changes the members that were given. A code that was issued before keeps its amount. Throws `payment_link_not_found`,
 * and as `createPaymentLink` does.
 */
export const updatePaymentLink = (
  account: AccountContext,
  input: PaymentLinkChange & { id: string },
  { idem }: Intent,
) =>
  forAccount(account.id, (tx) =>
    once(tx, idem, async () => {
      const { id, ...change } = input;
      await assertSellable(tx, account, change);
      await assertLeadsHome(tx, account, change);
      const { product, expires_at, max_payments, collect_address, return_url, cancel_url, ...rest } = change;
      const given = {
        ...rest,
        productId: product,
        expiresAt: expires_at,
        maxPayments: max_payments,
        collectAddress: collect_address,
        returnUrl: return_url,
        cancelUrl: cancel_url,
      };
      const data = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
      const [accountId, at] = [account.id, businessNow(account)];
      await lockAccount(tx, accountId);
      const before = await presentFound(tx, account, id);
      const { status = before.status } = change;
      if (!mayBecome(paymentLinkTransitions, before.status, status))
        throw new Error(`No ${status} from ${before.status}`);
      await tx.paymentLink.updateMany({ where: { accountId, id }, data: { ...data, updatedAt: at } });
      const after = await presentFound(tx, account, id);
      await recordChange(tx, { accountId, subject: "payment_link", id, verb: "updated", before, after, at });
      return { data: after };
    }),
  );
