import { z } from "zod";
import { CsvFormat } from "@/lib/lists/csv";
import { CursorMeta, CursorQuery } from "@/lib/lists/pagination";
import { period } from "@/lib/lists/period";
import { methodNamed, methodNames, methods } from "@/lib/methods/methods";
import { statuses } from "@/lib/transactions/states";
import { MAX_TRACKED } from "@/lib/transactions/tracking";

const nullableText = z.string().nullable();

/** GET /transaction/{identifier}. */
export const TransactionV1 = z.object({
  reference_id: z.uuid(),
  currency: z.literal("BRL"),
  amount: z.number(),
  transaction_date: z.string(),
  status: z.enum(["pending", "completed", "failed", "refunded", "med"]),
  description: nullableText,
  pix_code: nullableText,
  paid_at: nullableText,
});

const Card = z.object({ brand: z.string(), last4: z.string(), installments: z.int() });

/** Lists of words that depend on the method. */
const wordsOf = <W extends string>(words: readonly W[]) => [...new Set(words)] as [W, ...W[]];
const MethodV2 = z.enum(wordsOf(methodNames.map((name) => methods[name].v2)));
const Type = z.enum(wordsOf(methodNames.map((name) => methods[name].type)));
const MethodFilter = z.enum(
  wordsOf(methodNames.flatMap((name): string[] => [methods[name].v2, ...methods[name].olderFilters])),
);

export const StatusV2 = z.enum(["pending", "completed", "refused", "expired", "failed", "refunded", "chargedback"]);

/** Where to send what was sold, as a payer writes it on the checkout. */
export const DeliveryAddress = z.object({
  postal_code: z.string(),
  street: z.string(),
  number: z.string(),
  complement: nullableText,
  district: z.string(),
  city: z.string(),
  state: z.string(),
});
export type DeliveryAddress = z.output<typeof DeliveryAddress>;

/** The six members of the transaction event and of V2. */
export const TransactionV2 = z.object({
  transaction: z.object({
    reference_id: z.uuid(),
    status: StatusV2,
    previous_status: StatusV2.nullable(),
    payment_method: MethodV2,
    origin: z.enum(["checkout", "subscription", "payment_link", "api"]),
    description: nullableText,
    currency: z.literal("BRL"),
    amount: z.number(),
    net_amount: z.number(),
    refused_reason: nullableText,
    end_to_end_id: nullableText,
    created_at: z.string(),
    updated_at: z.string(),
    paid_at: nullableText,
    refunded_at: nullableText,
  }),
  customer: z.object({
    reference_id: z.string().nullable(),
    name: nullableText,
    email: nullableText,
    document: nullableText,
    phone: nullableText,
  }),
  checkout: z.object({
    reference_id: nullableText,
    name: nullableText,
    items: z.array(z.object({ reference_id: z.string(), name: z.string(), type: z.string(), amount: z.number() })),
  }),
  payment: z.object({
    pix: z.object({ code: nullableText }).nullable(),
    card: Card.nullable(),
  }),
  tracking: z.object({
    utm: z.record(z.string(), z.string()),
    client_ip: nullableText,
    user_agent: nullableText,
    src: z.string().optional(),
    sck: z.string().optional(),
  }),
  delivery_address: DeliveryAddress.nullable().meta({ description: "Where to send it; null unless it was asked for" }),
});
export type TransactionV2 = z.output<typeof TransactionV2>;

/** GET /v2/transactions/{reference_id}. */
export const TransactionAnswer = z.object({
  data: TransactionV2.extend({
    transaction: TransactionV2.shape.transaction.extend({ refunded_amount: z.number() }),
  }),
});

/** The values of `tracking` by which sales are listed and exported, as an ad's link names them. */
export const trackedNames = [
  ...(["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"] as const),
  ...(["src", "sck"] as const),
] as const;
export type TrackedName = (typeof trackedNames)[number];

const tracked = z.string().trim().min(1).max(MAX_TRACKED).optional();

