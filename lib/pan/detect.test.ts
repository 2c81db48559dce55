import { randomInt, randomUUID } from "node:crypto";
import { generateCnpj, generateCpf, generatePhone } from "@brazilian-utils/brazilian-utils";
import { describe, expect, test } from "vitest";
import { newAlphanumeric, newId } from "@/lib/ids";
import { assertNoCardData, hideCardNumbers, hideInPath } from "@/lib/pan/detect";
import { writeBrCode } from "@/lib/rails/pix/brcode";
import { typedCases } from "@/lib/testing/typed-cases";

const NUMBER = "4111111111111111";
const good = {
  amount: 4111111111.11,
  card: { token: "card_token.x" },
  client: { phone: "4111111111111", document: { type: "cnpj", number: "11222333000181" } },
  split: [{ user_id: "01900000-0000-7000-8000-000000000001", percentage: 10 }],
  description: "Pedido 12345678, 3 x 19.99",
};

test("a charge without card data passes", () => {
  expect(() => assertNoCardData(good)).not.toThrow();
  for (const other of [null, [], "x", 7, {}, { description: "1234567890123456" }]) {
    expect(() => assertNoCardData(other), JSON.stringify(other)).not.toThrow();
  }
});

test.each([
  { card: { token: "t", number: NUMBER } },
  { card: { number: NUMBER, cvv: "123" } },
  { card: { token: "t", cvv: "123" } },
  { card: { token: NUMBER } },
  { card: { token: "t", pan_number: "x" } },
  { card: { token: "t", "card-number": "x" } },
  { card: { token: "t", security_code: "1" } },
  { cvv: "123" },
  { card_number: 4111111111111111 },
  { data: { somewhere: { deep: [NUMBER] } } },
  { description: `cartao ${NUMBER}` },
  { description: "4111 1111 1111 1111" },
  { description: "4111-1111-1111-1111" },
  { metadata: { sell_url: `https://loja.example/caixa?cartao=${NUMBER}` } },
  { webhook_url: "https://loja.example/4111%201111%201111%201111" },
  { device: { page_url: "https://loja.example/?q=meu+cartao+4111+1111+1111+1111" } },
])("%j is refused, whatever its name and wherever it stands", (extra) => {
  expect(() => assertNoCardData({ ...good, ...extra })).toThrow(
    expect.objectContaining({ code: "card_data_not_accepted" }),
  );
});

test.each(typedCases.card_number.filter(({ means }) => means))(
  "what the card's field reads as a card's number is refused elsewhere: $why, $typed",
  ({ typed }) => {
    for (const description of [typed, `cartão ${typed}, obrigado`, `(${typed})`]) {
      expect(() => assertNoCardData({ description }), description).toThrow(
        expect.objectContaining({ code: "card_data_not_accepted" }),
      );
    }
  },
);

test("a path is kept without the card number in it", () => {
  expect(hideCardNumbers(`/transaction/${NUMBER}`)).toBe("/transaction/…");
  const path = "/transaction/01900000-0000-7000-8000-000000000001";
  expect(hideCardNumbers(path)).toBe(path);
});

test("a card number is found in a path however it is escaped, and any other path is kept as it was sent", () => {
  expect(hideInPath("/a/4111%201111%201111%201111/b")).toBe("/a/…/b");
  expect(hideInPath("/a/%34111-1111-1111-1111")).toBe("/a/…");
  expect(hideInPath("/pedido_4111111111111111x")).toBe("/pedido_…x");
  expect(hideInPath("/a/%ff/%00/%34111111111111111")).toBe("/a/%ff/%00/…");
  for (const path of ["/a%20b/%zz", "/a%2Fb", "/01900000-0000-7000-8000-000000000001"])
    expect(hideInPath(path)).toBe(path);
});

