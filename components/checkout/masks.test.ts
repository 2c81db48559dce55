import { describe, expect, test } from "vitest";
import { marked } from "@/components/checkout/masks";

describe("typed and pasted texts get the marks of their field", () => {
  test.each([
    ["529", "529"],
    ["5299", "529.9"],
    ["52998224725", "529.982.247-25"],
    [" 529.982.247-25 ", "529.982.247-25"],
    ["112223330001", "11.222.333/0001"],
    ["11222333000181", "11.222.333/0001-81"],
    ["12abc34501de35", "12.ABC.345/01DE-35"],
    ["12.ABC.345/01DE-35 e mais", "12.ABC.345/01DE-35"],
    ["", ""],
  ])("document %j → %j", (text, expected) => expect(marked("document", text)).toBe(expected));

  test.each([
    ["1", "1"],
    ["11", "11"],
    ["119", "(11) 9"],
    ["1133334444", "(11) 3333-4444"],
    ["11987654321", "(11) 98765-4321"],
    ["+55 11 98765-4321", "(11) 98765-4321"],
    ["5511987654321", "(11) 98765-4321"],
    ["+1 212 555 0100", "+1 212 555 0100"],
  ])("phone %j → %j", (text, expected) => expect(marked("phone", text)).toBe(expected));

  test.each([
    ["01310", "01310"],
    ["01310100", "01310-100"],
    ["01310-100", "01310-100"],
  ])("postal code %j → %j", (text, expected) => expect(marked("postal_code", text)).toBe(expected));

  test("are the same when they are marked again, so that a caret stays where it is", () => {
    for (const text of ["5299", "52998224725", "12abc34501de35"]) {
      expect(marked("document", marked("document", text))).toBe(marked("document", text));
    }
  });
});
