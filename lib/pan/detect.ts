import { isValidCnpj } from "@brazilian-utils/brazilian-utils";
import { AppError } from "@/lib/errors";
import { hasLengthOfBrand } from "@/lib/pan/brands";
import { passesLuhn } from "@/lib/pan/luhn";

/** What members that hold a number or a CVV are called. */
const NAMES = /cvv|cvc|cvn|\bcsc\b|security_?code|card[-_ ]?number|verification_?value|(^|[-_])pan([-_]|$)/i;

/** Members that are never read: a phone may be any 13 digits, and a password is kept as its hash alone. */
const EXCEPT = new Set(["phone", "password"]);

/** Deeper than this nothing is read. */
const DEPTH = 8;

/**
 * Refuses a request that brings a card's number or CVV where neither belongs, whatever the member is called and wherever
 * it stands: what we must not have we do not take (PCI DSS 3.2). Throws `card_data_not_accepted`.
 */
export function assertNoCardData(value: unknown): void {
  if (holdsCardData(value, DEPTH)) throw new AppError("card_data_not_accepted");
}

function holdsCardData(value: unknown, depth: number): boolean {
  if (typeof value === "string" || typeof value === "number") return holdsCardNumber(String(value));
  if (value === null || typeof value !== "object" || depth === 0) return false;
  return Object.entries(value).some(
    ([name, member]) =>
      (NAMES.test(name) && member !== null && member !== "") ||
      holdsCardNumber(name) ||
      (!EXCEPT.has(name) && holdsCardData(member, depth - 1)),
  );
}

/** As it is written, and as an address writes it. */
function holdsCardNumber(text: string): boolean {
  if (hideCardNumbers(text) !== text) return true;
  if (!/[%+]/.test(text)) return false;
  const plain = unescaped(text.replaceAll("+", " "));
  return hideCardNumbers(plain) !== plain;
}

/**
 * The path of an address as it may be kept: a number is hidden in the middle of a word too, for nobody is refused by it;
 * escapes are read where they hide one.
 */
export function hideInPath(pathname: string): string {
  const text = unescaped(pathname);
  const hidden = betweenIds(hideCardNumbers(text), (between) =>
    between.replace(ANY_RUN, (run) => (isCardNumber(run) ? "…" : run)),
  );
  return hidden === text ? pathname : hidden;
}

const unescaped = (text: string) =>
  text.replace(/%([2-7][\da-f])/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));

/** Digits in groups of any size, in no word and behind no decimal point; `MARK` stands between two groups. */
const RUN = /(?<!\w|\d\.)\d+(?:[ \u00a0-]\d+)*(?!\w)/g;
const MARK = /([ \u00a0-])/;
const ANY_RUN = /(?<!\d)\d(?:[ \u00a0-]?\d){12,18}(?!\d)/g;

/** Its digits may stand in groups too. */
const UUID = /(?<!\w)[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}(?!\w)/gi;

/**
 * A text with "…" in place of each card number: 13 to 19 digits, single spaces or dashes between groups of them, that
 * stand alone, pass Luhn's check, and are of a brand whose cards have as many.
 */
export const hideCardNumbers = (text: string) => betweenIds(text, (between) => between.replace(RUN, hideInRun));

function betweenIds(text: string, hide: (between: string) => string): string {
  if (!/\d(?:[ \u00a0-]?\d){12}/.test(text)) return text;
  const ids = text.match(UUID);
  if (!ids) return hide(text);
  return text
    .split(UUID)
    .map((between, at) => hide(between) + (ids[at] ?? ""))
    .join("");
}

/** How a card's digits are grouped beside other digits, such as its CVV. In a run of their own any groups will do. */
const GROUPED = [/^4 4 4 4 [1-3]$/, /^4 4 4 4$/, /^4 6 [45]$/, /^1[3-9]$/];

function hideInRun(run: string): string {
  if (isCardNumber(run)) return "…";
  const parts = run.split(MARK);
  let hidden = "";
  for (let at = 0; at < parts.length; ) {
    const found = [9, 7, 5, 1].find((count) => isGroupedCard(parts.slice(at, at + count)));
    hidden += found ? "…" : parts[at];
    at += found ?? 1;
  }
  return hidden;
}

function isGroupedCard(parts: string[]): boolean {
  const sizes = parts.flatMap((part, at) => (at % 2 === 0 ? part.length : [])).join(" ");
  return GROUPED.some((grouped) => grouped.test(sizes)) && isCardNumber(parts.join(""));
}

function isCardNumber(text: string): boolean {
  const number = text.replace(/\D/g, "");
  if (number.length < 13 || number.length > 19) return false;
  // A CNPJ is one by its own check digits, which one in a hundred Diners numbers passes.
  return hasLengthOfBrand(number) && passesLuhn(number) && !isValidCnpj(number) && !isBarcode(number);
}

/** An EAN-13 by its own check digit. Cards of 13 digits were last issued long ago. */
function isBarcode(number: string): boolean {
  if (number.length !== 13) return false;
  const sum = [...number].reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 1 : 3), 0);
  return sum % 10 === 0;
}
