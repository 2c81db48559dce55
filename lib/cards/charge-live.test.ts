import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { chargeCard } from "@/lib/cards/charge";
import { resolveCharge } from "@/lib/cards/finish";
import { CardInput, type Charge, ChargeBody } from "@/lib/cards/schema";
import { sealCard } from "@/lib/cards/seal";
import { forAccount } from "@/lib/db";
import { readBalances } from "@/lib/ledger/balance";
import { timeouts } from "@/lib/rails/cards/call";
import { acquirerFor, acquirerNamed, everyAcquirer } from "@/lib/rails/cards/port";
import { SILENT, serveCielo } from "@/lib/testing/cielo";
import { call, type Made, makeAccount } from "@/lib/testing/make";

let stand: Awaited<ReturnType<typeof serveCielo>>;
beforeAll(async () => {
  stand = await serveCielo();
});
afterAll(() => stand.close());

const usual = { ...timeouts };
afterEach(() => void Object.assign(timeouts, usual));

const APPROVED = "4111111111111111";

const order = (token: string) =>
  ChargeBody.parse({
    amount: 100,
    card: { token },
    client: {
      name: "Ana Prado",
      email: "ana@example.com",
      phone: "11987654321",
      document: { type: "CPF", number: "52998224725" },
    },
    device: { ip: "203.0.113.7", user_agent: "Mozilla/5.0", page_url: "https://loja.example/checkout" },
  });

async function charge(seller: Made, number = APPROVED) {
  const { token } = (
    await sealCard(
      seller.accountId,
      CardInput.parse({ number, holder_name: "ANA PRADO", expiry_month: "12", expiry_year: "2035", cvv: "123" }),
    )
  ).data;
  const answer = await chargeCard(seller.account, order(token), call());
  return (answer instanceof Response ? await answer.json() : answer) as Charge & { refused_reason?: string };
}

const saleOf = ({ accountId }: Made, id: string) =>
  forAccount(accountId, (tx) => tx.transaction.findUniqueOrThrow({ where: { accountId_id: { accountId, id } } }));

test("a live account has Cielo for its acquirer where Cielo is configured, and a sandbox never", () => {
  expect(acquirerFor("live")?.provider).toBe("cielo");
  expect(acquirerNamed("cielo")).toBe(acquirerFor("live"));
  expect(acquirerFor("sandbox")?.provider).toBe("simulator");
  expect(everyAcquirer().map(({ provider }) => provider)).toEqual(["simulator", "cielo"]);
});

test("a live account is charged through Cielo, its money pending", async () => {
  const seller = await makeAccount({ mode: "live" });
  const { identifier, status } = await charge(seller);
  expect(status).toBe("completed");
  expect(stand.book.at(-1)).toMatchObject({
    MerchantOrderId: identifier.replaceAll("-", ""),
    Payment: { Amount: 10_000, Status: 2 },
  });
  expect(await readBalances(seller.accountId)).toMatchObject({ available: 0, pending: 9_562 });
});

test.each([
  ["4000000000000002", "do_not_honor"],
  ["6062825624254001", "brand_not_accepted"],
])("a live account is refused %s with %s, at once", async (number, reason) => {
  const seller = await makeAccount({ mode: "live" });
  const { refused_reason, identifier } = await charge(seller, number);
  expect(refused_reason).toBe(reason);
  expect(await saleOf(seller, identifier)).toMatchObject({ status: "refused", refusedReason: reason });
});

test("a live charge that was not answered learns its outcome later, under the same id, and Cielo was sent it once", async () => {
  timeouts.chargeMs = 200;
  const seller = await makeAccount({ mode: "live" });
  const { identifier, status } = await charge(seller, SILENT[1]);
  expect(status).toBe("pending");
  await resolveCharge({ accountId: seller.accountId, transactionId: identifier });
  expect(await saleOf(seller, identifier)).toMatchObject({ status: "refused", refusedReason: "processing_error" });
  const order = identifier.replaceAll("-", "");
  expect(stand.sent.filter(({ method, body }) => method === "POST" && body.includes(order))).toHaveLength(1);
});
