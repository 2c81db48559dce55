import { expect, test } from "vitest";
import { inParallel } from "@/lib/concurrency/parallel";

test("work in parallel has a limit, and after a failure nothing more is begun", async () => {
  let [inside, largest] = [0, 0];
  const begun: number[] = [];
  const run = async (nth: number) => {
    begun.push(nth);
    inside += 1;
    largest = Math.max(largest, inside);
    await new Promise((done) => setImmediate(done));
    inside -= 1;
    if (nth === 4) throw new Error("failed");
  };
  await inParallel([0, 1, 2, 3], 3, run);
  expect([begun, largest]).toEqual([[0, 1, 2, 3], 3]);
  begun.length = 0;
  await expect(inParallel([3, 4, 5, 6, 7, 8], 2, run)).rejects.toThrow("failed");
  expect(begun).toEqual([3, 4, 5]);
  await inParallel([], 3, run);
});
