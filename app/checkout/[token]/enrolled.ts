import { isLinkOf, payerLink } from "@/lib/billing/payer-link";
import { env } from "@/lib/env";

/** How long a browser that enrolled has the way to the subscription on its receipt; afterwards it is in the mail alone. */
const KEPT_SECONDS = 600;
const NAME = "payer";

type Payer = { accountId: string; id: string; email: string };

/**
 * The cookie of a browser that enrolled. The address of a receipt is shared, so the receipt shows the payer's own page to
 * this browser only.
 */
export const enrolledCookie = (token: string, payer: Payer): string => cookie(token, payerLink(payer), KEPT_SECONDS);

/** Ends that cookie: whoever opens the form of an offer may be the next person at a shared device. */
export const endedCookie = (token: string): string => cookie(token, "", 0);

function cookie(token: string, value: string, seconds: number): string {
  const isSecure = env.APP_URL.startsWith("https:");
  const rules = `Path=/checkout/${token}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
  return `${NAME}=${value}; ${rules}`;
}

/** The payer's own page of a subscription, for the browser that enrolled in it; null for every other. */
export function payerPathFor(request: Request, payer: Payer): string | null {
  const link = enrolledIn(request);
  return link && isLinkOf(link, payer) ? `/checkout/subscription/${link}` : null;
}

/** The payer's link that a browser keeps from enrolling, if it has one. */
export const enrolledIn = (request: Request): string | undefined =>
  new RegExp(`(?:^|; ?)${NAME}=([\\w-]+)`).exec(request.headers.get("cookie") ?? "")?.[1];
