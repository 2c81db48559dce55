import { MAX_DIGITS } from "@/lib/money";
import { plain } from "@/lib/typed/text";

/** Digits with one or two decimals at most. */
const BARE = /^(\d+)(?:[.,](\d{1,2}))?$/;

/** Thousands with marks of one kind, and one or two decimals behind the other mark. */
const GROUPED = /^([1-9]\d{0,2}(?:\.\d{3})+)(?:,(\d{1,2}))?$|^([1-9]\d{0,2}(?:,\d{3})+)(?:\.(\d{1,2}))?$/;

/**
 * Cents of "R$ 1.234,56", "1,234.56", "19.9" or "19", also at the end of a sentence; undefined for a text that is no
 * amount or could be more than one.
 */
export function centsOfPasted(text: string): number | undefined {
  const kept = plain(text)
    .replace(/R\$|BRL|reais/gi, "")
    .replace(/ /g, "")
    .replace(/[.,]+$/, "");
  const [, whole, places = ""] = (BARE.exec(kept) ?? GROUPED.exec(kept) ?? []).filter((part) => part !== undefined);
  if (whole === undefined) return undefined;
  const digits = whole.replace(/\D/g, "") + places.padEnd(2, "0");
  return digits.replace(/^0+/, "").length > MAX_DIGITS ? undefined : Number(digits);
}
