import { describe, expect, test } from "vitest";
import { CardInput } from "@/lib/card-tokens/schema";
import { type Brand, brandOf, brands, rangesOf, table } from "@/lib/pan/brands";

/** Published test numbers of payment processors: EBANX, Mercado Pago, Stripe, Adyen, Braintree. */
const valid: [number: string, Brand][] = [
  ["4111111111111111", "visa"],
  ["4242424242424242", "visa"],
  ["5555555555554444", "mastercard"],
  ["2223003122003222", "mastercard"],
  ["378282246310005", "amex"],
  ["371449635398431", "amex"],
  ["6362970000457013", "elo"],
  ["5067766783888311", "elo"],
  ["6062825624254001", "hipercard"],
  ["5078601870000127985", "aura"],
  ["30569309025904", "diners"],
  ["6011111111111117", "discover"],
  ["3530111333300000", "jcb"],
  ["4000056655665556", "visa"],
  ["5200828282828210", "mastercard"],
  ["2222400070000005", "mastercard"],
  ["370000000000002", "amex"],
  ["5066991111111118", "elo"],
  ["6062828888666688", "hipercard"],
  ["6370950000000005", "hiper"],
  ["36006666333344", "diners"],
  ["3056930009020004", "diners"],
  ["6011000990139424", "discover"],
  ["6011601160116611", "discover"],
  ["3566002020360505", "jcb"],
];

/** The test numbers that choose the simulator's outcome. */
const simulated = [
  "4000000000000002",
  "4000000000009995",
  "4000000000000069",
  "4000000000000127",
  "4000000000009979",
  "4100000000000019",
  "4000000000000101",
  "4000000000000119",
  "4000000000000259",
];

const card = (number: unknown) => ({
  number,
  holder_name: "ANA SOUZA",
  expiry_month: "12",
  expiry_year: "2099",
  cvv: "123",
});

describe("a published test number", () => {
  test.each(valid)("%s is accepted as %s", (number, brand) => {
    expect(CardInput.parse(card(number)).number).toBe(number);
    expect(brandOf(number)).toBe(brand);
  });

  test.each(simulated)("%s of the simulator is accepted", (number) => {
    expect(CardInput.parse(card(number)).number).toBe(number);
    expect(brandOf(number)).toBe("visa");
  });

  test.each([
    ["4111111111111112", "Luhn"],
    ["411111111111", "12 digits"],
    ["41111111111111111111", "20 digits"],
    ["4111-1111-1111-1111a", "letters"],
    ["3841001111222233334", "Luhn"],
  ])("%s is refused: %s", (number) => {
    const { error } = CardInput.safeParse(card(number));
    expect(error?.issues.map(({ path }) => path)).toEqual([["number"]]);
  });
});

describe("where ranges lie within each other, the narrower brand comes first:", () => {
  test.each<[string, Brand]>([
    ["650899", "discover"],
    ["650900", "elo"],
    ["650979", "elo"],
    ["650999", "elo"],
    ["651000", "discover"],
    ["636369", "elo"],
    ["650056", "discover"],
    ["650057", "elo"],
    ["650081", "elo"],
    ["650082", "discover"],
    ["650089", "discover"],
    ["651680", "elo"],
    ["651704", "elo"],
    ["651705", "discover"],
    ["507860", "aura"],
    ["384100", "hipercard"],
    ["384140", "hipercard"],
    ["384000", "diners"],
    ["650030", "discover"],
    ["650031", "elo"],
    ["650034", "discover"],
    ["655058", "elo"],
    ["655059", "discover"],
    ["401177", "visa"],
    ["401178", "elo"],
    ["451416", "elo"],
    ["509000", "elo"],
    ["637095", "hiper"],
    ["222100", "mastercard"],
    ["272099", "mastercard"],
  ])("%s is %s", (bin, brand) => {
    expect(brandOf(bin.padEnd(16, "0"))).toBe(brand);
  });

  test.each(["222099", "272100", "50", "99", "636370", "636298"])("%s is of none", (bin) => {
    expect(brandOf(bin.padEnd(16, "0"))).toBeUndefined();
  });

  test("every brand that the interface can name has a range", () => {
    const found = new Set(Array.from({ length: 1_000_000 }, (_, at) => brandOf(String(at).padStart(6, "0"))));
    for (const brand of brands) expect(found.has(brand), brand).toBe(true);
  });
});

/** A number of this prefix and length that passes Luhn's check. */
function numberOf(prefix: string, length: number): string {
  const body = prefix.padEnd(length - 1, "0");
  const sum = [...body].reverse().reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return `${body}${(10 - (sum % 10)) % 10}`;
}

const answerTo = (number: string) => CardInput.safeParse(card(number)).error?.issues;

test("a valid number of an unknown brand is refused at the number", () => {
  expect(answerTo("9999999999999995")).toMatchObject([{ path: ["number"], message: "Bandeira não aceita." }]);
});

test.each([
  ["4", 14, "13, 16 ou 19"],
  ["51", 13, "16"],
  ["34", 16, "15"],
  ["636369", 19, "16"],
])(
  "a valid number of %s… with %d digits, which its brand does not issue, is told how many it has",
  (prefix, digits, issued) => {
    const message = `Um cartão desta bandeira tem ${issued} dígitos. Confira o número.`;
    expect(answerTo(numberOf(prefix, digits))).toMatchObject([{ path: ["number"], message }]);
  },
);

test("a valid number of every row is accepted in each length of its brand, and in no other one", () => {
  for (const row of table) {
    for (const { from, to } of rangesOf(row)) {
      for (const length of [13, 14, 15, 16, 17, 18, 19]) {
        const answers = [from, to].map((prefix) => answerTo(numberOf(prefix, length)));
        for (const answer of answers) expect(!answer, `${from} ${length}`).toBe(row.lengths.includes(length));
      }
    }
  }
});

describe("the table", () => {
  const ranges = table.flatMap((row, place) => rangesOf(row).map((range) => ({ ...range, ...row, place })));

  test("has ranges whose ends have one length and stand in their order", () => {
    for (const { from, to, prefixes } of ranges) {
      expect(`${from}${to}`, prefixes).toMatch(/^\d+$/);
      expect(from.length, prefixes).toBe(to.length);
      expect(from <= to, prefixes).toBe(true);
    }
  });

  test("lets ranges overlap only where a narrower brand says within which it lies, and comes before it", () => {
    for (const [at, one] of ranges.entries()) {
      for (const other of ranges.slice(at + 1)) {
        const digits = Math.min(one.from.length, other.from.length);
        const [first, last] = [one.from.slice(0, digits), one.to.slice(0, digits)];
        if (last < other.from.slice(0, digits) || first > other.to.slice(0, digits)) continue;
        expect(one.brand, `${one.from} and ${other.from}`).not.toBe(other.brand);
        expect(one.within, `${one.from} and ${other.from}`).toContain(other.brand);
        expect(one.place).toBeLessThan(other.place);
        expect(one.from.length).toBeGreaterThan(other.from.length);
      }
    }
  });
});
