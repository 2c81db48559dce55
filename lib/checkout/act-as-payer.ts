import { actAs, currentActor } from "@/lib/actor";
import { isBusy } from "@/lib/checkout/find";
import type { OfPayer } from "@/lib/checkout/payer-page";
import { admit } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { spendSlot } from "@/lib/rate-limits/spend-slot";
import { cancelSubscription } from "@/lib/subscriptions/cancel";
import { replaceCard } from "@/lib/subscriptions/replace-card";

type Subscription = Pick<OfPayer, "account" | "id">;

/** What the seller reads as the reason of a subscription that its payer cancelled. */
const BY_PAYER = "Pedido de quem assina, na página da assinatura.";

/**
 * Cancels a subscription for its payer: what is paid of it lasts, and what is not is owed no longer. Throws
 * `rate_limit_exceeded`, and as `cancelSubscription` does.
 */
export async function cancelAsPayer({ account, id }: Subscription, requestId: string): Promise<void> {
  await spendSlot("checkout-payer", id);
  const input = { id, at_period_end: true, reason: BY_PAYER };
  const intent = { idem: undefined, requestId };
  await serve(account, () => cancelSubscription(account, input, intent));
}

const serve = (account: Subscription["account"], act: () => Promise<unknown>) =>
  admit(account.id, () => actAs({ ...currentActor(), kind: "payer" }, act));

type Visit = { ip: string; userAgent: string; requestId: string };

/** Replaces the card of a subscription for its payer. Throws `rate_limit_exceeded`, and as `replaceCard` does of a visitor. */
export async function replaceCardAsPayer({ account, id }: Subscription, token: string, visit: Visit): Promise<void> {
  await spendSlot("checkout-payer", id);
  if (isBusy(account)) throw new AppError("rail_unavailable");
  const device = { ip: visit.ip, user_agent: visit.userAgent || "unknown" };
  const input = { id, card: { token }, device, byVisitor: true };
  const intent = { idem: undefined, requestId: visit.requestId };
  await serve(account, () => replaceCard(account, input, intent));
}
