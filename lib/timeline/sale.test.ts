import { expect, test } from "vitest";
import { makeAccount } from "@/lib/testing/make";
import { openRail } from "@/lib/testing/rail";
import { advance, aPlan, enrolled, timelineOf } from "@/lib/testing/subscriptions";

openRail();

test("a sale's timeline on a clock that was moved ahead is the newest first by real time, with both times where they differ", async () => {
  const made = await makeAccount();
  const { sale } = await enrolled(made, await aPlan(made));
  await advance(made, 10);
  const timeline = await timelineOf(made, "transaction", sale);
  expect(timeline.map(({ kind, status }) => [kind, status])).toEqual([
    ["event", "expired"],
    ["event", "pending"],
  ]);
  const [expired, created] = timeline;
  expect(created).toMatchObject({ at: expect.any(String), real_at: null });
  expect(Date.parse(expired?.at ?? "") - Date.parse(expired?.real_at ?? "")).toBeGreaterThan(2 * 86_400_000);
  expect(Date.parse(expired?.real_at ?? "")).toBeGreaterThanOrEqual(Date.parse(created?.at ?? "") - 1_000);
});
