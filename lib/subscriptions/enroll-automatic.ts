import type { AccountContext } from "@/lib/accounts/context";
import { addFirstMandateCharge } from "@/lib/billing/charge";
import { recordEvent, type SubscriptionChange, updateSubscription } from "@/lib/billing/subscription-change";
import { writeChanges } from "@/lib/billing/write";
import { queryOf, type Tx } from "@/lib/db";
import type { Intent } from "@/lib/idempotency";
import { newId } from "@/lib/ids";
import { mandateCall, offerOf } from "@/lib/mandates/offer-call";
import { callAndWait } from "@/lib/outside/call-and-wait";
import { railFor } from "@/lib/rails/pix/rails";
import { refuseWithoutRail } from "@/lib/sellers/refuse-without-rail";
import { pictureOf } from "@/lib/subscriptions/qr";
import type { Enrolled } from "@/lib/subscriptions/schema";
import { iso } from "@/lib/time/clock";
import { pixCodeOf } from "@/lib/transactions/pix-code";
import { readSale, type Sale } from "@/lib/transactions/sale";

/**
 * Enrols by Pix Automático (the standard's journey 3): one code pays the first charge and authorises the mandate, by which
 * later charges are debited. `begin` makes the subscription and what it owes first. Throws `rail_not_configured`,
 * `deposit_pending` and `deposit_not_made`.
 */
export async function enrollByMandate(
  account: AccountContext,
  begin: (tx: Tx) => Promise<SubscriptionChange>,
  intent: Intent,
): Promise<Enrolled> {
  const rail = railFor(account);
  if (!rail?.automatic) return refuseWithoutRail(account, "pix");
  const { provider, automatic } = rail;
  const id = newId();

  async function first(tx: Tx) {
    const change = await begin(tx);
    const { subscription, cycle, now } = change;
    if (!cycle) throw new Error("A subscription begins with a cycle");
    change.mandate = {
      ...{ id: newId(now), accountId: account.id, subscriptionId: subscription.id, provider, providerId: null },
      ...{ status: "created", cancelledBy: null, createdAt: now, updatedAt: now },
      ...{ authorizedAt: null, cancelledAt: null, cancelReason: null },
    };
    updateSubscription(change, { mandateId: change.mandate.id });
    addFirstMandateCharge(change, cycle, id);
    recordEvent(change, "cycle.created", cycle);
    const query = queryOf(tx);
    await writeChanges(query, [change]);
    const row = await readSale(query, { accountId: account.id, id });
    return { row, ask: () => automatic.offerMandate(offerOf(change, row)) };
  }

  const verb = { kind: mandateCall, provider, begin: first, read: readSale, present };
  return callAndWait({ accountId: account.id, id }, verb, intent);
}

/** Throws `deposit_not_made` where there is no code, and `deposit_pending` while that is not known. */
async function present(sale: Sale): Promise<Enrolled> {
  const pixCode = pixCodeOf(sale);
  return {
    ...{ subscription_token: sale.subscriptionId ?? "", status: "pending_first_payment" },
    billing_method: "pix_automatico",
    payment: {
      ...{ pix_code: pixCode, qr_code: await pictureOf(pixCode), identifier: sale.id },
      expires_at: sale.expiresAt && iso(sale.expiresAt),
    },
  };
}
