import { expect, onTestFinished, test, vi } from "vitest";
import { concurrencyLimit, concurrencyLimits } from "@/lib/concurrency/limit";

test("a concurrency limit runs a limited number at once, lets a limited number wait in order and refuses the rest; a failure frees its place", async () => {
  const enter = concurrencyLimit(2, 3, () => new Error("full"));
  let [inside, largest] = [0, 0];
  const ended: number[] = [];
  const arrive = (nth: number) =>
    enter(async () => {
      inside += 1;
      largest = Math.max(largest, inside);
      await new Promise((done) => setImmediate(done));
      inside -= 1;
      ended.push(nth);
      if (nth === 1) throw new Error("failed");
      return nth;
    });
  for (const _ of [1, 2]) {
    const outcomes = await Promise.allSettled([0, 1, 2, 3, 4, 5, 6].map(arrive));
    expect(
      outcomes.map((outcome) => (outcome.status === "fulfilled" ? outcome.value : outcome.reason.message)),
    ).toEqual([0, "failed", 2, 3, 4, "full", "full"]);
  }
  expect(largest).toBe(2);
  expect(ended.slice(0, 5)).toEqual([0, 1, 2, 3, 4]);
});

test("a name whose limit is reached keeps no other name waiting, and a limit that has become higher admits more", async () => {
  let width = 1;
  const enter = concurrencyLimits({ width: () => width, waiting: 10 }, () => new Error("full"));
  let open = () => {};
  const opened = new Promise<void>((done) => (open = done));
  const begun: number[] = [];
  const busy = [0, 1, 2, 3].map((nth) =>
    enter("busy", async () => {
      begun.push(nth);
      await opened;
    }),
  );
  expect(await enter("quiet", async () => "served")).toBe("served");
  expect(begun).toEqual([0]);
  width = 2;
  open();
  await Promise.all(busy);
  expect(begun).toEqual([0, 1, 2, 3]);
});

test("work that has waited in the queue for as long as it may is refused and never runs, and its place is not lost", async () => {
  const enter = concurrencyLimits({ width: () => 1, waiting: 10, withinMs: 1 }, () => new Error("too long"));
  let end = () => {};
  const running = enter("one", () => new Promise<void>((done) => (end = done)));
  let ran = false;
  const ranNow = async () => {
    ran = true;
  };
  await expect(enter("one", ranNow)).rejects.toThrow("too long");
  end();
  await running;
  expect(await enter("one", async () => "served")).toBe("served");
  expect(ran).toBe(false);
});

test("a place cools down while others wait for it, and not where nobody does", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const enter = concurrencyLimits({ width: () => 1, waiting: 10, cooldownMs: () => 50 }, () => new Error("full"));
  const begun: number[] = [];
  const work = (nth: number) => enter("one", async () => void begun.push(nth));
  await Promise.all([work(0), enter("other", async () => void begun.push(10))]);
  const some = [work(1), work(2)];
  await some[0];
  await vi.advanceTimersByTimeAsync(49);
  expect(begun).toEqual([0, 10, 1]);
  await vi.advanceTimersByTimeAsync(1);
  await some[1];
  expect(begun).toEqual([0, 10, 1, 2]);
  await work(3); // nobody waited behind the second
});
