import fc from "fast-check";
import { expect, test } from "vitest";
import { cardOf, caretIn, type Fault, faultOf, formatted, type Name, pathOf } from "@/browser/fields/inputs";
import { variablesOf } from "@/browser/fields/style";

test.each([
  ["number", "4111111111111111", "4111 1111 1111 1111"],
  ["number", "4111-1111 1111.1111", "4111 1111 1111 1111"],
  ["number", "378282246310005", "3782 822463 10005"],
  ["number", "50786018700001279851234", "5078 6018 7000 0127 9851 234"],
  ["number", "4111\u200b1111\u20111111\u00a01111", "4111 1111 1111 1111"],
  ["number", "４１１１１１１１１１１１１１１１", "4111 1111 1111 1111"],
  ["number", "4111 1111 1111 111l", "4111 1111 1111 111l"],
  ["expiry", "1", "1"],
  ["expiry", "12", "12/"],
  ["expiry", "5", "05/"],
  ["expiry", "1/", "01/"],
  ["expiry", "123", "12/3"],
  ["expiry", "12/2030", "12/30"],
  ["expiry", "122030", "12/30"],
  ["expiry", "5/30", "05/30"],
  ["expiry", "12/203", "12/203"],
  ["expiry", "12/305", "12/30"],
  ["expiry", "2030-12", "12/30"],
  ["expiry", "203012", "12/30"],
  ["expiry", "2030/12", "12/30"],
  ["expiry", "2030 / 12", "12/30"],
  ["expiry", "2030-05-31", "05/30"],
  ["expiry", "2030-5", "05/30"],
  ["expiry", "2030", "2030/"],
  ["expiry", "2030/1", "2030/1"],
  ["cvv", "1 234", "1234"],
  ["cvv", "12a34", "12a34"],
  ["cvv", "12345", "12345"],
  ["holder_name", "Zélia d'Ávila", "Zélia d'Ávila"],
] satisfies [Name, string, string][])("a %s typed as %s is shown as %s", (name, text, shown) => {
  expect(formatted(name, text)).toBe(shown);
  expect(formatted(name, shown)).toBe(shown);
});

test("a slash that is deleted stays deleted", () => {
  expect(formatted("expiry", "12", true)).toBe("12");
});

test.each([
  ["203012", "12/30"],
  ["20305", "05/30"],
  ["1230", "12/30"],
  ["12/2030", "12/30"],
  ["2/2030", "02/30"],
  ["530", "05/30"],
])("an expiry of the keys %s, one by one, is %s at last", (keys, shown) => {
  expect([...keys].reduce((text, key) => formatted("expiry", text + key), "")).toBe(shown);
});

test("every expiry that a person or a browser may fill in is the same month of the same year", () => {
  const years = fc.integer({ min: 2026, max: 2099 }).map(String);
  fc.assert(
    fc.property(years, fc.integer({ min: 1, max: 12 }), (year, number) => {
      const month = String(number).padStart(2, "0");
      const texts = [`${month}/${year.slice(2)}`, `${month}${year}`, `${year}-${month}`, `${year}${month}`];
      for (const text of [...texts, `${month} / ${year}`, `${year}/${month}`, `${number}/${year}`]) {
        expect(formatted("expiry", text), text).toBe(`${month}/${year.slice(2)}`);
      }
    }),
  );
});

test("a year that comes first can be deleted, and its month of one digit counts", () => {
  expect(formatted("expiry", "2030", true)).toBe("2030");
  const card = cardOf({ number: "", holder_name: "", cvv: "", expiry: "2030/1" });
  expect(card).toMatchObject({ expiry_month: "01", expiry_year: "2030" });
  expect(faultOf("expiry", "2030/")).toBe("expiry");
  expect(faultOf("expiry", "2030/0")).toBe("expiry");
});

test("formatting keeps the caret behind the same digits", () => {
  expect(caretIn("4111 1111", 5)).toBe(6);
  expect(caretIn("4111 1111", 0)).toBe(0);
});

test.each([
  ["number", "4111 1111 1111 1111", undefined],
  ["number", "4111 1111 1111 1112", "number"],
  ["number", "4111 1111", "length"],
  ["number", "9999 9999 9999 9995", "brand"],
  ["number", "5078 6018 7000 0127 9851 234", "length"],
  ["number", "4111 1111 1111 111l", "number"],
  ["number", "", "required"],
  ["holder_name", " ", "required"],
  ["expiry", "12/99", undefined],
  ["expiry", "13/30", "expiry"],
  ["expiry", "12/", "expiry"],
  ["expiry", "12/203", "expiry"],
  ["expiry", "12/20", "expired"],
  ["expiry", "2020/1", "expired"],
  ["number", "4111 1111 1111 14", "length"],
  ["cvv", "12", "cvv"],
  ["cvv", "12345", "cvv"],
  ["cvv", "123", undefined],
] satisfies [Name, string, Fault | undefined][])("a %s of %s: %s", (name, shown, fault) => {
  expect(faultOf(name, shown)).toBe(fault);
});

test("a card is sent as the interface accepts it, and an expiry's fault has the interface's path", () => {
  const shown = { number: "4111 1111 1111 1111", holder_name: "Ana", expiry: "05/31", cvv: "123" };
  const dates = { expiry_month: "05", expiry_year: "2031" };
  expect(cardOf(shown)).toEqual({ number: "4111111111111111", holder_name: "Ana", cvv: "123", ...dates });
  expect(pathOf("expiry", "12/20")).toBe("card.expiry_year");
  expect(pathOf("expiry", "13/30")).toBe("card.expiry_month");
  expect(pathOf("cvv", "")).toBe("card.cvv");
});

test("a seller can set only sizes and colours within bounds", () => {
  expect(variablesOf({ fontSize: "18px", radius: 0, accent: "#b3261e", text: "#FFF" })).toEqual([
    ["--text", "18px"],
    ["--radius", "0px"],
    ["--ink", "#FFF"],
    ["--accent", "#b3261e"],
  ]);
  const evil = ["url(https://evil.example)", "red;background:url(x)", "var(--x)", "expression(1)", "#12345", {}, null];
  for (const value of evil) {
    for (const name of ["fontSize", "radius", "background", "surface", "text", "muted", "accent", "error", "content"]) {
      expect(variablesOf({ [name]: value }), `${name} ${value}`).toEqual([]);
    }
  }
  for (const size of [11, 25, "1e3", "-16px", "16em"]) expect(variablesOf({ fontSize: size })).toEqual([]);
  for (const style of [undefined, null, "red", 5, []]) expect(variablesOf(style)).toEqual([]);
});
