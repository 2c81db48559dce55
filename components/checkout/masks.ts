export const maskedNames = ["document", "phone", "postal_code"] as const;
type Masked = (typeof maskedNames)[number];

/** The typed text with the marks of its field; what was pasted with or without marks becomes the same. */
export function marked(name: Masked, text: string): string {
  if (name === "document") return documentMarked(text.toUpperCase().replace(/[^\dA-Z]/g, ""));
  const digits = text.replace(/\D/g, "");
  if (name === "postal_code") return joined(digits.slice(0, 8), [[5, "-"]]);
  return text.trim().startsWith("+") && !/^\s*\+55/.test(text) ? text : phoneMarked(digits);
}

/** Up to 11 digits are a CPF; more, or a letter, make a CNPJ. */
function documentMarked(signs: string): string {
  const isCpf = signs.length <= 11 && /^\d*$/.test(signs);
  if (isCpf)
    return joined(signs, [
      [3, "."],
      [6, "."],
      [9, "-"],
    ]);
  return joined(signs.slice(0, 14), [
    [2, "."],
    [5, "."],
    [8, "/"],
    [12, "-"],
  ]);
}

function phoneMarked(all: string): string {
  const digits = (all.length > 11 && all.startsWith("55") ? all.slice(2) : all).slice(0, 11);
  if (digits.length < 3) return digits;
  const dash = digits.length > 10 ? 7 : 6;
  return `(${joined(digits, [
    [2, ") "],
    [dash, "-"],
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
  const caret = before === value ? text.length : caretIn(text, before.replace(/[^\dA-Za-z]/g, "").length);
  if (document.activeElement === input) input.setSelectionRange(caret, caret);
}

/** The position behind as many letters and digits. */
function caretIn(text: string, signs: number): number {
  let at = 0;
  for (let seen = 0; seen < signs && at < text.length; at += 1) if (/[\dA-Za-z]/.test(text[at] ?? "")) seen += 1;
  return at;
}
