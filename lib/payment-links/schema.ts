import { z } from "zod";
import { CursorMeta, CursorQuery } from "@/lib/lists/pagination";
import { time } from "@/lib/time/schema";
import { TransactionListItem } from "@/lib/transactions/schema";
import { Amount } from "@/lib/typed/amount";
import { WayBackChange, WayBackInput, wayBackMembers } from "@/lib/way-back/schema";
import { PaymentLinkStatus } from "@/prisma/client/enums";

const status = z.enum(PaymentLinkStatus);
const description = z.string().trim().min(1, "Campo obrigatório.").max(255);
const product = z
  .uuid()
  .transform((value) => value.toLowerCase())
  .meta({ description: "The reference id of a product that is sold by the link" });
const expiresAt = z.iso
  .datetime({ offset: true, error: "Use uma data ISO 8601 com fuso, como 2026-12-31T23:59:59-03:00." })
  .max(40)
  .refine((text) => /^2[01]/.test(text), "Use um ano entre 2000 e 2199.")
  .transform((text) => new Date(text));
const maxPayments = z.int().min(1).max(100_000);

/** POST /payment-links. `amount` becomes cents. */
export const PaymentLinkInput = z.object({
  amount: Amount,
  description,
  product: product.nullish().transform((value) => value ?? null),
  expires_at: expiresAt.nullish().transform((value) => value ?? null),
  max_payments: maxPayments.nullish().transform((value) => value ?? null),
  collect_address: z.boolean().default(false),
  ...WayBackInput,
});
export type PaymentLinkInput = z.output<typeof PaymentLinkInput>;

/** A change keeps what it does not name; null takes a product or a limit away. */
export const PaymentLinkChange = z.object({
  amount: Amount.optional(),
  description: description.optional(),
  product: product.nullable().optional(),
  expires_at: expiresAt.nullable().optional(),
  max_payments: maxPayments.nullable().optional(),
  collect_address: z.boolean().optional(),
  ...WayBackChange,
  status: status.optional(),
});
export type PaymentLinkChange = z.output<typeof PaymentLinkChange>;

export const PaymentLink = z.object({
  token: z.uuid(),
  url: z.string(),
  status,
  /** Whether a payment can begin now: it is active, has time left, and has not had all its payments. */
  accepts_payments: z.boolean(),
  amount: z.string().meta({ description: "Reais, two decimals", example: "19.99" }),
  description: z.string(),
  product: z.object({ reference_id: z.uuid(), name: z.string(), image_url: z.string().nullable() }).nullable(),
  expires_at: time.nullable(),
  max_payments: z.int().nullable(),
  payments_count: z.int(),
  /** How many of its payments are beyond `max_payments`: a code that is over can still be paid, and is then credited. */
  payments_above_max: z.int(),
  collect_address: z.boolean(),
  ...wayBackMembers,
  created_at: time,
  updated_at: time,
});
export type PaymentLink = z.output<typeof PaymentLink>;

export const PaymentLinkAnswer = z.object({ data: PaymentLink });
export type PaymentLinkAnswer = z.output<typeof PaymentLinkAnswer>;

export const PaymentLinkQuery = CursorQuery.extend({
  status: status.optional(),
  search: z.string().trim().max(200).optional(),
});
export type PaymentLinkQuery = z.output<typeof PaymentLinkQuery>;
export const PaymentLinkPage = z.object({ data: z.array(PaymentLink), meta: CursorMeta });
export type PaymentLinkPage = z.output<typeof PaymentLinkPage>;

export const LinkPaymentPage = z.object({ data: z.array(TransactionListItem), meta: CursorMeta });
export type LinkPaymentPage = z.output<typeof LinkPaymentPage>;
