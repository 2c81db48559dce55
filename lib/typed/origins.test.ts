import { expect, test } from "vitest";
import { Origin } from "@/lib/public-keys/schema";
import { originMeant } from "@/lib/typed/origins";

test.each([
  ["loja.com.br", "https://loja.com.br"],
  ["https://loja.com.br/", "https://loja.com.br"],
  ["https://Loja.com.br/checkout?passo=2", "https://loja.com.br"],
  ["https://loja.com.br:443", "https://loja.com.br"],
  ["https://açaí.com.br", "https://xn--aa-4iaz.com.br"],
  ["\u200bhttps://loja.com.br\u2060", "https://loja.com.br"],
  ["http://loja.com.br", "https://loja.com.br"],
  ["http://loja.com.br:8080/", "https://loja.com.br:8080"],
  [" http://localhost:3000/ ", "http://localhost:3000"],
  ["http://127.0.0.1:5173/loja", "http://127.0.0.1:5173"],
])("%s is refused with %s, which is accepted", (typed, meant) => {
  expect(originMeant(typed)).toBe(meant);
  expect(Origin.safeParse(meant).success).toBe(true);
  const { error } = Origin.safeParse(typed);
  expect(error?.issues.map(({ message }) => message)).toEqual([expect.stringContaining(`Use ${meant},`)]);
});

test("an address with accents means the same after a thousand others, when its parsing has been compiled", () => {
  for (let left = 20_000; left > 0; left -= 1) originMeant("https://loja.com.br");
  expect(originMeant("https://açaí.com.br")).toBe("https://xn--aa-4iaz.com.br");
});

test.each(["", "loja", "ftp://loja.com.br", "https://", "a b", "https://*.loja.com.br"])(
  "%j means no origin",
  (typed) => {
    expect(originMeant(typed)).toBeUndefined();
    expect(Origin.safeParse(typed).success).toBe(false);
  },
);
