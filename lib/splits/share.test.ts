import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MAX_AMOUNT, portion, sharesOf } from "@/lib/money";
import { restOf } from "@/lib/splits/share";

const cents = fc.integer({ min: 1, max: MAX_AMOUNT });

describe("shares", () => {
  test.each([
    [100, [3_333, 3_333, 3_333], [33, 33, 33]],
    [1, [5_000, 4_900], [0, 0]], // half a cent goes to the even 0
    [3, [5_000, 4_900], [2, 1]], // both round up, so the last gets only what is left
    [9_801, [1_000, 500], [980, 490]],
    [0, [5_000], [0]],
  ])("of %d cents by %j basis points are %j", (net, points, expected) => {
    expect(sharesOf(net, points)).toEqual(expected);
  });

  test("and the seller's rest add up to the net for every set of percentages up to two decimals", () => {
    const points = fc.array(fc.integer({ min: 1, max: 10_000 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(cents, points, (net, wished) => {
        const total = wished.reduce((sum, point) => sum + point, 0);
        const set = total > 10_000 ? wished.map((point) => Math.floor((point * 10_000) / total)) : wished;
        const shares = sharesOf(net, set);
        const rest = restOf(
          net,
          shares.map((amount) => ({ id: "", recipientId: "", name: "", basisPoints: 0, amount })),
        );
        expect(rest).toBeGreaterThanOrEqual(0);
        for (const [index, share] of shares.entries()) {
          expect(share).toBeGreaterThanOrEqual(0);
          expect(share).toBeLessThanOrEqual(portion(net, set[index] ?? 0));
        }
        // A share is smaller than its part only when the shares before it used up the last cents.
        if (rest > 0) expect(shares).toEqual(set.map((point) => portion(net, point)));
      }),
      { numRuns: 1_000 },
    );
  });
});
