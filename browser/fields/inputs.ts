import { brandOf, hasLengthOfBrand } from "@/lib/pan/brands";
import { passesLuhn } from "@/lib/pan/luhn";
import { thisMonth } from "@/lib/time/calendar";
import { digitsIn, plain, signsOf } from "@/lib/typed/text";

export const names = ["number", "holder_name", "expiry", "cvv"] as const;
export type Name = (typeof names)[number];

/** A fault, named as its text in the catalogue. */
export type Fault = "required" | "length" | "number" | "brand" | "expiry" | "expired" | "cvv";

const digitsOf = (text: string) => plain(text).replace(/\D/g, "");

/**
 * The typed text as it is shown: the number in groups, the expiry as MM/AA. A number or code with other signs than digits
 * stays as it is, and no digit too many is left out, so that the fault is seen.
 */
export function formatted(name: Name, text: string, isDeleting = false): string {
  if (name === "number") return grouped(digitsIn(text)) ?? text;
  if (name === "expiry") return slashed(text, isDeleting);
  return name === "cvv" ? (digitsIn(text) ?? text) : text;
}

/** The digits in groups as on the card: of four, or for American Express of 4, 6 and 5. */
function grouped(digits: string | undefined): string | undefined {
  if (digits === undefined || brandOf(digits) !== "amex") return digits?.replace(/.{4}(?=.)/g, "$& ");
  return [digits.slice(0, 4), digits.slice(4, 10), digits.slice(10)].filter(Boolean).join(" ");
}

/**
 * The expiry as MM/AA, also from what browsers and people fill in: 5/30, 12/2030, 122030, 2030-12, 203012. A whole year is
 * cut to two digits.
 */
function slashed(text: string, isDeleting: boolean): string {
  const isOneDigit = /^\s*\d\s*[/-]/.test(text) || /^\s*[2-9]/.test(text);
  const typed = digitsOf(text);
  if (YEAR_FIRST.test(typed)) return yearFirst(typed, isDeleting);
  const digits = (isOneDigit ? "0" : "") + typed;
  const month = digits.slice(0, 2);
  const year = digits.slice(2, digits.startsWith("20", 2) ? 6 : 4);
  if (!year) return month.length === 2 && !isDeleting ? `${month}/` : month;
  return `${month}/${year.length === 4 ? year.slice(2) : year}`;
}

/**
 * A year of 20xx before the month. No month is 20, so it can be nothing else; where it is typed, its 2 was first taken for
 * February.
 */
const YEAR_FIRST = /^(?:20\d\d|020\d\d)/;

/** What is typed so far of an expiry whose year comes first; MM/AA once it is whole. A month from 2 on has one digit. */
function yearFirst(typed: string, isDeleting: boolean): string {
  const digits = typed.replace(/^0/, "");
  const year = digits.slice(0, 4);
  const month = digits.slice(4, 6);
  if (!month) return isDeleting ? year : `${year}/`;
  if (month.length === 2) return `${month}/${year.slice(2)}`;
  return /[2-9]/.test(month) ? `0${month}/${year.slice(2)}` : `${year}/${month}`;
}

/** The position of the caret after formatting: behind as many digits as before. */
export function caretIn(shown: string, digitsBefore: number): number {
  let at = 0;
  for (let seen = 0; seen < digitsBefore && at < shown.length; at += 1) if (/\d/.test(shown[at] as string)) seen += 1;
  return at;
}

/** The fault of a field's shown text, by the rules of `CardInput`; undefined when there is none. */
export function faultOf(name: Name, shown: string): Fault | undefined {
  if (!shown.trim()) return "required";
  if (name === "number") return numberFault(signsOf(shown));
  if (name === "cvv") return /^\d{3,4}$/.test(shown) ? undefined : "cvv";
  if (name === "holder_name") return undefined;
  const { month, year } = expiryOf(shown);
  if (!/^(0[1-9]|1[0-2])$/.test(month) || year.length !== 4) return "expiry";
  return `${year}-${month}` < thisMonth() ? "expired" : undefined;
}

function numberFault(digits: string): Fault | undefined {
  if (!/^\d*$/.test(digits)) return "number";
  if (digits.length < 13 || digits.length > 19) return "length";
  if (brandOf(digits) && !hasLengthOfBrand(digits)) return "length";
  if (!passesLuhn(digits)) return "number";
  return brandOf(digits) ? undefined : "brand";
}

function expiryOf(shown: string) {
  const [month = "", year = ""] = shown.split("/");
  if (month.length === 4) return { month: year.padStart(2, "0"), year: month };
  return { month, year: year.length === 2 ? `20${year}` : "" };
}

/**
 * The interface's path of a field's fault: an expiry's is at its year, or at its month if the year is the current one.
 */
export function pathOf(name: Name, shown: string): string {
  if (name !== "expiry") return `card.${name}`;
  const isPast = faultOf(name, shown) === "expired" && expiryOf(shown).year < thisMonth().slice(0, 4);
  return isPast ? "card.expiry_year" : "card.expiry_month";
}

/** The field that shows the fault of a path. */
export const nameAt = (path: string): Name | undefined =>
  path.startsWith("card.expiry_") ? "expiry" : names.find((name) => path === `card.${name}`);

/** The card as the interface accepts it. */
export function cardOf(shown: Record<Name, string>) {
  const { month, year } = expiryOf(shown.expiry);
  const { holder_name, cvv } = shown;
  return { number: signsOf(shown.number), holder_name, expiry_month: month, expiry_year: year, cvv };
}

/** The brand, once enough digits are typed to be sure of it. */
export const brandSoFar = (shown: string) => brandOf(signsOf(shown));