/** Filters of the list. `cursor` is the last reference_id seen. */
export const TransactionQuery = CursorQuery.extend({
  status: z.enum(statuses).optional(),
  /** A withdrawal is no sale: only `cash_out` finds them, and no sale beside them. */
  type: z.enum([...Type.options, "cash_out"]).optional(),
  method: MethodFilter.transform(methodNamed).optional(),
  ...period,
  search: z.string().trim().max(255).optional(),
  plan: z.uuid().optional(),
  subscription: z.uuid().optional(),
  payment_link: z.uuid().optional(),
  /** The values of `tracking`, exactly as they were given. */
  ...{ utm_source: tracked, utm_medium: tracked, utm_campaign: tracked, utm_term: tracked, utm_content: tracked },
  ...{ src: tracked, sck: tracked },
  /** A sale's id or a subscriber's: the sales of that person, whose data so stands in no address. */
  customer: z.uuid().optional(),
});
export type TransactionQuery = z.output<typeof TransactionQuery>;

/** The filters of the export. A withdrawal is no sale. */
export const TransactionExport = TransactionQuery.omit({ page: true, per_page: true, cursor: true }).extend({
  type: z.enum(Type.options).optional(),
  format: CsvFormat,
});
export type TransactionExport = z.output<typeof TransactionExport>;

export const TransactionListItem = z.object({
  reference_id: z.uuid(),
  type: z.enum([...Type.options, "cash_out"]),
  method: MethodV2,
  status: z.enum(statuses),
  amount: z.number(),
  net_amount: z.number(),
  description: nullableText,
  customer: z.object({ name: nullableText, email: nullableText, document: nullableText }),
  card: Card.nullable(),
  refused_reason: nullableText,
  created_at: z.string(),
  paid_at: nullableText,
});
export type TransactionListItem = z.output<typeof TransactionListItem>;

export const TransactionPage = z.object({
  data: z.array(TransactionListItem),
  meta: CursorMeta.extend({ counts: z.record(z.string(), z.int()) }),
});
export type TransactionPage = z.output<typeof TransactionPage>;

/** The fields of one sale that the dashboard shows beside V2. Amounts in reais. */
export const TransactionDetail = TransactionV2.extend({
  pix_code: nullableText,
  expires_at: nullableText,
  /** When a card sale's money becomes available, and when it did. */
  settles_at: nullableText,
  settled_at: nullableText,
  late: z.boolean(),
  payer: z.object({ name: z.string(), document: z.string() }).nullable(),
  /** Whether somebody else than the client paid, where the account marks that. */
  is_paid_by_other: z.boolean(),
  external_id: nullableText,
  breakdown: z.object({
    gross: z.number(),
    fee: z.number(),
    shares: z.array(z.object({ name: z.string(), percentage: z.number(), amount: z.number() })),
    net: z.number(),
  }),
  /** What the sale belongs to; `has_customer` says whether the sales of its person can be listed. */
  related: z.object({
    subscription: z.uuid().nullable(),
    plan: z.object({ token: z.uuid(), name: z.string(), product: z.uuid().nullable() }).nullable(),
    payment_link: z.object({ token: z.uuid(), description: z.string() }).nullable(),
    has_customer: z.boolean(),
  }),
  /** What a refund could give back now, and where its money would come from; null of a sale that is not paid. */
  refundable: z
    .object({
      until: z.string(),
      left: z.number(),
      refunded: z.number(),
      fee: z.number(),
      /** Why none can be asked for now. */
      hindrance: z.enum(["open", "disputed", "too_late", "nothing_left", "too_many"]).nullable(),
      /** Whether the sale's money is not settled yet, and what refunds took of it before. */
      is_pending: z.boolean(),
      pending_used: z.number(),
    })
    .nullable(),
  allowed_actions: z.array(z.enum(["simulate_payment", "expire", "simulate_dispute"])),
});
export type TransactionDetail = z.output<typeof TransactionDetail>;
