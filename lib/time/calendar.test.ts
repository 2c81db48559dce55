import { expect, test } from "vitest";
import { endOfDay, lastInstant, localTime } from "@/lib/time/calendar";

test.each([
  ["at a midnight is the last second of the day before", endOfDay("2026-11-27"), "2026-11-27 23:59:59"],
  ["at another time is that time", new Date("2026-11-27T17:05:00Z"), "2026-11-27 14:05:00"],
  ["at a midnight in UTC is that time here", new Date("2026-11-28T00:00:00Z"), "2026-11-27 21:00:00"],
])("an end %s", (_, end, shown) => {
  expect(localTime(lastInstant(end))).toBe(shown);
});
