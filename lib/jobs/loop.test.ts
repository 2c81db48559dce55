import { expect, onTestFinished, test, vi } from "vitest";
import { wakeHere } from "@/lib/due/wake";
import { type Loop, startLoop } from "@/lib/jobs/loop";

/** Far longer than a test: a loop that looks again within a test was woken, or had more to do. */
const NEVER_MS = 3_600_000;

/** A started loop whose batches each wait until the test ends them. */
function start(settings: Partial<Loop> = {}) {
  type Batch = { end: (more: boolean) => void; fail: () => void };
  const batches: Batch[] = [];
  const failures: unknown[] = [];
  const run = () =>
    new Promise<boolean>((end, fail) => batches.push({ end, fail: () => fail(new Error("the batch failed")) }));
  const stop = startLoop({ name: "test", everyMs: NEVER_MS, on: "events", run, ...settings }, (error) =>
    failures.push(error),
  );
  onTestFinished(() => {
    for (const { end } of batches) end(false);
    return stop();
  });
  /** Resolves with the batch of this number when it has begun. */
  const batch = (number: number) => vi.waitFor(() => batches[number - 1] ?? Promise.reject(new Error("not begun")));
  return { batches, failures, batch, stop };
}

/** Lets everything happen that happens without a wake, a batch's end or a long pause. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 60));

test("a batch begins at once, and the next one only after a batch that left more, a wake, or the pause", async () => {
  const { batches, batch } = start();
  (await batch(1)).end(true);
  (await batch(2)).end(false);
  await settle();
  expect(batches).toHaveLength(2);
  wakeHere("events");
  await batch(3);

  const frequent = start({ everyMs: 5 });
  (await frequent.batch(1)).end(false);
  await frequent.batch(2);
});

test("a loop never overlaps itself, however often it is woken", async () => {
  const { batches, batch } = start({ everyMs: 1 });
  await batch(1);
  for (let time = 0; time < 10; time += 1) wakeHere("events");
  await settle();
  expect(batches).toHaveLength(1);
});

test("a wake during a batch is not lost, and many lead to one batch", async () => {
  const { batches, batch } = start();
  const first = await batch(1);
  for (let time = 0; time < 10; time += 1) wakeHere("events");
  first.end(false);
  (await batch(2)).end(false);
  await settle();
  expect(batches).toHaveLength(2);
});

test("another topic wakes no loop but its own", async () => {
  const { batches, batch } = start();
  (await batch(1)).end(false);
  wakeHere("watches");
  await settle();
  expect(batches).toHaveLength(1);
});

test("after a batch that failed a loop pauses for a second, whatever wakes it, and tries again by itself", async () => {
  const { batches, failures, batch } = start();
  (await batch(1)).fail();
  await vi.waitFor(() => expect(failures).toHaveLength(1));
  const failedAt = performance.now();
  for (let time = 0; time < 10; time += 1) wakeHere("events");
  await vi.waitFor(() => expect(batches).toHaveLength(2), { timeout: 10_000, interval: 10 });
  expect(performance.now() - failedAt).toBeGreaterThan(500);
});

test.each([
  ["waits for the batch under way, and begins none after it", true],
  ["ends a pause", false],
])("a stop %s", async (_, isInProgress) => {
  const { batches, batch, stop } = start();
  const first = await batch(1);
  if (!isInProgress) first.end(false);
  let isOver = false;
  const stopped = stop().then(() => {
    isOver = true;
  });
  await settle();
  expect(isOver).toBe(!isInProgress);
  first.end(true); // more is due, and it is the next worker's
  await stopped;
  wakeHere("events");
  await settle();
  expect(batches).toHaveLength(1);
});

test("a stop ends the pause after a failure", async () => {
  const { batch, stop } = start();
  (await batch(1)).fail();
  await settle();
  const paused = settle().then(() => "paused");
  expect(await Promise.race([stop().then(() => "stopped"), paused])).toBe("stopped");
});
