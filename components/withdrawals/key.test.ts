import { describe, expect, test } from "vitest";
import { keysIn, keyText, maskedDocument, maskedKey } from "@/components/withdrawals/key";

const EVP = "123e4567-e89b-42d3-a456-426614174000";

describe("a pasted text is the Pix key that it can only be", () => {
  test.each([
    ["529.982.247-25", "CPF", "52998224725"],
    [" 52998224725\u200b", "CPF", "52998224725"],
    ["12.ABC.345/01DE-35", "CNPJ", "12ABC34501DE35"],
    ["11.222.333/0001-81", "CNPJ", "11222333000181"],
    ["(11) 98765-4321", "PHONE", "+5511987654321"],
    ["+55 11 98765-4321", "PHONE", "+5511987654321"],
    ["11 98765-4321", "PHONE", "+5511987654321"],
    ["Zelia@Example.com ", "EMAIL", "zelia@example.com"],
    [EVP.toUpperCase(), "EVP", EVP],
  ])("%s", (text, type, key) => expect(keysIn(text)).toEqual([{ type, key }]));

  test.each(["", "abc", "529.982.247-26", "98765-4321", "zelia@", "+1 212 555 0100", EVP.slice(1)])(
    "and %j is none",
    (text) => expect(keysIn(text)).toEqual([]),
  );
});

test("eleven digits that are a CPF and a phone alike are both, until they are written as one of them", () => {
  const both = cpfLikeAPhone();
  expect(keysIn(both).map(({ type }) => type)).toEqual(["CPF", "PHONE"]);
  expect(keysIn(`+55 ${both}`).map(({ type }) => type)).toEqual(["PHONE"]);
  expect(keysIn(both.replace(/(...)(...)(...)(..)/, "$1.$2.$3-$4")).map(({ type }) => type)).toEqual(["CPF"]);
});

test("a key is written as people write it, and on a receipt it can be recognised and not used", () => {
  const keys = ["52998224725", "11 98765-4321", "zelia@example.com", EVP, "11222333000181"].flatMap(keysIn);
  expect(keys.map(keyText)).toEqual([
    ...["529.982.247-25", "(11) 98765-4321", "zelia@example.com", EVP, "11.222.333/0001-81"],
  ]);
  expect(keys.map(maskedKey)).toEqual([
    ...["***.982.247-**", "(11) *****-4321", "ze***@example.com", "123e4567-****-****-****-********4000"],
    "11.222.333/0001-81",
  ]);
  expect(["52998224725", "11222333000181"].map(maskedDocument)).toEqual(["***.982.247-**", "11.222.333/0001-81"]);
});

/** A CPF whose digits are those of a mobile phone of São Paulo. */
function cpfLikeAPhone(): string {
  for (let number = 0; number < 1_000; number++) {
    const digits = `119876${String(number).padStart(5, "0")}`;
    if (keysIn(digits).length === 2) return digits;
  }
  throw new Error("one in a hundred is");
}
