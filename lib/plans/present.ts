import { env } from "@/lib/env";
import { decimal, reais } from "@/lib/money";
import type { Plan, PlanSplit } from "@/lib/plans/schema";
import { imageUrl } from "@/lib/products/present";
import { isoLocal } from "@/lib/time/calendar";
import type { PlanSplit as PlanSplitRow, Prisma } from "@/prisma/client/client";

/** What `presentPlan` needs of a plan beside its own row: its splits are those that count, the oldest first. */
export const withTerms = {
  terms: true,
  product: true,
  splits: { where: { status: { in: ["pending", "accepted"] } }, orderBy: { id: "asc" } },
} satisfies Prisma.PlanInclude;

type PlanRow = Prisma.PlanGetPayload<{ include: typeof withTerms }>;

/** `activeOf` is how many active subscriptions a plan has. */
export const presentPlan = (activeOf: (planId: string) => number) => (plan: PlanRow) =>
  present(plan, activeOf(plan.id));

const present = ({ terms, product, splits, ...row }: PlanRow, active: number): Plan => ({
  token: row.id,
  name: row.name,
  description: row.description,
  amount: decimal(terms.amount),
  periodicity_days: terms.periodicityDays,
  billing_advance_days: terms.billingAdvanceDays,
  grace_period_days: terms.gracePeriodDays,
  max_retry_attempts: terms.maxRetryAttempts,
  billing_method: terms.billingMethod,
  status: row.status,
  checkout_url: checkoutUrl(row.id),
  return_url: row.returnUrl,
  cancel_url: row.cancelUrl,
  splits: splits.map(presentSplit),
  is_default: row.isDefault,
  display_order: row.displayOrder,
  active_subscriptions_count: active,
  product: product && { reference_id: product.id, name: product.name, image_url: imageUrl(product) },
});

/** Where anybody subscribes to a plan. */
export const checkoutUrl = (planId: string) => `${env.APP_URL}/checkout/${planId}`;

const presentSplit = (split: PlanSplitRow): PlanSplit => ({
  email: split.email,
  name: split.name,
  percentage: reais(split.basisPoints), // hundredths of a percent, as cents are of a real
  status: split.status,
  invited_at: isoLocal(split.invitedAt),
  accepted_at: split.acceptedAt && isoLocal(split.acceptedAt),
});
