import { limitKey, siteKey } from "@/lib/net/address";
import { spendSlot } from "@/lib/rate-limit";

/**
 * Spends one of the places that a link or plan has a minute. They bound what everybody together has us store and call for
 * it, so an address gets a small share of them: whoever is refused by the share has spent nothing of the whole, and many
 * networks would have to work together to have others refused. Throws `rate_limit_exceeded`.
 */
export async function spendPlace(token: string, ip: string): Promise<void> {
  await spendSlot("checkout-pay-share", `${token} ${limitKey(ip)}`);
  const site = siteKey(ip);
  if (site) await spendSlot("checkout-pay-site", `${token} ${site}`);
  await spendSlot("checkout-pay", token);
}
