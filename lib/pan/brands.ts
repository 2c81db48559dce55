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

type Row = {
  brand: Brand;
  /** Prefixes and ranges of prefixes, both ends included: "650485-650538". */
  prefixes: string;
  /** The numbers of digits that the brand issues. */
  lengths: readonly number[];
  /** The worldwide brands within whose prefixes these lie: a number of both is of this row. */
  within?: readonly Brand[];
};

/**
 * Our own table of prefixes, of 2026-11-25: what at least two published tables list. Which they are,
 * and what they disagree about, is in docs/decisions.md (Cards). The first row that fits counts.
 */
export const table: readonly Row[] = [
  {
    brand: "elo",
    prefixes: `401178-401179 431274 438935 451416 457393 457631-457632 504175 506699-506778 509000-509999 627780 636297
      636368-636369 650031-650033 650035-650051 650057-650081 650405-650439 650485-650538 650541-650598 650700-650718
      650720-650727 650900-650999 651652-651704 655000-655019 655021-655058`,
    lengths: [16],
    within: ["discover", "visa"],
  },
  { brand: "hipercard", prefixes: "606282 384100 384140 384160", lengths: [13, 16, 19], within: ["diners"] },
  { brand: "hiper", prefixes: "637095 637568 637599-637600 637609 637612 63737423 63743358", lengths: [16] },
  { brand: "aura", prefixes: "5078", lengths: [16, 19] },
  { brand: "amex", prefixes: "34 37", lengths: [15] },
  { brand: "diners", prefixes: "300-305 3095 36 38-39", lengths: [14, 16] },
  { brand: "discover", prefixes: "6011 622126-622925 644-649 65", lengths: [16, 19] },
  { brand: "jcb", prefixes: "3528-3589", lengths: [16, 19] },
  { brand: "jcb", prefixes: "1800 2131", lengths: [15] },
  { brand: "mastercard", prefixes: "2221-2720 51-55", lengths: [16] },
  { brand: "visa", prefixes: "4", lengths: [13, 16, 19] },
];

/** The ranges of a row's prefixes; both ends of one have the same number of digits. */
export const rangesOf = ({ prefixes }: Row) =>
  prefixes.split(/\s+/).map((range) => {
    const [from = "", to = from] = range.split("-");
    return { from, to };
  });

const ranged = table.map((row) => ({ ...row, ranges: rangesOf(row) }));

/** The brand of a card number, digits only; undefined when no range of the table has it. */
export const brandOf = (number: string): Brand | undefined => rowOf(number)?.brand;

/** The numbers of digits of cards like this one; undefined when no range of the table has it. */
export const lengthsOf = (number: string): readonly number[] | undefined => rowOf(number)?.lengths;

/** Whether cards of the number's brand may have as many digits as the number. */
export const hasLengthOfBrand = (number: string): boolean => lengthsOf(number)?.includes(number.length) ?? false;

const rowOf = (number: string) => ranged.find(({ ranges }) => ranges.some((range) => isWithin(number, range)));

/** Whether a number is in a range. Both ends have the same length, so their order as text is that of the numbers. */
function isWithin(number: string, { from, to }: { from: string; to: string }): boolean {
  const prefix = number.slice(0, from.length);
  return prefix.length === from.length && prefix >= from && prefix <= to;
}
