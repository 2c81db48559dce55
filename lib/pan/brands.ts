/** Every brand that we know, as the interface spells it. */
export const brands = [
  "elo",
  "hipercard",
  "hiper",
  "aura",
  "amex",
  "diners",
  "discover",
  "jcb",
  "mastercard",
  "visa",
] as const;
export type Brand = (typeof brands)[number];

/**
 * Our own BIN table (domain.md section 5), gathered from what card libraries and acquirers publish: brand, ranges of
 * prefixes with both ends ("650485-650538"), and the numbers of digits. The first row that fits counts, because
 * Brazilian brands lie within the ranges of worldwide ones.
 */
const bins: readonly (readonly [Brand, ranges: string, lengths: readonly number[]])[] = [
  [
    "elo",
    `401178-401179 431274 438935 451416 457393 457631-457632 504175 506699-506778 509000-509999 627780 636297 636368
      650031-650033 650035-650051 650405-650439 650485-650538 650541-650598 650700-650718 650720-650727 650900-650978
      651652-651679 655000-655019 655021-655058`,
    [16],
  ],
  ["hipercard", "606282 384100 384140 384160", [13, 16, 19]],
  ["hiper", "637095 637568 637599 637600 637609 637612 63737423 63743358", [16]],
  ["aura", "5078", [16, 19]],
  ["amex", "34 37", [15]],
  ["diners", "300-305 3095 36 38-39", [14, 16]],
  ["discover", "6011 622126-622925 644-649 65", [16, 19]],
  ["jcb", "3528-3589", [16, 19]],
  ["jcb", "2131 1800", [15]],
  ["mastercard", "51-55 2221-2720", [16]],
  ["visa", "4", [13, 16, 19]],
];

const table = bins.map(([brand, ranges, lengths]) => ({
  brand,
  lengths,
  ranges: ranges.split(/\s+/).map((range) => {
    const [from = "", to = from] = range.split("-");
    return { from, to };
  }),
}));

/** The brand of a card number, digits only; undefined when no range of the table has it. */
export const brandOf = (number: string): Brand | undefined => rowOf(number)?.brand;

/** Whether cards of the number's brand may have as many digits as the number. */
export const hasLengthOfBrand = (number: string): boolean => rowOf(number)?.lengths.includes(number.length) ?? false;

const rowOf = (number: string) => table.find(({ ranges }) => ranges.some((range) => isWithin(number, range)));

/** Whether a number is in a range. Both ends have the same length, so their order as text is that of the numbers. */
function isWithin(number: string, { from, to }: { from: string; to: string }): boolean {
  const prefix = number.slice(0, from.length);
  return prefix >= from && prefix <= to;
}
