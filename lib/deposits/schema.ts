import { z } from "zod";
import { OptionalReceiverUrl } from "@/lib/receivers/schema";
import { soldMembers } from "@/lib/splits/schema";
import { trackingMembers, visitorMembers } from "@/lib/transactions/tracking";
import { Amount } from "@/lib/typed/amount";
import { Client, Document, OptionalPhone, optionalText } from "@/lib/typed/fields";
import { REFUSED_CENTS } from "@/lib/unmatched/simulate";

/** POST /cash-in. `amount` becomes cents. */
export const CashInBody = z.object({
  amount: Amount,
  description: optionalText(255),
  webhook_url: OptionalReceiverUrl,
  client: Client.nullish().transform((value) => value ?? null),
  ...soldMembers,
  external_id: optionalText(255),
  ...trackingMembers,
  ...visitorMembers,
});
export type CashInBody = z.output<typeof CashInBody>;

/** What a form sends as `CashInBody`: a person may mistype a phone, so its area code must exist. */
export const CashInForm = CashInBody.extend({ client: Client.extend({ phone: OptionalPhone }).nullish() });

export const CashIn = z.object({
  message: z.string(),
  pix_code: z.string(),
  identifier: z.uuid(),
  expires_at: z.string(),
});

/** POST /sandbox/pix/{identifier}/pay: what the simulated payer sends; without `amount`, the code's own amount. */
export const PayBody = z.object({
  amount: Amount.optional().meta({
    description: `Another amount than the code's goes back to the payer; one that ends in ${REFUSED_CENTS} cents is not taken back by the payer's bank, and waits for the operator`,
  }),
  again: z.boolean().optional().meta({ description: "Pays a code once more, to see the second payment go back" }),
  payer: z.object({ name: z.string().trim().min(1).max(100).optional(), document: Document.optional() }).optional(),
});
export type PayBody = z.output<typeof PayBody>;

export const Simulated = z.object({ message: z.string(), identifier: z.uuid(), end_to_end_id: z.string() });
