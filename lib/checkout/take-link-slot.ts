import { siteKey } from "@/lib/net/address";
import { spendSlot } from "@/lib/rate-limits/spend-slot";

/**
 * Spends one of the places that a link or plan has a minute. They bound what everybody together has us store and call for
 * it. An address spends its own limit before, and a site its share here; whoever is refused by these spends nothing of the
 * whole, so that it takes many networks to have others refused. Throws `rate_limit_exceeded`.
 */
export async function takeLinkSlot(token: string, ip: string): Promise<void> {
  const site = siteKey(ip);
  if (site) await spendSlot("checkout-pay-site", `${token} ${site}`);
  await spendSlot("checkout-pay", token);
}
