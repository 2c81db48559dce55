import { phoneOf } from "@/lib/typed/phones";
import { digitsIn, plain, signsOf, upper } from "@/lib/typed/text";

export const maskedNames = ["document", "phone", "postal_code"] as const;
type Masked = (typeof maskedNames)[number];

/**
 * The typed text with the marks of its field; what was pasted with or without marks becomes the same. A text that does not
 * fit the field stays as it is, so that nothing of it is lost and its fault is seen.
 */
export function marked(name: Masked, text: string): string {
  if (name === "document") return documentMarked(text);
  if (name === "phone") return phoneMarked(text);
  const digits = digitsIn(text);
  return digits === undefined || digits.length > 8 ? text : joined(digits, [[5, "-"]]);
}

/** Up to 11 digits are a CPF; more, or a letter, make a CNPJ. */
function documentMarked(text: string): string {
  const signs = upper(signsOf(text));
  if (!/^[\dA-Z]{0,14}$/.test(signs)) return text;
  const isCpf = signs.length <= 11 && /^\d*$/.test(signs);
  if (isCpf)
    return joined(signs, [
      [3, "."],
      [6, "."],
      [9, "-"],
    ]);
  return joined(signs, [
    [2, "."],
    [5, "."],
    [8, "/"],
    [12, "-"],
  ]);
}

/**
 * A whole Brazilian number, without what is only dialled. Its first digits have no marks yet, because they may be those of
 * a number whose area code was left out: marks would make it one of another area.
 */
function phoneMarked(text: string): string {
  const reading = phoneOf(text);
  if ("fault" in reading || reading.phone.startsWith("+")) return plain(text);
  const { phone } = reading;
  return `(${joined(phone, [
    [2, ") "],
    [phone.length - 4, "-"],
  ])}`;
}

/** The signs with a mark before each of these places. */
const joined = (signs: string, marks: [at: number, mark: string][]) =>
  marks.reduceRight((text, [at, mark]) => (text.length > at ? text.slice(0, at) + mark + text.slice(at) : text), signs);

/** Marks what is typed into a field, and keeps the caret behind as many signs as before. */
export function masked(name: Masked, event: Event) {
  const input = event.target as HTMLInputElement;
  const { value, selectionStart } = input;
  const text = marked(name, value);
  if (text === value) return;
  const before = value.slice(0, selectionStart ?? value.length);
  input.value = text;
  const caret = before === value ? text.length : caretIn(text, plain(before).replace(/[^\dA-Za-z]/g, "").length);
  if (document.activeElement === input) input.setSelectionRange(caret, caret);
}

/** The position behind as many letters and digits. */
function caretIn(text: string, signs: number): number {
  let at = 0;
  for (let seen = 0; seen < signs && at < text.length; at += 1) if (/[\dA-Za-z]/.test(text[at] ?? "")) seen += 1;
  return at;
}
