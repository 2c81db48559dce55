import { z } from "zod";
import { Device } from "@/lib/charges/schema";
import { CursorMeta, CursorQuery, pageOf } from "@/lib/lists/pagination";
import { allActions } from "@/lib/subscriptions/actions";
import { time } from "@/lib/time/schema";
import { trackingMembers } from "@/lib/transactions/tracking";
import { Document, Email, OptionalSentPhone } from "@/lib/typed/fields";
import { BillingMethod, CycleKind, CycleStatus, MandateStatus, SubscriptionStatus } from "@/prisma/client/enums";

const money = z.string().meta({ description: "Reais, two decimals", example: "19.99" });
const nullableText = z.string().nullable();
const reason = z
  .string()
  .trim()
  .max(500)
  .nullish()
  .transform((text) => text || null);

const status = z.enum(SubscriptionStatus);

/** POST …/enroll. */
export const EnrollBody = z.object({
  name: z.string().trim().min(1, "Campo obrigatório.").max(255),
  email: Email,
  document: Document,
  phone: OptionalSentPhone,
  card: z.object({ token: z.string().max(200) }).nullish(),
  device: Device.nullish(),
  ...trackingMembers,
});
export type EnrollBody = z.output<typeof EnrollBody>;

const Payment = z.object({ pix_code: nullableText, qr_code: nullableText, identifier: z.uuid().nullable() });

/** POST …/enroll: the answer. */
export const Enrolled = z.object({
  subscription_token: z.uuid(),
  status,
  billing_method: z.enum(BillingMethod),
  payment: Payment.extend({ expires_at: time.nullable() }),
});
export type Enrolled = z.output<typeof Enrolled>;

export const Charge = z.object({
  cycle_number: z.int(),
  kind: z.enum(CycleKind),
  amount: money,
  status: z.enum(CycleStatus),
  due_date: z.string().meta({
    description: "A day of the account's zone; by Pix it is in time until that day ends",
    example: "2026-01-31",
  }),
  expires_at: time,
  paid_at: time.nullable(),
  payment: Payment,
});
export type Charge = z.output<typeof Charge>;

const PlanOfSubscription = z.object({
  token: z.uuid(),
  name: z.string(),
  amount: money,
  periodicity_days: z.int(),
  billing_method: z.enum(BillingMethod),
  product: z.object({ reference_id: z.uuid(), name: z.string() }).nullable(),
});

/** The payer's permission to be debited by Pix Automático. */
const Mandate = z.object({
  id: z.string().nullable(),
  status: z.enum(MandateStatus),
  authorized_at: time.nullable(),
  cancelled_at: time.nullable().meta({ description: "When it was cancelled or rejected, or expired" }),
  cancelled_by: nullableText,
  cancel_reason: nullableText.meta({ description: "The code of its rail for why it ended" }),
  created_at: time,
});

export const SubscriptionItem = z.object({
  token: z.uuid(),
  status,
  subscriber_name: z.string(),
  subscriber_email: z.string(),
  subscriber_document: z.string(),
  subscriber_phone: nullableText,
  started_at: time.nullable(),
  next_charge_at: time.nullable(),
  overdue_since: time.nullable(),
  suspended_at: time.nullable(),
  paused_at: time.nullable(),
  resumes_at: time.nullable(),
  ends_at: time.nullable(),
  cancelled_at: time.nullable(),
  retry_count: z.int(),
  /** What it owes; null where nothing is open. */
  amount_due: money.nullable(),
  allowed_actions: z.array(z.enum(allActions)),
  plan: PlanOfSubscription,
  mandate: Mandate.nullable(),
  created_at: time,
});
export type SubscriptionItem = z.output<typeof SubscriptionItem>;

/** The card that it is charged on. */
const KeptCard = z.object({
  brand: z.string(),
  last4: z.string(),
  kept_at: time,
  expires_on: nullableText.meta({ description: "Its last day, of the account's zone", example: "2030-12-31" }),
});

export const Subscription = SubscriptionItem.extend({
  card: KeptCard.nullable(),
  /** The plan that the next charge is of, where that is another one. */
  next_plan: PlanOfSubscription.nullable(),
  /** Of a paused one: the paid days after whose end the next charge is due, once it is resumed. */
  paid_days_left: z.int().nullable(),
  charges: z.array(Charge),
});
export type Subscription = z.output<typeof Subscription>;
export const SubscriptionAnswer = z.object({ data: Subscription });

