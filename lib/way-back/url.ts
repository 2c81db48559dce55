import { isOrigin } from "@/lib/typed/origins";
import type { Mode } from "@/prisma/client/enums";

/** What we add to the query of a way back; the shop's own address may not use these names. */
export const ADDED = ["reference_id", "status", "t", "signature"] as const;

/**
 * Scheme, authority and the rest, as every browser reads them: no credentials, no fragment, no backslash, no blank and no
 * control character, which browsers leave out or read otherwise.
 */
const FORM = /^https?:\/\/[^/?#\\@\s\p{Cc}]+(?:[/?][^#\\\s\p{Cc}]*)?$/iu;

/**
 * The address as it is kept, percent-encoded; undefined for what is no way back: anything but https, http on localhost, in
 * which nothing but a host, a path and a query may stand.
 */
export function wayBackOf(text: string): string | undefined {
  const url = FORM.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !isOrigin(url.origin) || url.username || url.password) return undefined;
  return ADDED.some((name) => url.searchParams.has(name)) ? undefined : url.href;
}

/** The domains that an account has registered, and whether it is a sandbox, where http on localhost may be one. */
export type Domains = { mode: Mode; origins: readonly string[] };

/** Whether a way back leads to a domain that the account has registered. It is asked when it is saved and whenever it is used. */
export function leadsHome(address: string, { mode, origins }: Domains): boolean {
  if (wayBackOf(address) !== address) return false;
  const { origin, protocol } = new URL(address);
  return origins.includes(origin) && (protocol === "https:" || mode === "sandbox");
}

/** The address with more in its query; what stands there already stays as it is. */
export const withQuery = (address: string, added: Record<string, string>) =>
  `${address}${new URL(address).search ? "&" : address.endsWith("?") ? "" : "?"}${new URLSearchParams(added)}`;
