import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { readSeller } from "@/lib/accounts/list";
import { readContext } from "@/lib/accounts/read";
import { TermsInput } from "@/lib/accounts/schema";
import { cardCharge } from "@/lib/charges/call";
import { chargeCard } from "@/lib/charges/charge";
import { type Charge, ChargeBody } from "@/lib/charges/schema";
import { forAccount } from "@/lib/db";
import { readBalances } from "@/lib/ledger/balance";
import { byFee } from "@/lib/methods/methods";
import { resolveCall } from "@/lib/outside/calls";
import { timeouts } from "@/lib/outside/http-client";
import { acquirerFor, acquirerNamed, everyAcquirer } from "@/lib/rails/cards/acquirers";
import { readRefund } from "@/lib/refunds/read";
import { requestRefund } from "@/lib/refunds/request";
import { RefundBody } from "@/lib/refunds/schema";
import { updateSeller } from "@/lib/sellers/update";
import { SILENT, serveCielo } from "@/lib/testing/cielo";
import { answerOf, call, type Made, makeAccount } from "@/lib/testing/make";
import { anOrder, aToken } from "@/lib/testing/shop";

let stand: Awaited<ReturnType<typeof serveCielo>>;
beforeAll(async () => {
  stand = await serveCielo();
});
afterAll(() => stand.close());

const usual = { ...timeouts };
afterEach(() => void Object.assign(timeouts, usual));

type Answered = Charge & { refused_reason?: string };

async function charge(seller: Made, number?: string): Promise<Answered> {
  const order = ChargeBody.parse(anOrder(await aToken(seller, number)));
  return chargeCard(seller.account, order, call()).catch((error) => JSON.parse(answerOf(error).body));
}

const saleOf = ({ accountId }: Made, id: string) =>
  forAccount(accountId, (tx) => tx.transaction.findUniqueOrThrow({ where: { accountId_id: { accountId, id } } }));

test("Cielo is the acquirer of live accounts where it is configured, and never of sandbox accounts", () => {
  expect(acquirerFor("live")?.provider).toBe("cielo");
  expect(acquirerNamed("cielo")).toBe(acquirerFor("live"));
  expect(acquirerFor("sandbox")?.provider).toBe("simulator");
  expect(everyAcquirer().map(({ provider }) => provider)).toEqual(["simulator", "cielo"]);
});

test("a live account's charge goes through Cielo, and its money is pending", async () => {
  const seller = await makeAccount({ mode: "live" });
  const { identifier, status } = await charge(seller);
  expect(status).toBe("completed");
  expect(stand.sold.at(-1)).toMatchObject({
    MerchantOrderId: identifier.replaceAll("-", ""),
    Payment: { Amount: 10_000, Status: 2 },
  });
  expect(await readBalances(seller.accountId)).toMatchObject({ available: 0, pending: 9_562 });
});

test("fees and days that the staff change are those of later sales; a sale from before keeps its own", async () => {
  const seller = await makeAccount({ mode: "live" });
  const daysOf = ({ paidAt, settleAt }: { paidAt: Date | null; settleAt: Date | null }) =>
    Math.round((Number(settleAt) - Number(paidAt)) / 86_400_000);
  const before = await saleOf(seller, (await charge(seller)).identifier);
  const fee = { basisPoints: 100, fixed: 0, minimum: 250 };
  const input = { percentage: fee.basisPoints, fixed: fee.fixed, minimum: fee.minimum };
  const terms = {
    ...byFee(() => input),
    refund_fee: 0,
    chargeback_fee: 0,
    card_settlement_days: 5,
    storage_limit_mb: 1_024,
    ...{ withdrawal_fee: 0, withdrawal_limit: 1_000_000, withdrawal_day_limit: 5_000_000 },
    ...{ withdrawal_night_limit: 100_000, new_key_limit: 100_000 },
    approval_above: null,
  };
  await updateSeller({ id: seller.accountId, terms });
  const account = (await readContext(seller.accountId)) ?? seller.account;
  const after = await saleOf(seller, (await charge({ ...seller, account })).identifier);
  expect([after.fee, daysOf(after)]).toEqual([250n, 5]);
  const again = await saleOf(seller, before.id);
  expect([again.fee, daysOf(again)]).toEqual([438n, 30]);
  expect(again).toEqual(before);
});

test("what the staff set for a refund is what the next one costs; one that is open keeps its own", async () => {
  const seller = await makeAccount({ mode: "live", available: 10_000 });
  const ask = async () => {
    const input = { ...RefundBody.parse({ reason: "fraud" }), id: (await charge(seller)).identifier };
    return (await requestRefund(seller.account, input, call())).data;
  };
  const { terms } = await readSeller(seller.accountId);
  expect(terms.refund_fee).toBe("0.00");
  const before = await ask();
  const { data } = await updateSeller({
    id: seller.accountId,
    terms: TermsInput.parse({ ...terms, refund_fee: "1.50" }),
  });
  expect(data.terms).toEqual({ ...terms, refund_fee: "1.50" });
  const after = await ask();
  const open = (await readRefund(seller.accountId, before.code)).data;
  expect([before.fee, open.fee, after.fee]).toEqual(["0.00", "0.00", "1.50"]);
});

test.each([
  ["4000000000000002", "do_not_honor"],
  ["6062825624254001", "brand_not_accepted"],
])("a live account's charge of %s is refused with %s at once", async (number, reason) => {
  const seller = await makeAccount({ mode: "live" });
  const { refused_reason, identifier } = await charge(seller, number);
  expect(refused_reason).toBe(reason);
  expect(await saleOf(seller, identifier)).toMatchObject({ status: "refused", refusedReason: reason });
});

test("a live charge without an answer gets its outcome later under the same id, and Cielo got it once", async () => {
  timeouts.callMs = 200;
  const seller = await makeAccount({ mode: "live" });
  const { identifier, status } = await charge(seller, SILENT[1]);
  expect(status).toBe("pending");
  await resolveCall(cardCharge, { accountId: seller.accountId, id: identifier });
  expect(await saleOf(seller, identifier)).toMatchObject({ status: "refused", refusedReason: "processing_error" });
  const order = identifier.replaceAll("-", "");
  expect(stand.sent.filter(({ method, body }) => method === "POST" && body.includes(order))).toHaveLength(1);
});
