import fc from "fast-check";
import { expect, test } from "vitest";
import { foldToAscii } from "@/lib/rails/ascii";
import { parseBrCode, writeBrCode } from "@/lib/rails/pix/brcode";

test.each([
  ["½ kg, R$ 10–20", "1/2 kg, R$ 10-20"],
  ["2½ kg de pão", "2 1/2 kg de pao"],
  ["Área de 10² m²", "Area de 10^2 m2"],
  ["Copo d’água · 3×2 m", "Copo d'agua 3x2 m"],
  ["Caixa d´água", "Caixa d'agua"],
  ["“Óleo” — 5 − 10 ℃", '"Oleo" - 5 - 10 C'],
  ["Łukasz Ørsted Đorđe", "Lukasz Orsted Dorde"],
  ["Straße Ærø Œuvre Þór Ǿ ŀ", "Strasse AEro OEuvre THor O l"],
  ["1º andar, nº 5ª", "1o andar, no 5a"],
  ["Ｐａｄａｒｉａ　２４ｈ", "Padaria 24h"],
  ["a\u00adçú\u200bcar\ufeff", "acucar"],
  ["Café 日本 ☕ Ltda", "Cafe Ltda"],
  ["Loja\u00a0do\tZé\r\n2", "Loja do Ze 2"],
])("%s is written as %s", (text, ascii) => {
  expect(foldToAscii(text, 99)).toBe(ascii);
});

test("the payer reads what the seller wrote, also in the code", () => {
  const code = writeBrCode({
    ...{ key: "loja@example.com", text: "½ kg, R$ 10–20", amount: 1_000, txid: "a1" },
    ...{ merchantName: "Łódź Pães", merchantCity: "São Paulo" },
  });
  expect(parseBrCode(code)).toMatchObject({ text: "1/2 kg, R$ 10-20", merchantName: "Lodz Paes" });
});

test("printable ASCII that has no needless spaces is never changed, and no text folds to anything else", () => {
  const ascii = fc.stringMatching(/^[\x21-\x7e]+( [\x21-\x7e]+)*$/);
  fc.assert(
    fc.property(ascii, (text) => {
      expect(foldToAscii(text, text.length)).toBe(text);
    }),
  );
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.nat(99), (text, length) => {
      const folded = foldToAscii(text, length);
      expect(folded).toMatch(/^([\x21-\x7e]+( [\x21-\x7e]+)*)?$/);
      expect(folded.length).toBeLessThanOrEqual(length);
      expect(foldToAscii(folded, length)).toBe(folded);
    }),
  );
});