export const SubscriptionQuery = CursorQuery.extend({
  status: status.optional(),
  plan: z.uuid().optional(),
  search: z.string().trim().max(200).optional(),
  owing: z.enum(["true", "false"]).optional().meta({
    description:
      "`true`: only those that are overdue, or suspended because they were not paid, the longest overdue first",
  }),
  paused: z.enum(["true", "false"]).optional().meta({
    description:
      "`true`: only those that somebody paused; `false`: none of them. A paused one has the status suspended",
  }),
  /** A token; with `owing`, after since when it is overdue (ms), because that orders the list. */
  cursor: z
    .string()
    .regex(/^(\d{1,13}~)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i)
    .max(60)
    .optional()
    .meta({ description: "The `next_cursor` of the page before" }),
});
export type SubscriptionQuery = z.output<typeof SubscriptionQuery>;

const NextStep = z.object({
  name: z.enum([
    ...["bill", "fall_due", "remind", "renew_code", "retry_card", "debit", "order_debit", "suspend"],
    ...["lapse", "expire", "drop_upgrade", "end", "resume", "warn_holder"],
  ] as const),
  at: time,
});
export type NextStep = z.output<typeof NextStep>;

/** A subscription of the list, with what falls due of it next by time alone. */
const ListedSubscription = SubscriptionItem.extend({ next_step: NextStep.nullable() });
export type ListedSubscription = z.output<typeof ListedSubscription>;

/** The list, with how many there are of each status; those that are paused are counted apart from the suspended ones. */
export const SubscriptionPage = z.object({
  data: z.array(ListedSubscription),
  meta: CursorMeta.extend({
    counts: z.record(z.string(), z.int()),
    /** Continues this list after its last record; null at its end. */
    next_cursor: z.string().nullable(),
  }),
});
export type SubscriptionPage = z.output<typeof SubscriptionPage>;

export const ChargePage = pageOf(Charge);
export const ChargeAnswer = z.object({ charge: Charge });

/** GET …/{plan token}/subscribers. */
export const SubscriberQuery = CursorQuery.extend({ search: z.string().trim().max(200).optional() });
export type SubscriberQuery = z.output<typeof SubscriberQuery>;
const PlanSubscriber = SubscriptionItem.pick({
  token: true,
  status: true,
  subscriber_name: true,
  subscriber_email: true,
  started_at: true,
});
export const PlanSubscriberPage = z.object({ data: z.array(PlanSubscriber), meta: CursorMeta });

/** GET /subscribers: a person with their subscriptions, of which at most `SHOWN` are listed. */
export const Subscriber = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string(),
  document: z.string(),
  phone: nullableText,
  created_at: time,
  subscriptions_count: z.int(),
  subscriptions: z.array(
    z.object({
      token: z.uuid(),
      status,
      plan: z.object({ token: z.uuid(), name: z.string() }),
      started_at: time.nullable(),
      paused_at: time.nullable(),
    }),
  ),
});
export type Subscriber = z.output<typeof Subscriber>;
export const SubscriberPage = z.object({ data: z.array(Subscriber), meta: CursorMeta });
export type SubscriberPage = z.output<typeof SubscriberPage>;

export const CancelBody = z.object({ reason, at_period_end: z.boolean().default(false) });
export const PauseBody = z.object({
  reason,
  resumes_at: z.iso
    .datetime({ offset: true })
    .max(40)
    .nullish()
    .transform((text) => (text ? new Date(text) : null)),
});
export const ChangePlanBody = z.object({ new_plan_token: z.uuid().transform((value) => value.toLowerCase()), reason });
export const PlanChangeQuery = ChangePlanBody.pick({ new_plan_token: true });
export const ReplaceCardBody = z.object({
  card: z.object({ token: z.string().max(200) }),
  device: Device.nullish().meta({
    description: "From where the card was given. Only the dashboard leaves it out, because it is seen there.",
  }),
});

/** The effect of a change of plan. */
export const PlanChange = z.object({
  plan_change: z.object({
    type: z.enum(["upgrade", "downgrade", "same_value"]),
    to_plan_token: z.uuid(),
    proration_amount: money,
    proration_charge: Charge.nullable(),
  }),
});
export type PlanChange = z.output<typeof PlanChange>;

export const PlanChangePreview = z.object({
  data: z.object({
    type: z.enum(["upgrade", "downgrade", "same_value"]),
    from: PlanOfSubscription,
    to: PlanOfSubscription,
    /** When the new plan counts: at once when its difference is paid, or from the next charge on. */
    effective: z.enum(["when_paid", "next_charge"]),
    effective_at: time.nullable(),
    days_left: z.int(),
    lines: z.array(z.object({ kind: z.enum(["credit", "debit"]), plan: z.string(), days: z.int(), amount: money })),
    proration_amount: money,
    next_amount: money,
    next_charge_at: time.nullable(),
    shares: z.array(z.object({ name: z.string(), percentage: z.number(), now: money, next: money })),
  }),
});
export type PlanChangePreview = z.output<typeof PlanChangePreview>;
