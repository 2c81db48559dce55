import { cents } from "@/components/format";
import type { WithdrawalTerms } from "@/lib/withdrawals/schema";

/** What keeps the amount of a withdrawal down. */
export type Bound = "balance" | "each" | "day" | "night" | "new_key" | "new_person";

/** The most that can be withdrawn to a key now, in cents, and what keeps it there. A key is known if it was paid a day ago or before. */
export function mostOf(terms: WithdrawalTerms, isKnown: boolean): { most: number; by: Bound } {
  const bounds: [Bound, number][] = [
    ["balance", cents(terms.available) - cents(terms.fee)],
    ["each", cents(terms.limit)],
    ["day", cents(terms.day_left)],
  ];
  if (terms.is_night) bounds.push(["night", cents(terms.night_left)]);
  if (terms.is_new || !isKnown) bounds.push([terms.is_new ? "new_person" : "new_key", cents(terms.new_key_left)]);
  const [by, most] = bounds.reduce((least, bound) => (bound[1] < least[1] ? bound : least));
  return { most: Math.max(most, 0), by };
}

/** The limit itself of what keeps the amount down, in cents. */
export const limitOf = (terms: WithdrawalTerms, by: Bound) =>
  cents(
    {
      ...{ balance: terms.available, each: terms.limit, day: terms.day_limit, night: terms.night_limit },
      ...{ new_key: terms.new_key_limit, new_person: terms.new_key_limit },
    }[by],
  );
