import { expect, test } from "vitest";
import { originMeant } from "@/components/cards/origin";
import { Origin } from "@/lib/public-keys/schema";

test.each([
  ["loja.com.br", "https://loja.com.br"],
  ["https://loja.com.br/", "https://loja.com.br"],
  ["https://Loja.com.br/checkout?passo=2", "https://loja.com.br"],
  ["http://loja.com.br", "https://loja.com.br"],
  ["http://loja.com.br:8080/", "https://loja.com.br:8080"],
  [" http://localhost:3000/ ", "http://localhost:3000"],
  ["http://127.0.0.1:5173/loja", "http://127.0.0.1:5173"],
])("%s is understood as %s, which the API accepts", (typed, meant) => {
  expect(originMeant(typed)).toBe(meant);
  expect(Origin.safeParse(meant).success).toBe(true);
});

test.each(["", "loja", "ftp://loja.com.br", "https://", "a b"])("%j means no origin", (typed) => {
  expect(originMeant(typed)).toBeUndefined();
});
