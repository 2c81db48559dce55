import { expect, test } from "vitest";
import { gate } from "@/lib/batch";

test("a gate lets so many in at once, so many wait in order, and no more come; a place is free again after a failure", async () => {
  const enter = gate(2, 3, () => new Error("full"));
  let [inside, most] = [0, 0];
  const ended: number[] = [];
  const come = (nth: number) =>
    enter(async () => {
      inside += 1;
      most = Math.max(most, inside);
      await new Promise((done) => setImmediate(done));
      inside -= 1;
      ended.push(nth);
      if (nth === 1) throw new Error("failed");
      return nth;
    });
  for (const _ of [1, 2]) {
    const outcomes = await Promise.allSettled([0, 1, 2, 3, 4, 5, 6].map(come));
    expect(
      outcomes.map((outcome) => (outcome.status === "fulfilled" ? outcome.value : outcome.reason.message)),
    ).toEqual([0, "failed", 2, 3, 4, "full", "full"]);
  }
  expect(most).toBe(2);
  expect(ended.slice(0, 5)).toEqual([0, 1, 2, 3, 4]);
});
