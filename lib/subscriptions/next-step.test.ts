import { expect, test } from "vitest";
import { listSubscriptions } from "@/lib/subscriptions/read";
import { SubscriptionQuery } from "@/lib/subscriptions/schema";
import { makeAccount } from "@/lib/testing/make";
import { openRail } from "@/lib/testing/rail";
import { advance, anActive, aPlan, eventsOf, nowOf } from "@/lib/testing/subscriptions";

openRail();

test("who owes is listed with the step that comes next, and the clock reaches it at that instant and not before", async () => {
  const made = await makeAccount();
  const slow = await anActive(made, await aPlan(made, { grace_period_days: 20 }));
  const quick = await anActive(made, await aPlan(made, { grace_period_days: 0 }));
  await advance(made, 31);
  const step = async (token: string) => {
    const { account } = await nowOf(made);
    const { data } = await listSubscriptions(account.id, SubscriptionQuery.parse({ owing: "true" }));
    return data.find((item) => item.token === token)?.next_step;
  };
  expect(await step(quick)).toBeNull();
  const next = await step(slow);
  expect(next?.name).toBe("renew_code");
  const at = new Date(next?.at ?? 0);
  await advance(made, new Date(at.getTime() - 60_000));
  expect(await eventsOf(made, slow)).not.toContain("cycle.retried");
  await advance(made, at);
  expect(await eventsOf(made, slow)).toContain("cycle.retried");
  expect(await step(slow)).toMatchObject({ name: "remind" });
});