describe("a card's number is found", () => {
  /** Published test numbers of payment processors, one at least of each brand and length. */
  const numbers = [
    "4111111111111111",
    "4222222222222",
    "5555555555554444",
    "2223003122003222",
    "378282246310005",
    "371449635398431",
    "6362970000457013",
    "5067766783888311",
    "6062825624254001",
    "5078601870000127985",
    "30569309025904",
    "6011111111111117",
    "3530111333300000",
  ];
  const inGroups = (number: string, sizes: number[], mark: string) => {
    const groups: string[] = [];
    for (let at = 0; at < number.length; at += groups.at(-1)?.length ?? 1) {
      groups.push(number.slice(at, at + (sizes[groups.length] ?? sizes.at(-1) ?? 4)));
    }
    return groups.join(mark);
  };
  const spellings = (number: string) => [
    number,
    ...[" ", "-", "\u00a0"].flatMap((mark) => [
      inGroups(number, [4], mark),
      inGroups(number, [4, 6, 5], mark),
      inGroups(number, [1], mark),
    ]),
    ...[".", "/", "  ", ". ", " (", ")("].flatMap((mark) => [
      inGroups(number, number.length === 15 ? [4, 6, 5] : [4], mark),
      inGroups(number, [1], mark),
    ]),
  ];

  test.each(numbers)("%s, in every spelling and wherever it stands in a text", (number) => {
    for (const spelling of spellings(number)) {
      for (const [before, after] of [
        ["", ""],
        ["cartão ", ", obrigado"],
        ["(", ")"],
        ["nº", "."],
        ["?pan=", "&x=1"],
      ] as const) {
        const hidden = hideCardNumbers(before + spelling + after);
        expect(hidden, before + spelling + after).toBe(`${before}…${after}`);
      }
    }
  });

  test("beside other digits, where it is grouped as on a card: an expiry, a CVV, a date", () => {
    expect(hideCardNumbers("4111 1111 1111 1111 12/30 123")).toBe("… 12/30 123");
    expect(hideCardNumbers("2026 4111 1111 1111 1111")).toBe("2026 …");
    expect(hideCardNumbers("3782 822463 10005 1234")).toBe("… 1234");
    expect(hideCardNumbers("4111111111111111 123")).toBe("… 123");
    expect(hideCardNumbers("4111.1111.1111.1111 12/30 123")).toBe("… 12/30 123");
    expect(hideCardNumbers("12/2030 4111/1111/1111/1111")).toBe("12/2030 …");
    expect(hideCardNumbers("em 20-11-2026 com 4111-1111-1111-1111")).toBe("em 20-11-2026 com …");
  });

  test.each([
    ["4111111111111112", "Luhn's check fails"],
    ["41111111111111111111", "20 digits"],
    ["411111111111111", "Visa has no 15 digits"],
    ["9999999999999995", "it is of no brand"],
    ["a4111111111111111", "it is part of a word"],
    ["pedido_4111111111111111", "it is part of a word"],
    ["4111111111111111b", "it is part of a word"],
    ["004111111111111111", "it is part of a longer run"],
  ])("except in %s: %s", (text) => {
    expect(hideCardNumbers(text)).toBe(text);
  });
});

describe("no card's number is found in", () => {
  const digits = (count: number) => Array.from({ length: count }, () => randomInt(10)).join("");
  const some = (min: number, max: number) => randomInt(min, max + 1);
  const inFives = (count: number) => digits(count).replace(/(.{5})(?=.)/g, "$1.");
  /** Days from the day that FEBRABAN counts from, 1000 on 2025-02-22. */
  const dueIn2026To2030 = () => some(1_400, 2_999);
  const ean = (start: string) => {
    const sum = [...start].reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 1 : 3), 0);
    return start + ((10 - (sum % 10)) % 10);
  };
  const brCode = () =>
    writeBrCode({
      key: randomUUID(),
      amount: some(1, 999_999),
      txid: newAlphanumeric(25),
      merchantName: "Loja",
      merchantCity: "Recife",
    });
  const kinds: Record<string, () => string> = {
    "a time stamp in ms": () => `https://loja.example/?t=${some(1_600_000_000_000, 1_900_000_000_000)}`,
    "a time stamp in µs": () => String(some(1_600_000_000_000, 1_900_000_000_000) * 1_000 + some(0, 999)),
    "a date and time": () => `2026${digits(10)}`,
    "a UUID of any kind": () => (some(0, 1) ? randomUUID() : newId()),
    "a CPF": () => generateCpf(),
    "a CNPJ": () => generateCnpj(),
    "a Brazilian phone": () => `+55${generatePhone()}`,
    "a Brazilian phone with spaces": () => `+55 ${digits(2)} 9${digits(4)}-${digits(4)}`,
    "a BR Code": brCode,
    "a txid": () => newAlphanumeric(some(25, 35)),
    "an end-to-end id": () => `E${digits(8)}20261122${digits(4)}${newAlphanumeric(11)}`,
    "a boleto's 47 digits": () => digits(47),
    "a boleto's line": () =>
      `${inFives(10)} ${digits(5)}.${digits(6)} ${digits(5)}.${digits(6)} ${some(1, 9)} ${dueIn2026To2030()}${digits(10)}`,
    "a bill's 48 digits in four": () => [1, 2, 3, 4].map(() => `8${digits(10)}-${some(0, 9)}`).join(" "),
    "a parcel's code": () => `AA${digits(9)}BR`,
    "a barcode of 13 digits": () => ean(digits(12)),
    "an NF-e's key": () => digits(44),
    "a fraction, as addresses have it against caches": () => `?r=${Math.random()}`,
    "two coordinates": () => `-${some(34, 73)}.${digits(6)} -${some(0, 33)}.${digits(6)}`,
    "a coordinate": () => `-${some(34, 73)}.${digits(14)}`,
    "a period": () => `de ${some(10, 31)}/${some(10, 12)}/2026-${some(10, 31)}/${some(10, 12)}/2026`,
    "days of a month": () => Array.from({ length: 4 }, () => `${some(10, 31)}/${some(10, 12)}`).join(" "),
    "ids in a path": () => `/loja/${digits(4)}/${digits(5)}/${digits(7)}`,
    "an amount": () => `${digits(10)}.${digits(2)}`,
  };

  test.each(Object.entries(kinds))("%s", (_, make) => {
    const found = Array.from({ length: 5_000 }, make).filter((text) => hideCardNumbers(text) !== text);
    expect(found).toEqual([]);
  });
});
