import { afterEach, expect, test, vi } from "vitest";
import { businessNow, noteDatabaseTime, realNow } from "@/lib/time/clock";

const forget = () => void Object.assign(globalThis, { repasseClock: undefined });
afterEach(() => {
  forget();
  vi.useRealTimers();
});

const AT = Date.parse("2026-11-25T12:00:00Z");

/** Notes that the database showed `at` in the middle of a question that took `tookMs`. */
const note = (at: number, tookMs = 0) => noteDatabaseTime(at, performance.now() - tookMs, performance.now());

test("before the first reading the time is that of the process, and afterwards that of the database", () => {
  vi.useFakeTimers({ toFake: ["Date", "performance"], now: AT + 7_200_000 });
  expect(realNow().getTime()).toBe(AT + 7_200_000);
  note(AT);
  vi.advanceTimersByTime(1_500);
  expect(realNow().getTime()).toBe(AT + 1_500);
  expect(businessNow({ clockOffsetMs: 1_000n }).getTime(), "an account's clock goes by it").toBe(AT + 2_500);
});

test("a step of the process's clock changes nothing, and one of the database's is followed", () => {
  vi.useFakeTimers({ toFake: ["Date", "performance"], now: AT });
  note(AT);
  vi.setSystemTime(AT - 7_200_000);
  expect(realNow().getTime()).toBe(AT);
  note(AT + 7_200_000);
  expect(realNow().getTime()).toBe(AT + 7_200_000);
});

test("the time does not go back for a reading that may be late, and does for one that cannot be", () => {
  vi.useFakeTimers({ toFake: ["Date", "performance"], now: AT });
  note(AT);
  vi.advanceTimersByTime(100);
  note(AT + 20, 100); // taken at 50 ms, give or take 50
  expect(realNow().getTime()).toBe(AT + 100);
  note(AT + 40, 2);
  expect(realNow().getTime()).toBe(AT + 41);
});
