import fc from "fast-check";
import { expect, test } from "vitest";
import { priceOfDays, prorated, typeOf } from "@/lib/billing/proration";

const plan = (amount: number, periodicityDays: number) => ({ amount: BigInt(amount), periodicityDays });

test.each([
  ["half of a month, twice the price", [3_000, 30], [6_000, 30], 15, 1_500],
  ["a whole period costs the difference", [3_000, 30], [6_000, 30], 30, 3_000],
  ["no day is left", [3_000, 30], [6_000, 30], 0, 0],
  ["a half of an even cent goes down", [100, 30], [105, 30], 3, 0],
  ["a half of an odd cent goes up", [100, 30], [105, 30], 9, 2],
  ["the price a day counts, not that of the period", [3_000, 30], [1_000, 7], 21, 900],
  ["a cheaper day costs nothing", [1_000, 7], [3_000, 30], 5, 0],
  ["the same price a day costs nothing", [700, 7], [3_000, 30], 5, 0],
  ["the largest amounts stay exact", [1, 3_650], [999_999_999_999, 1], 3_650, 3_649_999_999_996_349],
] as const)("%s", (_, [amount, days], [newAmount, newDays], left, cents) => {
  expect(prorated(plan(amount, days), plan(newAmount, newDays), left)).toBe(cents);
});

const anyPlan = fc
  .record({ amount: fc.integer({ min: 1, max: 99_999_999 }), days: fc.integer({ min: 1, max: 3_650 }) })
  .map(({ amount, days }) => plan(amount, days));

test("a proration is between nothing and the difference of a full period, and grows with the days that are left", () => {
  fc.assert(
    fc.property(anyPlan, anyPlan, fc.double({ min: 0, max: 1, noNaN: true }), (from, to, part) => {
      const left = Math.floor(from.periodicityDays * part);
      const full = prorated(from, to, from.periodicityDays);
      const price = prorated(from, to, left);
      expect(price).toBeGreaterThanOrEqual(0);
      expect(price).toBeLessThanOrEqual(full);
      expect(prorated(from, to, Math.max(0, left - 1))).toBeLessThanOrEqual(price);
      const exact = typeOf(from, to) === "upgrade" ? priceOfDays(to, from.periodicityDays) - Number(from.amount) : 0;
      expect(Math.abs(full - exact)).toBeLessThanOrEqual(1); // both are rounded, and a half goes to the even cent
    }),
    { numRuns: 2_000 },
  );
});

test("the way back of an upgrade is a downgrade, and only the same price a day is neither", () => {
  const back = { upgrade: "downgrade", downgrade: "upgrade", same_value: "same_value" };
  fc.assert(
    fc.property(anyPlan, anyPlan, (from, to) => {
      expect(typeOf(to, from)).toBe(back[typeOf(from, to)]);
      const isSame = from.amount * BigInt(to.periodicityDays) === to.amount * BigInt(from.periodicityDays);
      expect(typeOf(from, to) === "same_value").toBe(isSame);
    }),
  );
});
