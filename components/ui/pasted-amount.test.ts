import fc from "fast-check";
import { expect, test } from "vitest";
import { centsOfPasted } from "@/components/ui/pasted-amount";
import { decimal, MAX_AMOUNT, moneyText } from "@/lib/money";

test.each([
  ["R$ 1.234,56", 123_456],
  ["1,234.56", 123_456],
  ["1.234.567", 123_456_700],
  ["1.234", 123_400],
  ["19,9", 1_990],
  ["19.90", 1_990],
  ["19", 1_900],
  ["0,05", 5],
  ["9999999999,99", 999_999_999_999],
  ["R$\u00a01\u202f234,56\u200b", 123_456],
  ["１９，９０", 1_990],
  ["19,90 reais", 1_990],
  ["R$ 19,90.", 1_990],
  ["19.90.", 1_990],
  ["1.50.", 150],
  ["1.234,", 123_400],
  ["12,345.6", 1_234_560],
])("a pasted %j is parsed", (text, cents) => {
  expect(centsOfPasted(text)).toBe(cents);
});

test.each([
  ...["", "abc", ",", "99999999999,99", "1О,00", "\u22125,00"],
  ...["19.9900", "1,234.5678", "0,500", "0.500", "1.23.45", "1.234.56", "1,234,5", "12.34,56", "1234.567", "1.2345,00"],
  ...["1.234.567.89", "1,234,567,8", ".50", "1..50", "1.234,567", "01.234,56"],
])("a pasted %j changes nothing", (text) => {
  expect(centsOfPasted(text)).toBeUndefined();
});

test("what we write of an amount, in either language and at the end of a sentence, is read back to the cent", () => {
  const anyCents = fc.oneof(fc.nat(200_000), fc.integer({ min: 0, max: MAX_AMOUNT }));
  fc.assert(
    fc.property(anyCents, fc.constantFrom("", ".", ","), (cents, end) => {
      for (const text of [moneyText(cents), moneyText(cents, "en"), decimal(cents)]) {
        expect(centsOfPasted(text + end), text + end).toBe(cents);
      }
    }),
  );
});
