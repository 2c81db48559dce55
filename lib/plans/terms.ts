import { type Faults, invalid } from "@/lib/errors";
import { billingMethods } from "@/lib/methods/methods";
import { periodDays, periodOf } from "@/lib/methods/periods";
import type { PlanVersion } from "@/prisma/client/client";

/** What a subscription is billed by. Amount in cents. */
export type Terms = Pick<
  PlanVersion,
  "amount" | "periodicityDays" | "billingAdvanceDays" | "gracePeriodDays" | "maxRetryAttempts" | "billingMethod"
>;

/** How many days before it is due a charge is made, where nothing else is asked for. */
const ADVANCE_DAYS = 5;

/** The advance of a period for which none was asked: a shorter period cannot have the usual one. */
export const usualAdvance = (periodicityDays: number) => Math.min(ADVANCE_DAYS, periodicityDays - 1);

/** Throws 422 for an advance as long as the period, and for a period that Pix Automático does not have. */
export function assertTerms({ periodicityDays, billingAdvanceDays, billingMethod }: Terms) {
  const faults: Faults = {};
  if (billingAdvanceDays >= periodicityDays) {
    faults.billing_advance_days = ["A antecedência deve ser menor que o período."];
  }
  if (billingMethods[billingMethod].by === "mandate" && !periodOf(periodicityDays)) {
    faults.periodicity_days = [`O Pix Automático aceita estes períodos: ${periodDays.join(", ")} dias.`];
  }
  if (Object.keys(faults).length > 0) throw invalid(faults);
}

/** Whether two terms bill alike. */
export const isSame = (one: Terms, other: Terms) =>
  one.amount === other.amount &&
  one.periodicityDays === other.periodicityDays &&
  one.billingAdvanceDays === other.billingAdvanceDays &&
  one.gracePeriodDays === other.gracePeriodDays &&
  one.maxRetryAttempts === other.maxRetryAttempts &&
  one.billingMethod === other.billingMethod;
