import { z } from "zod";
import { limits } from "@/lib/limits";
import { PageQuery, pageOf } from "@/lib/lists/pagination";
import { InviteInput } from "@/lib/splits/schema";
import { Amount } from "@/lib/typed/amount";
import { WayBackChange, WayBackInput, wayBackMembers } from "@/lib/way-back/schema";
import { BillingMethod, PlanStatus, SplitStatus } from "@/prisma/client/enums";

const status = z.enum(PlanStatus);
const name = z.string().trim().min(1, "Campo obrigatório.").max(255);
const description = z.string().trim().max(2_000);
const days = (least: number) => z.int().min(least).max(3_650);
const retries = z.int().min(0).max(20);
const displayOrder = z.int().min(0).max(1_000_000);

/** A plan as a seller sends it. What has no default here is worked out by `lib/plans/create.ts`. */
export const PlanInput = z.object({
  name,
  description: description.nullish().transform((text) => text ?? ""),
  amount: Amount,
  billing_method: z.enum(BillingMethod),
  periodicity_days: days(1).default(30),
  billing_advance_days: days(0).optional(),
  grace_period_days: days(0).default(3),
  max_retry_attempts: retries.default(3),
  status: z.enum(["active", "inactive"]).default("active"),
  is_default: z.boolean().default(false),
  display_order: displayOrder.optional(),
  ...WayBackInput,
  /** Whom to invite with the plan; all of them or no plan. */
  splits: z
    .array(InviteInput)
    .max(limits.splits)
    .nullish()
    .transform((list) => list ?? []),
});
export type PlanInput = z.output<typeof PlanInput>;

/** A change keeps what it does not name. */
export const PlanChange = z.object({
  name: name.optional(),
  description: description.optional(),
  amount: Amount.optional(),
  billing_method: z.enum(BillingMethod).optional(),
  periodicity_days: days(1).optional(),
  billing_advance_days: days(0).optional(),
  grace_period_days: days(0).optional(),
  max_retry_attempts: retries.optional(),
  status: status.optional(),
  is_default: z.boolean().optional(),
  display_order: displayOrder.optional(),
  ...WayBackChange,
});
export type PlanChange = z.output<typeof PlanChange>;

const time = z.string().meta({ description: "ISO 8601 with an offset", example: "2026-01-31T09:00:00-03:00" });

const PlanSplit = z.object({
  email: z.string(),
  name: z.string(),
  percentage: z.number().meta({ description: "Percent of the net value", example: 12.5 }),
  status: z.enum(SplitStatus),
  invited_at: time,
  accepted_at: time.nullable(),
});
export type PlanSplit = z.output<typeof PlanSplit>;

export const Plan = z.object({
  token: z.uuid(),
  name: z.string(),
  description: z.string(),
  amount: z.string().meta({ description: "Reais, two decimals", example: "19.99" }),
  periodicity_days: z.int(),
  billing_advance_days: z.int(),
  grace_period_days: z.int(),
  max_retry_attempts: z.int(),
  billing_method: z.enum(BillingMethod),
  status,
  checkout_url: z.string(),
  ...wayBackMembers,
  splits: z.array(PlanSplit),
  is_default: z.boolean(),
  display_order: z.int(),
  active_subscriptions_count: z.int(),
  product: z.object({ reference_id: z.uuid(), name: z.string(), image_url: z.string().nullable() }).nullable(),
});
export type Plan = z.output<typeof Plan>;

export const PlanAnswer = z.object({ data: Plan });
export type PlanAnswer = z.output<typeof PlanAnswer>;
export const RemovedPlan = z.object({ message: z.string() });

/** The plans of a product in their new order. */
export const PlanOrder = z.object({
  tokens: z.array(z.uuid().transform((value) => value.toLowerCase())).max(limits.plans),
});
export type PlanOrder = z.output<typeof PlanOrder>;
export const OrderedPlans = z.object({ data: z.array(Plan.pick({ token: true, display_order: true })) });

/** Without a status the list has no archived plans. */
export const PlanQuery = PageQuery.extend({
  status: status.optional(),
  search: z.string().trim().max(200).optional(),
});
export type PlanQuery = z.output<typeof PlanQuery>;
export const PlanPage = pageOf(Plan);
export type PlanPage = z.output<typeof PlanPage>;
