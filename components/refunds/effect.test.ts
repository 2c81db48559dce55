import { expect, test } from "vitest";
import { effectOf, type RefundableSale } from "@/components/refunds/effect";
import { chargeCard } from "@/lib/charges/charge";
import { ChargeBody } from "@/lib/charges/schema";
import { readTransactionDetail } from "@/lib/dashboard/transaction";
import { forAccount } from "@/lib/db";
import { completeDeposit } from "@/lib/deposits/complete";
import { requestDeposit } from "@/lib/deposits/request";
import { simulatePayment } from "@/lib/deposits/simulate";
import { readBalances } from "@/lib/ledger/balance";
import { requestRefund } from "@/lib/refunds/request";
import { RefundBody } from "@/lib/refunds/schema";
import { call, cashIn, type Made, makeAccount } from "@/lib/testing/make";
import { openRail } from "@/lib/testing/rail";
import { anOrder, aToken } from "@/lib/testing/shop";

openRail();

const FEE = 150;

async function aSeller(available: number): Promise<Made> {
  const made = await makeAccount({ available });
  const { accountId: id } = made;
  await forAccount(id, (tx) => tx.account.update({ where: { id }, data: { refundFee: FEE } }));
  return made;
}

/** What the page shows of a refund of so many cents, and by how much it then changes the balances. */
async function shownAndDone(seller: Made, recipients: readonly Made[], id: string, amount: number) {
  const sale = (await readTransactionDetail(seller.account, id)) as RefundableSale;
  const shown = effectOf(sale, amount);
  const read = () => Promise.all([seller, ...recipients].map(({ accountId }) => readBalances(accountId)));
  const before = await read();
  const body = RefundBody.parse({ reason: "fraud", amount: amount / 100 });
  await requestRefund(seller.account, { ...body, id }, call());
  const after = await read();
  const change = (kind: "available" | "pending" | "blocked") =>
    after.map((now, place) => now[kind] - (before[place]?.[kind] ?? 0));
  return { sale, shown, available: change("available"), pending: change("pending"), blocked: change("blocked") };
}

test("of a card sale that is not settled, the page shows to the cent what the API then holds of the seller and of each recipient", async () => {
  const seller = await aSeller(1_000);
  const recipients = [await makeAccount(), await makeAccount()];
  const split = recipients.map(({ clientId }, place) => ({ user_id: clientId, percentage: [33, 13][place] }));
  const order = ChargeBody.parse(anOrder(await aToken(seller), { split }));
  const { identifier } = await chargeCard(seller.account, order, call());
  const { shown, available, pending, blocked } = await shownAndDone(seller, recipients, identifier, 3_333);
  const [own, ...parts] = blocked;
  expect(own).toBe(shown.pending + shown.rest);
  expect([available[0], pending[0]]).toEqual([0 - shown.rest, 0 - shown.pending]);
  expect(parts).toEqual(shown.returned.map(({ amount }) => amount));
  expect(parts.every((part) => part > 0)).toBe(true);
  expect((own ?? 0) + parts.reduce((sum, part) => sum + part, 0)).toBe(3_333 + FEE);
});

test("of a Pix sale it shows amount and fee as what is held, what a recipient gives back later, and what is left", async () => {
  const [seller, recipient] = [await aSeller(50_000), await makeAccount()];
  const input = cashIn({ split: [{ user_id: recipient.clientId, percentage: 30 }] });
  const { identifier } = await requestDeposit(seller.account, input, call());
  const { end_to_end_id: endToEndId } = await simulatePayment(seller.account, { id: identifier }, call());
  await completeDeposit({ provider: "simulator", endToEndId });
  const { sale, shown, available, blocked } = await shownAndDone(seller, [recipient], identifier, 2_500);
  expect(shown).toMatchObject({ isPending: false, pending: 0, rest: 2_500 + FEE, fee: FEE, left: 7_500 });
  const [share] = sale.breakdown.shares;
  expect(shown.returned).toEqual([{ name: share?.name, amount: Math.round(((share?.amount ?? 0) * 100) / 4) }]);
  expect([available, blocked]).toEqual([
    [0 - shown.rest, 0],
    [shown.rest, 0],
  ]);
  const after = await readTransactionDetail(seller.account, identifier);
  expect(after.refundable).toMatchObject({ hindrance: "open", left: 100, refunded: 0, fee: 1.5 });
});
