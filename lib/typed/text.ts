/** Marks without a width that phones, spreadsheets and chats leave in what is copied from them. */
const INVISIBLE = /[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]|[\ufe00-\ufe0f]/g;

/** A text without its invisible marks. */
export const visible = (text: string): string => text.replace(INVISIBLE, "");

/** The full-width forms of ASCII, which East Asian keyboards type: digits, letters and marks alike. */
const FULL_WIDTH = /[\uff01-\uff5e]/g;
const TO_ASCII = 0xfee0;

/** Hyphens and dashes of every length, and the sign of minus. */
const DASH = /[\p{Dash_Punctuation}\u2043\u2212\u02d7]/gu;

/**
 * A text as people type or paste it, in the signs of a plain keyboard: invisible marks are left out, Unicode's spaces and
 * dashes become " " and "-", full-width forms become ASCII. Letters and digits of other alphabets stay what they are, so
 * one that only looks like ours passes no check.
 */
export const plain = (text: string): string =>
  visible(text)
    .replace(FULL_WIDTH, (sign) => String.fromCharCode(sign.charCodeAt(0) - TO_ASCII))
    .replace(DASH, "-")
    .replace(/\s/g, " ");

/** What stands between the signs of a number: spaces, dots, dashes, slashes, parentheses. */
const BETWEEN = /[ .\-/()]/g;

/**
 * The signs of a number as it is typed or pasted (a document, a phone, a postal code, a card, its code), without what
 * stands between them. Anything else stays, for the check of the number to refuse.
 */
export const signsOf = (text: string): string => plain(text).replace(BETWEEN, "");

/** As `signsOf`, of a number that has digits alone; undefined where other signs are among them. */
export function digitsIn(text: string): string | undefined {
  const signs = signsOf(text);
  return /^\d*$/.test(signs) ? signs : undefined;
}

/** In upper case, of our alphabet only: `toUpperCase` would make a "ı" an "I" and a "ſ" an "S". */
export const upper = (text: string): string => text.replace(/[a-z]/g, (letter) => letter.toUpperCase());

/**
 * A text as a URL; undefined where it is none. Of what people type `URL.canParse` cannot be asked: once Node 20 has compiled
 * it, it refuses hosts with accents.
 */
export function urlIn(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
