import { z } from "zod";
import { StatusV2 } from "@/lib/transactions/schema";

/** POST /tracking: the account's token of the external tracking service. It becomes a header, so it has no blank. */
export const TrackingToken = z.object({
  token: z
    .string()
    .trim()
    .min(8, "Informe o token do serviço de rastreamento.")
    .max(512)
    .regex(/^[\x21-\x7e]+$/, "O token tem caracteres que um token não tem."),
});
export type TrackingToken = z.output<typeof TrackingToken>;

/** Why an order was not taken. */
export const orderErrors = ["no_answer", "http_error", "deactivated", "not_configured"] as const;
export type OrderError = (typeof orderErrors)[number];

const nullableText = z.string().nullable();

/** GET /tracking: the integration, and what was sent last. The token is never shown again. */
export const Tracking = z.object({
  data: z.object({
    active: z.boolean(),
    last4: nullableText,
    since: nullableText,
    orders: z.array(
      z.object({
        event_id: z.uuid(),
        reference_id: z.uuid(),
        status: StatusV2,
        attempts: z.int(),
        answer_status: z.int().nullable(),
        answer: nullableText,
        error: z.enum(orderErrors).nullable(),
        created_at: z.string(),
        sent_at: nullableText,
        next_attempt_at: nullableText,
      }),
    ),
  }),
});
