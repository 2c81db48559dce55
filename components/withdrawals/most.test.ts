import { expect, test } from "vitest";
import { limitOf, mostOf } from "@/components/withdrawals/most";
import type { WithdrawalTerms } from "@/lib/withdrawals/schema";

const terms: WithdrawalTerms = {
  ...{ available: 900, fee: 1.5, limit: 10_000, day_limit: 50_000, day_left: 50_000, approval_above: null },
  ...{ is_night: false, night_limit: 1_000, night_left: 1_000, new_key_limit: 1_000, new_key_left: 1_000 },
  ...{ is_new: false, stopped_since: null, shows_owner: true, payees: [] },
};

test.each([
  ["what is available, less the fee", {}, true, 898_50, "balance"],
  ["the limit of each", { limit: 500 }, true, 500_00, "each"],
  ["what is left of the day", { day_left: 10 }, true, 10_00, "day"],
  ["what is left of the night", { is_night: true, night_left: 1 }, true, 1_00, "night"],
  ["not less by day because of the night", { night_left: 1 }, true, 898_50, "balance"],
  ["what is left for new keys", { new_key_left: 400 }, false, 400_00, "new_key"],
  ["not less to a known key because of new ones", { new_key_left: 400 }, true, 898_50, "balance"],
  [
    "little after a new password, also to a known key",
    { is_new: true, available: 5_000 },
    true,
    1_000_00,
    "new_person",
  ],
  ["nothing where the balance is below zero", { available: -3 }, true, 0, "balance"],
] as const)("the most that can be withdrawn is %s", (_, changed, isKnown, most, by) => {
  expect(mostOf({ ...terms, ...changed }, isKnown)).toEqual({ most, by });
  expect(limitOf(terms, by)).toBeGreaterThan(0);
});
