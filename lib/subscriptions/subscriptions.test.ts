import { expect, test } from "vitest";
import { billDue } from "@/lib/billing/bill-due";
import { forAccount } from "@/lib/db";
import { simulatePayment } from "@/lib/deposits/simulate";
import { createPlan } from "@/lib/plans/create";
import { PlanInput } from "@/lib/plans/schema";
import { enroll } from "@/lib/subscriptions/enroll";
import { readSubscription } from "@/lib/subscriptions/read";
import { EnrollBody } from "@/lib/subscriptions/schema";
import { call, type Made, makeAccount } from "@/lib/testing/make";

const aPlan = async ({ account }: Made, changes: object = {}) => {
  const input = PlanInput.parse({ name: "Mensal", amount: "49.90", billing_method: "qr_code", ...changes });
  return (await createPlan(account, input, null)).data.token;
};

const somebody = (changes: object = {}) =>
  EnrollBody.parse({ name: "Ana Prado", email: "ana@example.com", document: "529.982.247-25", ...changes });

test("a person who enrols owes the first charge, and nothing is active yet", async () => {
  const made = await makeAccount();
  const plan = await aPlan(made);
  const enrolled = await enroll(made.account, plan, somebody(), call());
  expect(enrolled).toMatchObject({ status: "pending_first_payment", billing_method: "qr_code" });
  const { data } = await readSubscription(made.account, enrolled.subscription_token);
  expect(data.charges).toMatchObject([{ cycle_number: 1, amount: "49.90", status: "pending" }]);
  expect(data.allowed_actions).toEqual(["cancel", "resend_charge"]);
  expect(await billDue()(made.accountId)).toBe(false);
});
