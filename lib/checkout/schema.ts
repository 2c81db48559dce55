import { z } from "zod";
import { methodNames, methods } from "@/lib/methods/methods";
import { centsOf } from "@/lib/money";
import { time } from "@/lib/time/schema";
import type { DeliveryAddress } from "@/lib/transactions/schema";
import { trackingMembers } from "@/lib/transactions/tracking";
import { FederativeUnit, PostalCode } from "@/lib/typed/addresses";
import { Document, Email, OptionalPhone, optionalText } from "@/lib/typed/fields";
import { BillingMethod } from "@/prisma/client/enums";

const REQUIRED = "Campo obrigatório.";
const text = (limit: number) => z.string().trim().min(1, REQUIRED).max(limit);

/** A brazilian address as a payer writes it. */
const Address = z.object({
  postal_code: PostalCode,
  street: text(150),
  number: text(20),
  complement: optionalText(100),
  district: text(100),
  city: text(100),
  state: FederativeUnit,
}) satisfies z.ZodType<DeliveryAddress>;

const shown = z
  .string()
  .max(20)
  .transform((value) => centsOf(value) ?? -1)
  .nullish()
  .meta({ description: "The amount that the payer saw, in reais; it is refused if it changed", example: "19.99" });

const payer = {
  name: text(255),
  email: Email,
  document: Document,
  phone: OptionalPhone,
  card: z.object({ token: z.string().max(200) }).nullish(),
  /** A repeat with the same attempt is answered as the first was, so that a lost answer costs nobody a second payment. */
  attempt: z.uuid().nullish(),
  ...trackingMembers,
};

/** POST /checkout/{token}/pay. The amount is the link's; `shown` is what the payer saw, and must still be it. */
export const CheckoutPay = z
  .object({
    ...payer,
    method: z.enum(methodNames),
    address: Address.nullish(),
    shown,
    /** The payer's own open code of this link, which ends with this payment. */
    replaces: z.uuid().nullish(),
  })
  .refine(({ method, card }) => methods[method].byCode || card, { path: ["card", "token"], error: REQUIRED });
export type CheckoutPay = z.output<typeof CheckoutPay>;

/** POST /checkout/{token}/enroll. The plan decides amount, period and method; what the payer saw must still be it. */
export const CheckoutEnroll = z.object({
  ...payer,
  shown,
  shown_billing: z.enum(BillingMethod).nullish().meta({ description: "The billing method that the payer saw" }),
  shown_days: z.coerce.number().int().nullish().meta({ description: "The period that the payer saw, in days" }),
});
export type CheckoutEnroll = z.output<typeof CheckoutEnroll>;

/** GET /checkout/{token}: what anybody who has the token may see. */
export const Checkout = z.object({
  data: z.object({
    token: z.uuid(),
    kind: z.enum(["payment_link", "plan"]),
    status: z.enum(["open", "expired", "used_up"]),
    mode: z.enum(["live", "sandbox"]),
    name: z.string(),
    description: z.string().nullable(),
    image_url: z.string().nullable(),
    seller: z.object({
      name: z.string(),
      image_url: z.string().nullable(),
      support: z.object({ email: z.string().nullable(), phone: z.string().nullable() }).nullable(),
    }),
    amount: z.string().meta({ description: "Reais, two decimals", example: "19.99" }),
    periodicity_days: z.int().nullable(),
    methods: z.array(z.enum(methodNames)),
    collect_address: z.boolean(),
  }),
});

/** What a payment begins with. An approved card is paid at once. */
export const CheckoutStarted = z.object({
  data: z.object({
    payment: z.uuid(),
    status: z.enum(["pending", "paid"]),
    pix_code: z.string().nullable(),
    expires_at: time.nullable(),
    subscription_token: z.string().nullable(),
  }),
});
export type CheckoutStarted = z.output<typeof CheckoutStarted>;

export const CheckoutStatusQuery = z.object({ payment: z.uuid() });

/** GET /checkout/{token}/status: one payment as it is now; the seconds are counted by the server's clock. */
export const CheckoutStatus = z.object({
  data: z.object({
    payment: z.uuid(),
    status: z.enum(["pending", "paid", "expired", "failed"]),
    method: z.enum(methodNames),
    amount: z.string(),
    pix_code: z.string().nullable(),
    expires_at: time.nullable(),
    seconds_left: z.int().nullable(),
    paid_at: time.nullable(),
    end_to_end_id: z.string().nullable(),
    automatic: z.enum(["pending", "authorised", "off"]).nullable().meta({
      description: "Of a plan by Pix Automático: whether the next payments are authorised at the payer's bank",
    }),
  }),
});
export type CheckoutStatus = z.output<typeof CheckoutStatus>["data"];
