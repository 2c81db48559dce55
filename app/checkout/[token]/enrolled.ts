import { env } from "@/lib/env";
import { payerLink, readPayerLink } from "@/lib/subscriptions/payer-link";

/** How long a browser that enrolled has the way to the subscription on its receipt; afterwards it is in the mail alone. */
const KEPT_SECONDS = 3_600;
const NAME = "payer";

type Key = { accountId: string; id: string };

/**
 * The cookie of a browser that enrolled. The address of a receipt is shared, so the receipt shows the payer's own page to
 * this browser only.
 */
export function enrolledCookie(token: string, key: Key): string {
  const isSecure = env.APP_URL.startsWith("https:");
  const rules = `Path=/checkout/${token}; Max-Age=${KEPT_SECONDS}; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
  return `${NAME}=${payerLink(key)}; ${rules}`;
}

/** The payer's own page of a subscription, for the browser that enrolled in it; null for every other. */
export function payerPathFor(request: Request, { accountId, id }: Key): string | null {
  const [, link = ""] = new RegExp(`(?:^|; ?)${NAME}=([\\w-]+)`).exec(request.headers.get("cookie") ?? "") ?? [];
  const key = readPayerLink(link);
  return key?.accountId === accountId && key.id === id ? `/checkout/subscription/${link}` : null;
}
