import { passesLuhn } from "@/lib/cards/validity";
import { AppError } from "@/lib/errors";

/** What members that hold a number or a CVV are called. */
const NAMES = /cvv|cvc|cvn|\bcsc\b|security_?code|card[-_ ]?number|verification_?value|(^|[-_])pan([-_]|$)/i;

/** Where digits stand that may pass for a card's by chance. */
const ELSEWHERE = new Set(["document", "phone", "token", "user_id"]);

/** Deeper than this nothing is read. */
const DEPTH = 8;

/**
 * Refuses a request that brings a card's number or CVV where a token belongs, whatever it calls them and wherever they
 * stand: what we must not have we do not take (PCI DSS 3.2). Throws `card_data_not_accepted`.
 */
export function assertNoCardData(value: unknown): void {
  if (holdsCardData(value, DEPTH)) throw new AppError("card_data_not_accepted");
}

function holdsCardData(value: unknown, depth: number): boolean {
  if (typeof value === "string" || typeof value === "number") return hideCardNumbers(String(value)) !== String(value);
  if (value === null || typeof value !== "object" || depth === 0) return false;
  return Object.entries(value).some(
    ([name, member]) => NAMES.test(name) || (!ELSEWHERE.has(name) && holdsCardData(member, depth - 1)),
  );
}

/** The path of an address as it may be kept; escapes are read where they hide a card's number. */
export function hideInPath(pathname: string): string {
  const text = pathname.replace(/%([2-7][\da-f])/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
  const hidden = hideCardNumbers(text);
  return hidden === text ? pathname : hidden;
}

/** A text without the card numbers in it: 13 to 19 digits, spaces and dashes between them, that pass Luhn. */
export const hideCardNumbers = (text: string) =>
  text.replace(/(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)/g, (run) => (passesLuhn(run.replace(/\D/g, "")) ? "…" : run));
