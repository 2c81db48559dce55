import { expect, test } from "vitest";
import { cents, dayOf, documentNumber, money, phoneNumber, shortMoney } from "@/components/format";
import { percentText } from "@/lib/money";

test("cents are written as reais, whatever their sign and size, and without a place for a line break", () => {
  const written = [0, 5, 123_456, -9_601, 999_999_999_999].map((cents) => money(cents));
  expect(written.join("")).not.toMatch(/ /);
  expect(written.map((text) => text.replace("\u00a0", " "))).toEqual([
    "R$ 0,00",
    "R$ 0,05",
    "R$ 1.234,56",
    "−R$ 96,01",
    "R$ 9.999.999.999,99",
  ]);
});

test("an English page writes English numbers", () => {
  const written = [123_456_789, -9_601].map((cents) => money(cents, "en").replace("\u00a0", " "));
  expect(written).toEqual(["R$ 1,234,567.89", "−R$ 96.01"]);
  expect([percentText("7.25", "en"), percentText("7.25")]).toEqual(["7.25\u00a0%", "7,25%"]);
});

test("amounts of the API are parsed to the cent, as numbers and as texts", () => {
  expect([19.99, 0.07, 1234.5, "1234.50", "-0.05", "0.00"].map(cents)).toEqual([1_999, 7, 123_450, 123_450, -5, 0]);
});

test("documents and phones are written with their punctuation", () => {
  expect(documentNumber("52998224725")).toBe("529.982.247-25");
  expect(documentNumber("12ABC34501DE35")).toBe("12.ABC.345/01DE-35");
  expect([phoneNumber("11987654321"), phoneNumber("1133334444")]).toEqual(["(11) 98765-4321", "(11) 3333-4444"]);
});

test("a day is one of São Paulo's zone", () => {
  expect(dayOf(new Date("2026-11-21T02:59:59Z"))).toBe("2026-11-20");
  expect(dayOf(new Date("2026-11-21T03:00:00Z"))).toBe("2026-11-21");
});

test("amounts on an axis are short", () => {
  expect(
    [0, 50, 50_000, 250_000, 100_000_000].map((amount) => shortMoney(amount, "pt-BR").replaceAll("\u00a0", " ")),
  ).toEqual(["R$ 0", "R$ 0,50", "R$ 500", "R$ 2,5 mil", "R$ 1 mi"]);
  expect(shortMoney(250_000, "en")).toBe("R$\u00a02.5k");
});
