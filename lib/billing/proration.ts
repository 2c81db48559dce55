import { rounded } from "@/lib/money";
import type { Terms } from "@/lib/plans/terms";

export type ChangeType = "upgrade" | "downgrade" | "same_value";

type Priced = Pick<Terms, "amount" | "periodicityDays">;

/** Whether a plan costs more a day than another one, less, or the same. */
export function typeOf(from: Priced, to: Priced): ChangeType {
  const [before, after] = perDay(from, to);
  if (after === before) return "same_value";
  return after > before ? "upgrade" : "downgrade";
}

/**
 * What an upgrade costs for the whole local days that are left of the paid period, in cents: the difference of both plans'
 * prices a day, rounded once.
 */
export function prorated(from: Priced, to: Priced, daysLeft: number): number {
  const [before, after] = perDay(from, to);
  if (after <= before) return 0;
  return rounded((after - before) * BigInt(daysLeft), BigInt(from.periodicityDays) * BigInt(to.periodicityDays));
}

/** Both prices a day, as numerators over the product of both periods. */
const perDay = (from: Priced, to: Priced): [before: bigint, after: bigint] => [
  from.amount * BigInt(to.periodicityDays),
  to.amount * BigInt(from.periodicityDays),
];

/** What so many days of a plan cost, in cents, for the lines that explain a proration. */
export const priceOfDays = ({ amount, periodicityDays }: Priced, days: number): number =>
  rounded(amount * BigInt(days), BigInt(periodicityDays));
