import { expect, test } from "vitest";
import { centsOfPasted } from "@/components/ui/pasted-amount";

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
])("a pasted %j is parsed", (text, cents) => {
  expect(centsOfPasted(text)).toBe(cents);
});

test.each(["", "abc", ",", "99999999999,99", "1О,00", "\u22125,00"])("a pasted %j changes nothing", (text) => {
  expect(centsOfPasted(text)).toBeUndefined();
});
