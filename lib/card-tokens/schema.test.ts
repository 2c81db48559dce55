import { afterEach, describe, expect, test, vi } from "vitest";
import { CardTokenBody } from "@/lib/card-tokens/schema";
import { Origin } from "@/lib/public-keys/schema";

const card = (changes: object = {}) => ({
  number: "4111111111111111",
  holder_name: "ANA SOUZA",
  expiry_month: "12",
  expiry_year: "2099",
  cvv: "123",
  ...changes,
});

const read = (changes?: object) => CardTokenBody.safeParse({ card: card(changes) });

/** The fields that a card with these changes is refused at. */
const faults = (changes?: object) => [...new Set(read(changes).error?.issues.map(({ path }) => path.join(".")))].sort();

afterEach(() => vi.useRealTimers());

describe("a card is accepted", () => {
  test.each([
    ["with the spaces and dashes of a form", { number: " 4111 1111-1111 1111 " }, { number: "4111111111111111" }],
    ["with 13 digits", { number: "4222222222222" }, {}],
    ["with 19 digits", { number: "5078601870000127985" }, {}],
    ["with a year of two digits, which is 20xx", { expiry_year: "99" }, { expiry_year: "2099" }],
    ["with a CVV of four digits", { cvv: "1234" }, {}],
    ["with a CVV that begins with zeros", { cvv: "007" }, {}],
    ["with a name of 255 characters", { holder_name: "x".repeat(255) }, {}],
    ["with unknown members", { colour: "gold" }, {}],
  ])("%s", (_, changes, kept) => {
    expect(read(changes).data?.card).toMatchObject(kept);
    expect(Object.keys(read(changes).data?.card ?? {}).sort()).toEqual(Object.keys(card()).sort());
  });
});

describe("a card is refused", () => {
  test.each<[field: string, object]>([
    ["card.number", { number: undefined }],
    ["card.number", { number: 4111111111111111 }],
    ["card.number", { number: "" }],
    ["card.number", { number: "4111,1111,1111,1111" }],
    ["card.number", { number: "٤١١١١١١١١١١١١١١١" }],
    ["card.holder_name", { holder_name: "" }],
    ["card.holder_name", { holder_name: "  " }],
    ["card.holder_name", { holder_name: "x".repeat(256) }],
    ["card.holder_name", { holder_name: null }],
    ["card.expiry_month", { expiry_month: "13" }],
    ["card.expiry_month", { expiry_month: "00" }],
    ["card.expiry_month", { expiry_month: "1" }],
    ["card.expiry_month", { expiry_month: 12 }],
    ["card.expiry_year", { expiry_year: "209" }],
    ["card.expiry_year", { expiry_year: "20999" }],
    ["card.expiry_year", { expiry_year: "2020" }],
    ["card.expiry_year", { expiry_year: "20" }],
    ["card.cvv", { cvv: "12" }],
    ["card.cvv", { cvv: "12345" }],
    ["card.cvv", { cvv: "12a" }],
    ["card.cvv", { cvv: undefined }],
  ])("at %s for %j", (field, changes) => {
    expect(faults(changes)).toEqual([field]);
  });

  test("at every wrong field at once, so that a form shows them all", () => {
    const wrong = { number: "4111111111111112", holder_name: "", expiry_year: "2020", cvv: "1" };
    expect(faults(wrong)).toEqual(["card.cvv", "card.expiry_year", "card.holder_name", "card.number"]);
    const missing = CardTokenBody.safeParse({});
    expect(missing.error?.issues.map(({ path }) => path.join("."))).toEqual(["card"]);
  });

  test("with a sentence that quotes nothing of the card", () => {
    const { error } = read({ number: "4111111111111112", cvv: "98765", holder_name: "x".repeat(256) });
    expect(JSON.stringify(error?.issues.map(({ message }) => message))).not.toMatch(/4111|98765|xxx/);
  });
});

describe("a card expires with the last instant of its month in São Paulo:", () => {
  test.each<[now: string, changes: object, string[]]>([
    ["2027-01-01T02:59:59.999Z", { expiry_month: "12", expiry_year: "26" }, []],
    ["2027-01-01T03:00:00.000Z", { expiry_month: "12", expiry_year: "26" }, ["card.expiry_year"]],
    ["2026-12-01T02:59:59.999Z", { expiry_month: "11", expiry_year: "2026" }, []],
    ["2026-12-01T03:00:00.000Z", { expiry_month: "11", expiry_year: "2026" }, ["card.expiry_month"]],
    ["2026-12-01T03:00:00.000Z", { expiry_month: "12", expiry_year: "2026" }, []],
    ["2026-12-01T03:00:00.000Z", { expiry_month: "01", expiry_year: "2027" }, []],
    ["2026-12-01T03:00:00.000Z", { expiry_month: "13", expiry_year: "2020" }, ["card.expiry_month"]],
  ])("at %s, %j", (now, changes, expected) => {
    vi.useFakeTimers({ now: new Date(now) });
    expect(faults(changes)).toEqual(expected);
  });
});

describe("a domain", () => {
  test.each([
    "https://loja.example",
    "https://loja.example:8443",
    "https://a-b.c_d.example",
    "https://xn--po-lma.example",
    "http://localhost",
    "http://localhost:3000",
    "https://localhost",
    "http://127.0.0.1:8080",
  ])("is %s", (origin) => {
    expect(Origin.parse(origin)).toBe(origin);
  });

  test.each([
    "",
    "loja.example",
    "http://loja.example",
    "https://loja.example/",
    "https://loja.example/caixa",
    "https://loja.example:443",
    "https://LOJA.example",
    "https://user@loja.example",
    "https://loja.example?x",
    "https://*.example",
    "https://*",
    "https://a;script-src",
    "https://a,b",
    "https://pão.example",
    "http://localhost.example",
    "http://127.0.0.2",
    "ftp://loja.example",
    "null",
    "file://",
    "javascript:alert(1)",
    `https://${"a".repeat(250)}.example`,
  ])("is not %s", (origin) => {
    expect(Origin.safeParse(origin).success).toBe(false);
  });
});
