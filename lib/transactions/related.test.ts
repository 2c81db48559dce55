import { expect, test } from "vitest";
import { requestDeposit } from "@/lib/deposits/request";
import { newId } from "@/lib/ids";
import { createPlan } from "@/lib/plans/create";
import { PlanInput } from "@/lib/plans/schema";
import { enroll } from "@/lib/subscriptions/enroll";
import { EnrollBody } from "@/lib/subscriptions/schema";
import { call, cashIn, type Made, makeAccount } from "@/lib/testing/make";
import { listTransactions } from "@/lib/transactions/list";
import { TransactionQuery } from "@/lib/transactions/schema";

const client = (cpf: string) => ({ name: "Ana", cpf, email: "ana@example.com", phone: "11987654321" });
const [ANA, BIA] = ["52998224725", "11144477735"];

async function found({ account }: Made, query: object) {
  const { data, meta } = await listTransactions(account, TransactionQuery.parse(query));
  expect(meta.counts.all).toBe(data.length);
  return data.map(({ reference_id }) => reference_id).sort();
}

const sale = async ({ account }: Made, overrides: object) =>
  (await requestDeposit(account, cashIn(overrides), call())).identifier;

test("the sales of a plan, a subscription and a person are found by ids alone, and never another account's", async () => {
  const [seller, other] = [await makeAccount(), await makeAccount()];
  const input = PlanInput.parse({ name: "Mensal", amount: "49.90", billing_method: "qr_code" });
  const plan = (await createPlan(seller.account, input, call())).data.token;
  const ofPlan = await sale(seller, { plan_token: plan, client: client(BIA) });
  const ofAna = await sale(seller, { client: client(ANA) });
  const ofNobody = await sale(seller, {});
  const person = EnrollBody.parse({ name: "Ana", email: "ana@example.com", document: ANA });
  const enrolled = await enroll(seller.account, { ...person, planId: plan }, call());
  const ofSubscription = enrolled.payment.identifier ?? "";
  const subscription = enrolled.subscription_token;

  expect(await found(seller, { plan })).toEqual([ofPlan, ofSubscription].sort());
  expect(await found(seller, { subscription })).toEqual([ofSubscription]);
  expect(await found(seller, { customer: ofAna })).toEqual([ofAna, ofSubscription].sort());
  expect(await found(seller, { customer: ofAna, plan })).toEqual([ofSubscription]);
  expect(await found(seller, { customer: ofAna, method: "credit_card" })).toEqual([]);
  expect(await found(seller, { customer: ofAna, search: ofNobody })).toEqual([]);
  expect(await found(seller, { customer: ofNobody })).toEqual([]);
  for (const query of [{ plan }, { subscription }, { customer: ofAna }, { payment_link: newId() }]) {
    expect(await found(other, query)).toEqual([]);
  }
});
