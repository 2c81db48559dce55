import { decimalOf } from "@/components/splits/percentage";
import { decimal } from "@/lib/money";
import type { Plan } from "@/lib/plans/schema";
import { plain } from "@/lib/typed";

/** What the form holds; the amount in cents. */
export type PlanValues = {
  name: string;
  amount: number;
  billing_method: Plan["billing_method"];
  periodicity_days: string;
  /** Whom to invite with a new plan; percentages as typed. */
  splits: { email: string; percentage: string }[];
};

export const emptyPlan: PlanValues = {
  name: "",
  amount: 0,
  billing_method: "qr_code",
  periodicity_days: "30",
  splits: [],
};

/** The request's body. */
export const planBody = ({ amount, periodicity_days, splits, ...rest }: PlanValues) => ({
  ...rest,
  amount: decimal(amount),
  periodicity_days: Number(plain(periodicity_days)),
  splits: splits.map(({ email, percentage }) => ({ email, percentage: decimalOf(percentage) })),
});
