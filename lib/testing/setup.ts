import { afterAll, afterEach, expect, vi } from "vitest";

/** An unexpected `console.error` fails the test that caused it. */
const error = vi.spyOn(console, "error");

afterEach(() => {
  expect(error.mock.calls).toEqual([]);
  error.mockClear();
});

/** The next file of the process begins with the process's own clock, which its tests may set. */
afterAll(() => {
  vi.useRealTimers();
  Object.assign(globalThis, { repasseClock: undefined, repasseClockSkew: undefined });
});
