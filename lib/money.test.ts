import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseJson } from "@/lib/http/body";
import { centsOf, decimal, feeOf, MAX_AMOUNT, portion, reais } from "@/lib/money";
import { Amount } from "@/lib/typed/amount";

const cents = fc.integer({ min: 0, max: MAX_AMOUNT });

/** The cents that a JSON text is parsed to, or undefined when it is refused. */
const read = (json: string) => Amount.safeParse(parseJson(json, null)).data;

describe("an amount", () => {
  test.each([
    ["19.99", 1_999],
    ["0.01", 1],
    ["0.1", 10],
    ["0.10", 10],
    ["1", 100],
    ["100.00", 10_000],
    ["1.1", 110],
    ["4.35", 435],
    ["8.2", 820],
    ["1.15", 115],
    ["9999999999.99", MAX_AMOUNT],
    ["1e2", 10_000],
    ['"19.99"', 1_999],
    ['"9999999999.99"', MAX_AMOUNT],
    ['"0.10"', 10],
    ['" 1 "', 100],
    ['"１"', 100],
  ])("%s of JSON is %d cents", (json, expected) => expect(read(json)).toBe(expected));

  test.each([
    ...["0", "-0", "0.00", "-1", "-0.01", "1e-9", "1e21", "1.005", "0.001", "19.999", "10000000000", "99999999999.99"],
    ...["12345678901234567890", "0.10000000000000001", "19.990000000000000001", "1999999999999999.5"],
    ...['"0"', '"-1"', '"1,00"', '"1.005"', '"1e2"', '"NaN"', '"Infinity"', '"0x10"', '"1."', '".5"', '""'],
    ...['"+1"', '"1_000"', '"1.000,00"', '"12345678901234567890"', "null", "true", "[1]", "{}"],
  ])("%s of JSON is refused", (json) => expect(read(json)).toBeUndefined());

  test.each([Number.NaN, Number.POSITIVE_INFINITY, 0.1 + 0.2, undefined, 5n])("%s is refused", (value) => {
    expect(Amount.safeParse(value).success).toBe(false);
  });

  test("every number of cents survives being written and read again, as number and as text", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: MAX_AMOUNT }), (amount) => {
        expect(read(JSON.stringify(reais(amount)))).toBe(amount);
        expect(read(JSON.stringify(decimal(amount)))).toBe(amount);
        expect(centsOf(decimal(amount))).toBe(amount);
      }),
    );
  });

  test("a third decimal that is not zero is never rounded away", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000 }), fc.integer({ min: 1, max: 9 }), (amount, digit) => {
        expect(read(`${decimal(amount)}${digit}`)).toBeUndefined();
        expect(centsOf(`${decimal(amount)}${digit}`)).toBeUndefined();
      }),
    );
  });
});

test.each([
  [0, "0.00"],
  [5, "0.05"],
  [-5, "-0.05"],
  [-100_000n, "-1000.00"],
  [MAX_AMOUNT, "9999999999.99"],
])("%d cents are written as %s", (amount, text) => expect(decimal(amount)).toBe(text));

describe("rounding", () => {
  test.each([
    [50, 100, 0], // 0.5 → the even 0
    [150, 100, 2], // 1.5 → the even 2
    [250, 100, 2], // 2.5 → the even 2
    [350, 100, 4],
    [251, 100, 3],
    [249, 100, 2],
    [1_999, 199, 40], // 39.7801
    [MAX_AMOUNT, 10_000, MAX_AMOUNT],
    [0, 9_999, 0],
  ])("%d cents at %d basis points are %d, halves to even", (amount, points, expected) => {
    expect(portion(amount, points)).toBe(expected);
  });

  test("is never off by more than half a cent, and is exact where a float is not", () => {
    fc.assert(
      fc.property(cents, fc.integer({ min: 0, max: 10_000 }), (amount, points) => {
        const error = BigInt(portion(amount, points)) * 10_000n - BigInt(amount) * BigInt(points);
        expect(error <= 5_000n && error >= -5_000n).toBe(true);
      }),
    );
  });
});

describe("the fee", () => {
  const schedule = { basisPoints: 199, fixed: 30, minimum: 50 };
  test.each([
    [10_000, schedule, 229],
    [100, schedule, 50], // 2 + 30 is below the minimum
    [40, schedule, 40], // never more than the amount
    [10_000, { ...schedule, basisPoints: null }, 0],
    [10_000, { basisPoints: 0, fixed: 0, minimum: 0 }, 0],
    [1, { basisPoints: 199, fixed: 0, minimum: 0 }, 0],
  ])("of %d cents under %j is %d", (amount, fees, expected) => expect(feeOf(amount, fees)).toBe(expected));

  test("is never more than the amount, and never negative", () => {
    const some = fc.integer({ min: 0, max: 100_000 });
    fc.assert(
      fc.property(cents, fc.integer({ min: 0, max: 10_000 }), some, some, (amount, basisPoints, fixed, minimum) => {
        const fee = feeOf(amount, { basisPoints, fixed, minimum });
        expect(fee >= 0 && fee <= amount && Number.isSafeInteger(fee)).toBe(true);
      }),
    );
  });
});
