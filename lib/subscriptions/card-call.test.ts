import { afterAll, beforeAll, expect, test } from "vitest";
import { chargeWaitingCards } from "@/lib/billing/charge-cards";
import { changePlan } from "@/lib/subscriptions/change-plan";
import { call } from "@/lib/testing/make";
import { serveRail, whileDown } from "@/lib/testing/rail";
import { makeShop } from "@/lib/testing/shop";
import { advance, aPlan, enrolledByCard, eventsOf, nowOf, putCard, shown } from "@/lib/testing/subscriptions";

let rail: Awaited<ReturnType<typeof serveRail>>;
beforeAll(async () => {
  rail = await serveRail();
});
afterAll(() => rail.close());

test("an upgrade whose charge never reached the acquirer has failed, and can be asked for again", async () => {
  const made = await makeShop();
  const byCard = { billing_method: "credit_card" };
  const { token } = await enrolledByCard(made, await aPlan(made, byCard));
  const better = await aPlan(made, { ...byCard, name: "Melhor", amount: "99.90" });
  const upgrade = async () =>
    changePlan((await nowOf(made)).account, token, { new_plan_token: better, reason: null }, call());
  await upgrade();
  await whileDown(() => chargeWaitingCards(made.accountId));
  const failed = await shown(made, token);
  expect(failed).toMatchObject({ status: "active", charges: [{ kind: "upgrade", status: "failed" }, {}] });
  expect(failed.allowed_actions).toContain("change_plan");
  expect((await eventsOf(made, token)).slice(-2)).toEqual(["cycle.created", "cycle.failed"]);

  await upgrade();
  await chargeWaitingCards(made.accountId);
  expect(await shown(made, token)).toMatchObject({ plan: { name: "Melhor" }, charges: [{ status: "paid" }, {}, {}] });
});

test("a suspended subscription whose new card could not be asked about says so, and takes another one", async () => {
  const made = await makeShop();
  const { token } = await enrolledByCard(made, await aPlan(made, { billing_method: "credit_card" }));
  await putCard(made, token, "4000000000009979");
  await advance(made, 31);
  await putCard(made, token, "4111111111111111");
  await whileDown(() => chargeWaitingCards(made.accountId));
  expect((await eventsOf(made, token)).at(-1)).toBe("cycle.failed");
  expect(await shown(made, token)).toMatchObject({ status: "suspended", charges: [{ status: "pending" }, {}] });

  await putCard(made, token, "4111111111111111");
  await chargeWaitingCards(made.accountId);
  expect(await shown(made, token)).toMatchObject({ status: "active", charges: [{ status: "paid" }, {}] });
});
