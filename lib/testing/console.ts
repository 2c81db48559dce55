import { afterEach, expect, vi } from "vitest";

/** An unexpected `console.error` fails the test that caused it. */
const error = vi.spyOn(console, "error");

afterEach(() => {
  expect(error.mock.calls).toEqual([]);
  error.mockClear();
});
