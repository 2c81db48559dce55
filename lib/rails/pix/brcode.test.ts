import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { foldToAscii } from "@/lib/rails/ascii";
import { type BrCode, crc16, parseBrCode, writeBrCode } from "@/lib/rails/pix/brcode";
import vectors from "@/lib/rails/pix/brcode-vectors.json" with { type: "json" };

const SALE = { key: "123e4567-e12b-12d1-a456-426655440000", merchantName: "Fulano de Tal", merchantCity: "BRASILIA" };
const NOTHING = { url: null, recurrenceUrl: null, text: null, amount: null, txid: null, reusable: null };

/** A code of any content with a right CRC. */
const withCrc = (body: string) => `${body}6304${crc16(`${body}6304`)}`;

function isCode(text: string) {
  try {
    return Boolean(parseBrCode(text));
  } catch {
    return false;
  }
}

/** Words with single spaces between them, which folding does not change. */
const ascii = (max: number) =>
  fc
    .array(fc.stringMatching(/^[!-~]{1,8}$/), { minLength: 1, maxLength: 4 })
    .map((words) => words.join(" ").slice(0, max).trim());
const solid = (max: number) => fc.stringMatching(new RegExp(`^[0-9a-zA-Z@+./-]{1,${max}}$`));
const amount = fc.option(fc.integer({ min: 1, max: 999_999_999_999 }));
const merchant = { merchantName: ascii(25), merchantCity: ascii(15), reusable: fc.option(fc.boolean()) };
const staticCode: fc.Arbitrary<BrCode> = fc.record({
  ...merchant,
  key: solid(48),
  text: fc.option(ascii(20)),
  txid: fc.option(fc.stringMatching(/^[a-zA-Z0-9]{1,25}$/)),
  amount,
  url: fc.constant(null),
  recurrenceUrl: fc.option(solid(77)),
});
const dynamicCode: fc.Arbitrary<BrCode> = fc.record({
  ...merchant,
  url: solid(77),
  recurrenceUrl: fc.option(solid(77)),
  amount,
  key: fc.constant(null),
  text: fc.constant(null),
  txid: fc.constant(null),
});

/** The code of a mandate alone: no charge, so that nothing is paid. */
const mandateCode: fc.Arbitrary<BrCode> = fc.record({
  ...merchant,
  recurrenceUrl: solid(77),
  key: fc.constant(null),
  url: fc.constant(null),
  text: fc.constant(null),
  txid: fc.constant(null),
  amount: fc.constant(null),
});

describe("published vectors", () => {
  test.each(vectors.crc)("the CRC of $input is $crc", ({ input, crc }) => expect(crc16(input)).toBe(crc));

  test.each(vectors.valid)("$kind: read and written again, it is the same code", ({ code }) => {
    expect(writeBrCode(parseBrCode(code))).toBe(code);
  });

  test.each(vectors.invalid)("$why: refused", ({ code }) => expect(() => parseBrCode(code)).toThrow(SyntaxError));

  test("the manual's static sample is parsed to its fields", () => {
    expect(parseBrCode(vectors.valid[0]?.code ?? "")).toEqual({ ...NOTHING, ...SALE });
  });

  test("a composite code gives both addresses", () => {
    expect(parseBrCode(vectors.valid[2]?.code ?? "")).toMatchObject({
      key: null,
      url: "pix.example.com/qr/v2/8b3da2f39a4140d1a91abd93113bd441",
      recurrenceUrl: "pix.example.com/qr/v2/rec/94ed2badcbc04c15b0bb7fa353194890",
    });
  });
});

describe("properties", () => {
  test("every code that can be written reads back as itself", () => {
    const anyCode = fc.oneof(staticCode, dynamicCode, mandateCode);
    fc.assert(
      fc.property(anyCode, (code) => {
        expect(parseBrCode(writeBrCode(code))).toEqual(code);
      }),
    );
  });

  test("a code with any one character changed is refused", () => {
    const change = fc.oneof(
      fc.constantFrom(..."0123456789ABCDEFabcdef "),
      fc.string({ unit: "grapheme", maxLength: 1 }),
    );
    fc.assert(
      fc.property(fc.oneof(staticCode, dynamicCode, mandateCode), fc.nat(), change, (code, position, replacement) => {
        const text = writeBrCode(code);
        const at = position % text.length;
        fc.pre(text[at] !== replacement);
        expect(() => parseBrCode(text.slice(0, at) + replacement + text.slice(at + 1))).toThrow(SyntaxError);
      }),
      { numRuns: 2_000 },
    );
  });

  test("one code is refused with any of its characters replaced by any other", () => {
    const text = vectors.valid[0]?.code ?? "";
    const printable = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));
    for (let at = 0; at < text.length; at++) {
      for (const replacement of printable) {
        if (replacement === text[at]) continue;
        const changed = text.slice(0, at) + replacement + text.slice(at + 1);
        if (isCode(changed)) throw new Error(`Accepted as a code: ${changed}`);
      }
    }
  });

  test("random text is never parsed, and never fails in another way", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(() => parseBrCode(text)).toThrow(SyntaxError);
      }),
    );
  });

  test("a code with any merchant's name is parsed again", () => {
    const name = fc.string({ unit: "grapheme" });
    fc.assert(
      fc.property(name, name, name, (merchantName, merchantCity, text) => {
        const read = parseBrCode(writeBrCode({ ...SALE, merchantName, merchantCity, text }));
        expect(read.key).toBe(SALE.key);
      }),
    );
  });
});

