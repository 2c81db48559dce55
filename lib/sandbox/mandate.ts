import type { AccountContext } from "@/lib/accounts/context";
import { readFor } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { automaticOf } from "@/lib/mandates/offer-call";
import { refreshMandate } from "@/lib/mandates/report";
import type { MandateAction } from "@/lib/sandbox/schema";

/**
 * Sandbox: plays the payer of a subscription's mandate, who authorises it, refuses it or cancels it, or whose account has
 * the money for debits or not. Throws `subscription_not_found`, `invalid_transition` where it has no mandate or the rail
 * refuses, and `rail_unavailable`.
 */
export async function simulateMandate(
  { id: accountId }: AccountContext,
  { id, action }: MandateAction & { id: string },
) {
  const mandate = await readFor(accountId, async (tx) => {
    const key = { accountId_id: { accountId, id } };
    const found = await tx.subscription.findUnique({ where: key, select: { mandateId: true } });
    if (!found) throw new AppError("subscription_not_found");
    return tx.mandate.findUnique({ where: { accountId_id: { accountId, id: found.mandateId ?? accountId } } });
  });
  const { provider, providerId } = mandate ?? {};
  if (!provider || !providerId) throw new AppError("invalid_transition");
  const { simulate } = automaticOf(provider);
  if (!simulate) throw new AppError("rail_unavailable");
  if (action === "authorise" || action === "refuse" || action === "cancel") {
    await simulate[action](providerId).catch((cause) => {
      throw new AppError("invalid_transition", { cause });
    });
    await refreshMandate(provider, providerId);
  } else await simulate.setAccount(providerId, action);
  return { message: "Simulado." };
}
