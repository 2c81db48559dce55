import type { AccountContext } from "@/lib/accounts/context";
import { actAs, currentActor } from "@/lib/actor";
import { isBusy } from "@/lib/checkout/find";
import { admit } from "@/lib/db";
import { AppError } from "@/lib/errors";
import type { Intent } from "@/lib/idempotency";
import { spendSlot } from "@/lib/rate-limits/spend-slot";
import { cancelSubscription } from "@/lib/subscriptions/cancel";
import { replaceCard } from "@/lib/subscriptions/replace-card";

/** What the seller reads as the reason of a subscription that its payer cancelled. */
const BY_PAYER = "Pedido de quem assina, na página da assinatura.";

/**
 * Cancels a subscription for its payer: what is paid of it lasts, and what is not is owed no longer. Throws
 * `rate_limit_exceeded`, and as `cancelSubscription` does.
 */
export async function cancelAsPayer(account: AccountContext, { id }: { id: string }, intent: Intent): Promise<void> {
  await spendSlot("checkout-payer", id);
  await serve(account, () => cancelSubscription(account, { id, at_period_end: true, reason: BY_PAYER }, intent));
}

const serve = (account: AccountContext, act: () => Promise<unknown>) =>
  admit(account.id, () => actAs({ ...currentActor(), kind: "payer" }, act));

type NewCard = { id: string; token: string; ip: string; userAgent: string };

/** Replaces the card of a subscription for its payer. Throws `rate_limit_exceeded`, and as `replaceCard` does of a visitor. */
export async function replaceCardAsPayer(account: AccountContext, input: NewCard, intent: Intent): Promise<void> {
  const { id, token, ip, userAgent } = input;
  await spendSlot("checkout-payer", id);
  if (isBusy(account)) throw new AppError("rail_unavailable");
  const device = { ip, user_agent: userAgent || "unknown" };
  await serve(account, () => replaceCard(account, { id, card: { token }, device, byVisitor: true }, intent));
}
