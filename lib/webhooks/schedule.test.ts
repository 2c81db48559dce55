import { expect, test } from "vitest";
import { isDead, isFading, retryAfterOf, waitAfter } from "@/lib/webhooks/schedule";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const middle = () => 0.5;

test("the waits are those of the table, and none follows the last", () => {
  const waits = Array.from({ length: 11 }, (_, index) => waitAfter(index + 1, null, middle));
  const table = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];
  expect(waits).toEqual([...table, null, null]);
});

test("jitter changes a wait by up to a tenth, both ways", () => {
  expect(waitAfter(2, null, () => 0)).toBe(270_000);
  expect(waitAfter(2, null, () => 0.999999)).toBeCloseTo(330_000, -1);
});

test("Retry-After lengthens a wait, up to a day, and never shortens one", () => {
  expect(waitAfter(1, 120 * SECOND, middle)).toBe(120 * SECOND);
  expect(waitAfter(2, SECOND, middle)).toBe(5 * MINUTE);
  expect(waitAfter(1, 72 * HOUR, middle)).toBe(24 * HOUR);
});

test.each([
  ["120", 120_000],
  ["0", 0],
  ["Sat, 31 Jan 2026 12:00:30 GMT", 30_000],
  ["Sat, 31 Jan 2026 11:00:00 GMT", 0],
  ["soon", null],
  ["-5", null],
  ["", null],
  [undefined, null],
] as const)("Retry-After %j is %j ms", (header, expected) => {
  expect(retryAfterOf(header, new Date("2026-01-31T12:00:00Z"))).toBe(expected);
});

test("a webhook is disabled only after 12 failures that also span 24 hours", () => {
  const now = new Date("2026-01-31T12:00:00Z");
  const since = (hours: number) => new Date(now.getTime() - hours * HOUR);
  expect(isDead({ failuresInRow: 12, failingSince: since(24) }, now)).toBe(true);
  expect(isDead({ failuresInRow: 11, failingSince: since(240) }, now)).toBe(false);
  expect(isDead({ failuresInRow: 1200, failingSince: since(23.9) }, now)).toBe(false);
  expect(isDead({ failuresInRow: 0, failingSince: null }, now)).toBe(false);
  expect(isFading({ failuresInRow: 6, failingSince: since(12) }, now)).toBe(true);
  expect(isFading({ failuresInRow: 5, failingSince: since(12) }, now)).toBe(false);
});
