import { decimalOf } from "@/components/splits/percentage";
import { decimal } from "@/lib/money";
import type { Plan } from "@/lib/plans/schema";
import { plain } from "@/lib/typed/text";

/** The periods that have a name, in days, and any other one. */
export const periods = ["7", "30", "90", "365", "other"] as const;

/** What the form holds; the amount in cents. */
export type PlanValues = {
  name: string;
  amount: number;
  billing_method: Plan["billing_method"];
  period: (typeof periods)[number];
  /** Of another period than those that have a name. */
  periodicity_days: string;
  return_url: string;
  cancel_url: string;
  /** Whom to invite with a new plan; percentages as typed. */
  splits: { email: string; percentage: string }[];
};

export const emptyPlan: PlanValues = {
  name: "",
  amount: 0,
  billing_method: "qr_code",
  ...periodOf(30),
  return_url: "",
  cancel_url: "",
  splits: [],
};

/** How the form holds a period of so many days. */
export function periodOf(days: number): Pick<PlanValues, "period" | "periodicity_days"> {
  const period = periods.find((one) => one === String(days)) ?? "other";
  return { period, periodicity_days: period === "other" ? String(days) : "" };
}

/** The days of the period that was chosen; not a number where none was typed. */
export const daysOf = ({ period, periodicity_days }: Pick<PlanValues, "period" | "periodicity_days">): number =>
  Number((period === "other" ? plain(periodicity_days).trim() : period) || Number.NaN);

/** The request's body. */
export const planBody = ({ amount, period, periodicity_days, splits, ...rest }: PlanValues) => ({
  ...rest,
  amount: decimal(amount),
  periodicity_days: daysOf({ period, periodicity_days }),
  splits: splits.map(({ email, percentage }) => ({ email, percentage: decimalOf(percentage) })),
});
