import { urlIn, visible } from "@/lib/typed/text";

/** The longest address that a mail can have (RFC 5321, 4.5.3.1: a path of 256 octets with its brackets). */
export const MAX_EMAIL = 254;
const MAX_LOCAL_PART = 64;

/** Atoms with single dots between them (RFC 5322, 3.2.3). */
const LOCAL_PART = /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;

/** Two labels or more of at most 63 letters, digits and inner hyphens; the last one is no number (RFC 1123, 2.1). */
const DOMAIN = /^([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+(?!\d+$)[a-z\d]([a-z\d-]{0,61}[a-z\d])?$/;

/**
 * An e-mail address (RFC 5321 and 5322) as it is stored: without blanks around it, in lower case, its domain in ASCII, so
 * that an international one is kept as xn--. Undefined for any other text, also for a local part in quotes or beyond
 * ASCII, and for an address of a number: hardly a mail server accepts these.
 */
export function emailOf(text: string): string | undefined {
  const address = visible(text).trim();
  const at = address.lastIndexOf("@");
  const [localPart, domain] = [address.slice(0, at), asciiOf(address.slice(at + 1))];
  if (at < 1 || !LOCAL_PART.test(localPart) || localPart.length > MAX_LOCAL_PART || !domain) return undefined;
  const email = `${localPart.toLowerCase()}@${domain}`;
  return email.length <= MAX_EMAIL ? email : undefined;
}

/** How an address is looked up: as it is stored, or else the text itself, which is nobody's. */
export const emailSought = (text: string): string => emailOf(text) ?? text.trim().toLowerCase();

/** A domain as it is resolved, or undefined. A URL's host may be more than a domain, which its parser must not see. */
function asciiOf(domain: string): string | undefined {
  if (/[^\w.\u{80}-\u{10ffff}-]|\s/u.test(domain)) return undefined;
  const hostname = urlIn(`http://${domain}`)?.hostname ?? "";
  return DOMAIN.test(hostname) ? hostname : undefined;
}
