import { describe, expect, test } from "vitest";
import { CardInput } from "@/lib/card-tokens/schema";
import { type Brand, brandOf, brands } from "@/lib/pan/brands";

/** Published test numbers of payment processors: EBANX, Mercado Pago, Stripe. */
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
    ["650900", "elo"],
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

  test.each(["222099", "272100", "50", "99"])("%s is of none", (bin) => {
    expect(brandOf(bin.padEnd(16, "0"))).toBeUndefined();
  });

  test("every brand that the interface can name has a range", () => {
    const found = new Set(Array.from({ length: 1_000_000 }, (_, at) => brandOf(String(at).padStart(6, "0"))));
    for (const brand of brands) expect(found.has(brand), brand).toBe(true);
  });
});

test("a valid number of an unknown brand is refused at the number", () => {
  const { error } = CardInput.safeParse(card("9999999999999995"));
  expect(error?.issues).toMatchObject([{ path: ["number"], message: "Bandeira não aceita." }]);
});