describe("writing", () => {
  test.each([
    [1, "54040.01"],
    [10, "54040.10"],
    [1_999, "540519.99"],
    [100_000, "54071000.00"],
    [999_999_999_999, "54139999999999.99"],
  ])("%d cents is %s", (cents, field) =>
    expect(writeBrCode({ ...SALE, amount: cents })).toContain(`986${field}5802BR`),
  );

  test.each([0, -1, 1.5, 1e12, Number.NaN, Number.POSITIVE_INFINITY])("an amount of %d cents is refused", (cents) => {
    expect(() => writeBrCode({ ...SALE, amount: cents })).toThrow(RangeError);
  });

  test("names lose their accents and are cut to fit", () => {
    expect(foldToAscii("  Açaí & Cia. Nº 5 São João\tLtda ", 25)).toBe("Acai & Cia. No 5 Sao Joao");
    const code = writeBrCode({
      ...SALE,
      merchantName: "São João Comércio de Alimentos",
      merchantCity: "São José dos Campos",
    });
    expect(parseBrCode(code)).toMatchObject({
      merchantName: "Sao Joao Comercio de Alim",
      merchantCity: "Sao Jose dos Ca",
    });
  });

  test("a description is cut to the room that the key leaves", () => {
    const text = "d".repeat(60);
    expect(parseBrCode(writeBrCode({ ...SALE, text })).text).toBe("d".repeat(37));
    expect(parseBrCode(writeBrCode({ ...SALE, key: "k".repeat(77), text })).text).toBeNull();
  });

  test("a txid, key or url that does not fit is refused, never cut", () => {
    for (const wrong of [
      { txid: "a-b" },
      { txid: "a".repeat(26) },
      { key: "k".repeat(78) },
      { key: "é@x.br" },
      { url: "a/b" },
    ]) {
      expect(() => writeBrCode({ ...SALE, ...wrong })).toThrow(RangeError);
    }
    expect(() => writeBrCode({ ...SALE, key: null, url: "https://pix.example.com" })).toThrow(RangeError);
    expect(() => writeBrCode({ ...SALE, key: null })).toThrow(RangeError);
  });
});

describe("refused although the CRC is right", () => {
  const tail = "5204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***";
  const pix = "26330014br.gov.bcb.pix0111a@b.example";
  const good = `000201${pix}${tail}`;

  test("the code that these are made from is accepted", () =>
    expect(parseBrCode(withCrc(good)).key).toBe("a@b.example"));

  const mandate = "80310014br.gov.bcb.pix2509a.example";
  test("the composite code that these are made from is accepted", () =>
    expect(parseBrCode(withCrc(`${good}${mandate}`)).recurrenceUrl).toBe("a.example"));

  test.each([
    ["a mandate without an address", mandate.replace("8031", "8018").replace("2509a.example", "")],
    ["a mandate whose address is a key", mandate.replace("2509", "0109")],
    ["a mandate's length beyond the end", mandate.replace("8031", "8099")],
    ["a mandate's length that cuts its address", mandate.replace("8031", "8030")],
    ["a mandate's address that is longer than its template", mandate.replace("2509", "2510")],
    ["two mandates", `${mandate}${mandate.replace("8031", "8131")}`],
  ])("%s", (_, template) => expect(() => parseBrCode(withCrc(`${good}${template}`))).toThrow(SyntaxError));

  test("a composite code with another template is no mandate of Pix", () => {
    const other = mandate.replace("br.gov.bcb.pix", "br.gov.bcb.xip");
    expect(parseBrCode(withCrc(`${good}${other}`)).recurrenceUrl).toBeNull();
  });

  test.each([
    ["a length beyond the end", good.replace("2633", "2699")],
    ["a length inside a template that does not add up", good.replace("0111a@b", "0112a@b")],
    ["a length that is not a number", good.replace("2633", "26+3")],
    ["an empty field", `${good}6400`],
    ["a field twice", `${good}5802BR`],
    ["something after the CRC", `${withCrc(good)}5802BR`],
    ["another payload version", good.replace("000201", "000202")],
    ["another first field", `${pix}000201${tail}`],
    ["another scheme", good.replace("br.gov.bcb.pix", "br.gov.bcb.xip")],
    ["Pix twice", `000201${pix}${pix.replace("2633", "2733")}${tail}`],
    ["no key", good.replace(pix, "26180014br.gov.bcb.pix")],
    ["a key and a url", good.replace(pix, "26400014br.gov.bcb.pix0111a@b.example2503a/b")],
    ["another currency", good.replace("986", "840")],
    ["another country", good.replace("5802BR", "5802US")],
    ["no merchant", good.replace("5913Fulano de Tal", "")],
    ["a merchant name of 26", good.replace("5913Fulano de Tal", `5926${"N".repeat(26)}`)],
    ["no txid", good.replace("62070503***", "")],
    ["a txid with a dash", good.replace("62070503***", "62070503a-b")],
    ["an amount with a comma", `${good}54041,00`],
    ["an amount with three decimals", `${good}54051.005`],
    ["a negative amount", `${good}5405-1.00`],
    ["an amount with an exponent", `${good}54041e10`],
    ["an unknown method of initiation", `${good}010213`],
  ])("%s", (_, body) => expect(() => parseBrCode(withCrc(body))).toThrow(SyntaxError));
});
