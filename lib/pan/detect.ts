import { isValidCnpj } from "@brazilian-utils/brazilian-utils";
import { AppError } from "@/lib/errors";
import { hasLengthOfBrand } from "@/lib/pan/brands";
import { passesLuhn } from "@/lib/pan/luhn";
import { plain } from "@/lib/typed/text";

/** Names of members that hold a card number or a CVV. */
const NAMES = /cvv|cvc|cvn|\bcsc\b|security_?code|card[-_ ]?number|verification_?value|(^|[-_])pan([-_]|$)/i;

/** Members that are never searched: a phone may be any 13 digits, and of a password only its hash is stored. */
const EXCEPT = new Set(["phone", "password"]);

/** Nothing is searched below this depth. */
const DEPTH = 8;

/**
 * Refuses a request with a card number or CVV where neither belongs, whatever the member's name and depth, because we
 * must not store them (PCI DSS 3.2). Throws `card_data_not_accepted`.
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

const ASCII = /^[\0-\x7f]*$/;

/** Whether a text contains a card number: plain, percent-encoded, or in signs that are read as a card's elsewhere. */
function holdsCardNumber(sent: string): boolean {
  const text = ASCII.test(sent) ? sent : plain(sent);
  if (hideCardNumbers(text) !== text) return true;
  if (!/[%+]/.test(text)) return false;
  const decoded = unescaped(text.replaceAll("+", " "));
  return hideCardNumbers(decoded) !== decoded;
}

/**
 * A URL's path as it may be stored. Card numbers are masked inside words too, because masking refuses no request, and
 * percent-encoding is decoded where it hides a number.
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

/** Digits in groups of any size, outside words and not after a decimal point; `MARK` separates two groups. */
const RUN = /(?<!\w|\d\.)\d+(?:[ \u00a0-]\d+)*(?!\w)/g;
const MARK = /([ \u00a0-])/;
/** As `RUN`, with all that `signsOf` takes away: a dot may be of a decimal, a slash of a date or a path. */
const WIDE_RUN = /(?<!\w|\d\.)\d+(?:[ \u00a0.\-/()]{1,2}\d+)*(?!\w)/g;
const WIDE_MARK = /([ \u00a0.\-/()]{1,2})/;
const ANY_RUN = /(?<!\d)\d(?:[ \u00a0-]?\d){12,18}(?!\d)/g;

/** A UUID's digits may look like groups of a card number. */
const UUID = /(?<!\w)[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}(?!\w)/gi;

/**
 * A text with "…" in place of each card number: 13 to 19 digits that stand alone, pass Luhn's check, and are of a brand
 * whose cards have as many. Single spaces or dashes may be between any groups of them; one or two of all marks that card
 * fields take away, between groups as on a card or between all digits, because decimals and dates have the others.
 */
export const hideCardNumbers = (text: string) =>
  betweenIds(text, (between) => between.replace(RUN, hideInRun).replace(WIDE_RUN, hideInWideRun));

function betweenIds(text: string, hide: (between: string) => string): string {
  if (!/\d(?:[ \u00a0.\-/()]{0,2}\d){12}/.test(text)) return text;
  const ids = text.match(UUID);
  if (!ids) return hide(text);
  return text
    .split(UUID)
    .map((between, at) => hide(between) + (ids[at] ?? ""))
    .join("");
}

/** The groups of a card's digits when other digits, such as its CVV, stand beside them. Alone, any groups count. */
const GROUPED = [/^4 4 4 4 [1-3]$/, /^4 4 4 4$/, /^4 6 [45]$/];
const IN_ONE = /^1[3-9]$/;

/** Groups that count between all marks only where they stand alone: of cards of 13 and 14 digits, and digit by digit. */
const ALONE = [/^4 4 4 [12]$/, /^1( 1)+$/];

const hideInRun = (run: string) => (isCardNumber(run) ? "…" : hideGroups(run.split(MARK), [...GROUPED, IN_ONE]));

/** Numbers in one group are left to `hideInRun`, because here one may stand behind a decimal point. */
function hideInWideRun(run: string): string {
  const parts = run.split(WIDE_MARK);
  return isGroupedCard(parts, ALONE) ? "…" : hideGroups(parts, GROUPED);
}

/** The text of these parts, groups and marks in turn, with "…" in place of those that are a card's. */
function hideGroups(parts: string[], groupings: RegExp[]): string {
  let hidden = "";
  for (let at = 0; at < parts.length; ) {
    const found = [9, 7, 5, 1].find((count) => isGroupedCard(parts.slice(at, at + count), groupings));
    hidden += found ? "…" : parts[at];
    at += found ?? 1;
  }
  return hidden;
}

function isGroupedCard(parts: string[], groupings: RegExp[]): boolean {
  const sizes = parts.flatMap((part, at) => (at % 2 === 0 ? part.length : [])).join(" ");
  return groupings.some((grouped) => grouped.test(sizes)) && isCardNumber(parts.join(""));
}

function isCardNumber(text: string): boolean {
  const number = text.replace(/\D/g, "");
  if (number.length < 13 || number.length > 19) return false;
  // A number with a CNPJ's check digits is a CNPJ; one in a hundred Diners numbers has them too.
  return hasLengthOfBrand(number) && passesLuhn(number) && !isValidCnpj(number) && !isBarcode(number);
}

/** Whether the number has the check digit of an EAN-13. Cards of 13 digits were last issued long ago. */
function isBarcode(number: string): boolean {
  if (number.length !== 13) return false;
  const sum = [...number].reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 1 : 3), 0);
  return sum % 10 === 0;
}
