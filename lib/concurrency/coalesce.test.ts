import { expect, test } from "vitest";
import { coalesceBy } from "@/lib/concurrency/coalesce";

test("what one name asks at once is served together, apart from what others ask, and each gets its own answer or error", async () => {
  const runs: [string, readonly number[]][] = [];
  const double = coalesceBy(async (name, asked: readonly number[]) => {
    runs.push([name, asked]);
    return asked.map((nth) => (nth === 2 ? new Error("two") : nth * 2));
  });
  const asked = [double("a", 1), double("b", 1), double("a", 2), double("a", 3)];
  const outcomes = await Promise.allSettled(asked);
  expect(outcomes.map((one) => (one.status === "fulfilled" ? one.value : one.reason.message))).toEqual([
    2,
    2,
    "two",
    6,
  ]);
  expect(runs).toEqual([
    ["a", [1, 2, 3]],
    ["b", [1]],
  ]);
  expect(await double("a", 5)).toBe(10);
});
