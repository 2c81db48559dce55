import { expect, test } from "vitest";
import { cancelSubscription } from "@/lib/subscriptions/cancel";
import { changePlan } from "@/lib/subscriptions/change-plan";
import { resendCharge } from "@/lib/subscriptions/resend";
import { call, makeAccount } from "@/lib/testing/make";
import { openRail } from "@/lib/testing/rail";
import { makeShop } from "@/lib/testing/shop";
import { advance, anActive, aPlan, enrolledByCard, nowOf, putCard, shown } from "@/lib/testing/subscriptions";

openRail();

const DAY_MS = 86_400_000;

test("a code that is asked for again is never valid for less time than the one that it replaces", async () => {
  const made = await makeShop();
  const { token } = await enrolledByCard(made, await aPlan(made, { billing_method: "credit_card" }));
  await putCard(made, token, "4000000000009979");
  await advance(made, 31);
  const [refused] = (await shown(made, token)).charges;
  const { charge } = await resendCharge((await nowOf(made)).account, { id: token }, call());
  expect(charge.expires_at).toBe(refused?.expires_at);
});

test("the code of a suspended subscription is valid for the grace from the day on which it is asked for", async () => {
  const made = await makeAccount();
  const token = await anActive(made, await aPlan(made, { grace_period_days: 4 }));
  await advance(made, 50);
  const { account } = await nowOf(made);
  const { charge } = await resendCharge(account, { id: token }, call());
  const validMs = Date.parse(charge.expires_at) - (Date.now() + Number(account.clockOffsetMs));
  expect(Math.ceil(validMs / DAY_MS)).toBe(5); // the day on which it is asked for, and four more
  await advance(made, 5);
  expect(await shown(made, token)).toMatchObject({ status: "suspended", charges: [{ status: "expired" }, {}] });
});

test("an upgrade that is not paid lapses, also where the subscription is to end", async () => {
  const made = await makeAccount();
  const token = await anActive(made, await aPlan(made));
  const better = await aPlan(made, { name: "Melhor", amount: "99.90" });
  await changePlan(made.account, { id: token, new_plan_token: better, reason: null }, call());
  await cancelSubscription(made.account, { id: token, reason: null, at_period_end: true }, call());
  await advance(made, 4);
  expect(await shown(made, token)).toMatchObject({
    status: "active",
    charges: [{ kind: "upgrade", status: "expired" }, { status: "paid" }],
  });
  await advance(made, 26);
  expect(await shown(made, token)).toMatchObject({ status: "cancelled" });
});
