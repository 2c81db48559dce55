import { expect, test } from "vitest";
import { assertNoCardData, hideCardNumbers, hideInPath } from "@/lib/cards/screen";

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
  { card: { token: "t", pan_number: "x" } },
  { card: { token: "t", "card-number": "x" } },
  { card: { token: "t", security_code: "1" } },
  { cvv: "123" },
  { card_number: 4111111111111111 },
  { data: { somewhere: { deep: [NUMBER] } } },
  { description: `cartao ${NUMBER}` },
  { description: "4111 1111 1111 1111" },
  { description: "4111-1111-1111-1111" },
])("%j is refused, whatever it is called and wherever it stands", (extra) => {
  expect(() => assertNoCardData({ ...good, ...extra })).toThrow(
    expect.objectContaining({ code: "card_data_not_accepted" }),
  );
});

test("a path is kept without the card number that somebody put there", () => {
  expect(hideCardNumbers(`/transaction/${NUMBER}`)).toBe("/transaction/…");
  const path = "/transaction/01900000-0000-7000-8000-000000000001";
  expect(hideCardNumbers(path)).toBe(path);
});

test("a number is found in a path however it is escaped; any other path is kept as it came", () => {
  expect(hideInPath("/a/4111%201111%201111%201111/b")).toBe("/a/…/b");
  expect(hideInPath("/a/%34111-1111-1111-1111")).toBe("/a/…");
  expect(hideInPath("/a/%ff/%00/%34111111111111111")).toBe("/a/%ff/%00/…");
  for (const path of ["/a%20b/%zz", "/a%2Fb", "/01900000-0000-7000-8000-000000000001"])
    expect(hideInPath(path)).toBe(path);
});
