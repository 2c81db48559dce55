import { env } from "@/lib/env";
import { decimal } from "@/lib/money";
import type { Plan } from "@/lib/plans/schema";
import type { Plan as PlanRow, PlanVersion, Product } from "@/prisma/client/client";

/** What `presentPlan` needs of a plan beside its own row. */
export const withTerms = { terms: true, product: true } as const;

export const presentPlan = ({
  terms,
  product,
  ...row
}: PlanRow & { terms: PlanVersion; product: Product | null }): Plan => ({
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
  checkout_url: `${env.APP_URL}/checkout/${row.id}`,
  splits: [], // nobody can be invited yet
  is_default: row.isDefault,
  display_order: row.displayOrder,
  active_subscriptions_count: 0, // nobody can subscribe yet
  product: product && { reference_id: product.id, name: product.name, image_url: null },
});
