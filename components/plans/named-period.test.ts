import { expect, test } from "vitest";
import { contradicts } from "@/components/plans/named-period";

test.each([
  ["Plano anual", 30],
  ["PLANO ANUAL (promoção)", 180],
  ["Mensal", 7],
  ["Clube - mensal", 365],
  ["Trimestral", 180],
  ["Semestral", 90],
  ["Yearly", 30],
])("%s every %i days is asked about", (name, days) => {
  expect(contradicts(name, days)).toBe(true);
});

test.each([
  ["Plano anual", 365],
  ["Mensal", 30],
  ["Mensal", 28],
  ["Mensal, com desconto anual", 365],
  ["Clube do livro", 30],
  ["Mensalidade da academia", 30],
  ["Bianual", 730],
  ["Semanal", 7],
  ["Mensal", Number.NaN],
])("%s every %d days is not", (name, days) => {
  expect(contradicts(name, days)).toBe(false);
});
