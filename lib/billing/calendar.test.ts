import fc from "fast-check";
import { expect, test } from "vitest";
import { addDays, type Calendar, dayOf, daysBetween, dueDayOf, firstCycleFrom, startOf } from "@/lib/billing/calendar";

/** São Paulo and New York change their clocks, at midnight and at two; Apia once left out a whole day. */
const zones = ["America/Sao_Paulo", "America/New_York", "Asia/Kolkata", "Pacific/Apia", "Africa/Cairo", "UTC"] as const;
const DAYS = 60 * 366;
const EPOCH = "1985-01-01";

const zone = fc.constantFrom(...zones);
const day = fc.integer({ min: 0, max: DAYS }).map((days) => addDays(EPOCH, days));
const inDays = fc
  .record({
    anchor: day,
    anchorCycle: fc.integer({ min: 1, max: 500 }),
    periodicityDays: fc.integer({ min: 1, max: 400 }),
  })
  .map((calendar): Calendar => ({ ...calendar, inMonths: false }));
const inMonths = fc
  .record({
    ...{ anchor: day, anchorCycle: fc.integer({ min: 1, max: 500 }) },
    periodicityDays: fc.constantFrom(30, 90, 180, 365),
  })
  .map((calendar): Calendar => ({ ...calendar, inMonths: true }));
const weeks = inMonths.map((calendar): Calendar => ({ ...calendar, periodicityDays: 7 }));
const anyCalendar = fc.oneof(inDays, inMonths, weeks);

/** The local day of an instant by the platform's own tables. */
const localDay = (at: Date, timeZone: string) =>
  new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" }).format(at);

/** Apia went from 29 to 31 December 2011. */
const never = (one: string, where: string) => where === "Pacific/Apia" && one === "2011-12-30";

test("a day begins at its first instant, and the instant before is of an earlier day", () => {
  fc.assert(
    fc.property(day, zone, (one, where) => {
      const start = startOf(one, where);
      expect(localDay(start, where)).toBe(never(one, where) ? "2011-12-31" : one);
      expect(localDay(new Date(start.getTime() - 1), where) < one).toBe(true);
      expect(dayOf(start, where)).toBe(localDay(start, where));
    }),
    { numRuns: 1_000 },
  );
});

test("cycles tile time with no gap and no overlap, whatever anchor, period and zone", () => {
  fc.assert(
    fc.property(
      anyCalendar,
      fc.integer({ min: 0, max: 120 }),
      zone,
      fc.double({ min: 0, max: 1, noNaN: true }),
      (...given) => {
        const [calendar, count, where, part] = given;
        const number = calendar.anchorCycle + count;
        const [begins, ends] = [number, number + 1].map((one) => startOf(dueDayOf(calendar, one), where)) as [
          Date,
          Date,
        ];
        const isNever = never(dueDayOf(calendar, number), where) && calendar.periodicityDays === 1;
        expect(begins < ends || isNever).toBe(true);
        // An instant within the cycle belongs to it and to no other.
        const within = new Date(begins.getTime() + Math.floor((ends.getTime() - begins.getTime() - 1) * part));
        if (isNever) return;
        const today = dayOf(within, where);
        expect(firstCycleFrom(calendar, addDays(today, 1), calendar.anchorCycle)).toBe(number + 1);
      },
    ),
    { numRuns: 500 },
  );
});

test("a cycle is due a whole number of periods after the anchor, however many were made one after the other", () => {
  fc.assert(
    fc.property(inDays, fc.integer({ min: 0, max: 200 }), (calendar, count) => {
      const due = dueDayOf(calendar, calendar.anchorCycle + count);
      expect(daysBetween(calendar.anchor, due)).toBe(count * calendar.periodicityDays);
      const moved = { ...calendar, anchor: due, anchorCycle: calendar.anchorCycle + count };
      expect(dueDayOf(moved, moved.anchorCycle + 3)).toBe(dueDayOf(calendar, calendar.anchorCycle + count + 3));
    }),
  );
});

test("months are counted from the anchor: the anchor's day of the month, or the month's last", () => {
  fc.assert(
    fc.property(inMonths, fc.integer({ min: 0, max: 200 }), (calendar, count) => {
      const months = { 30: 1, 90: 3, 180: 6, 365: 12 }[calendar.periodicityDays] ?? 0;
      const [year = 0, month = 0, date = 0] = calendar.anchor.split("-").map(Number);
      const due = new Date(Date.UTC(year, month - 1 + count * months, 1));
      const last = new Date(Date.UTC(due.getUTCFullYear(), due.getUTCMonth() + 1, 0)).getUTCDate();
      due.setUTCDate(Math.min(date, last));
      expect(dueDayOf(calendar, calendar.anchorCycle + count)).toBe(due.toISOString().slice(0, 10));
    }),
  );
});

test.each([
  ["a month's end is no new anchor", "2027-01-31", 30, true, ["2027-01-31", "2027-02-28", "2027-03-31", "2027-04-30"]],
  [
    "a leap day comes back after four years",
    "2024-02-29",
    365,
    true,
    ["2024-02-29", "2025-02-28", "2026-02-28", "2027-02-28", "2028-02-29"],
  ],
  ["a period in days is no month", "2027-01-31", 30, false, ["2027-01-31", "2027-03-02", "2027-04-01"]],
  ["weeks are seven days, also by Pix Automático", "2027-02-22", 7, true, ["2027-02-22", "2027-03-01", "2027-03-08"]],
])("%s", (_, anchor, periodicityDays, isInMonths, days) => {
  const calendar = { anchor, anchorCycle: 4, periodicityDays, inMonths: isInMonths };
  expect(days.map((_, place) => dueDayOf(calendar, 4 + place))).toEqual(days);
});

test.each([
  ["begins an hour late where the clocks go forward at midnight", "2018-11-04", undefined, "2018-11-04T03:00:00.000Z"],
  ["is as long as any other where they go back before midnight", "2019-02-17", undefined, "2019-02-17T03:00:00.000Z"],
  ["has its nine o'clock by the clock of the wall", "2018-11-04", 9, "2018-11-04T11:00:00.000Z"],
])("a day in São Paulo %s", (_, one, hour, instant) => {
  expect(startOf(one, "America/Sao_Paulo", hour).toISOString()).toBe(instant);
});
