import { z } from "zod";
import { Account, BacenSettings } from "@/lib/rails/pix/bacen/settings";

const settings = BacenSettings.omit({ callback_secret: true });

/** POST: a PSP to connect. Its name stands in addresses and records, and is kept for ever. */
export const ProviderBody = settings.extend({
  name: z
    .string()
    .regex(/^(?!(simulator|cielo|cards)$)[a-z][a-z0-9-]{1,29}$/, "De 2 a 30 letras minúsculas, dígitos e hífens."),
  title: z.string().trim().min(1).max(60),
});
export type ProviderBody = z.output<typeof ProviderBody>;

/** PUT: what changes of a PSP. A secret that is not named stays. */
export const ProviderChanges = settings.partial().extend({
  title: z.string().trim().min(1).max(60).optional(),
  is_default: z.literal(true).optional(),
});
export type ProviderChanges = z.output<typeof ProviderChanges>;

/** A PSP as the staff sees it: no secret of it is ever shown. */
export const Provider = z.object({
  ...{ name: z.string(), title: z.string(), is_default: z.boolean() },
  ...{ profile: z.string(), base_url: z.string(), token_url: z.string(), scope: z.string().nullable() },
  ...{ client_id: z.string(), pix_key: z.string() },
  certificate: z.object({ subject: z.string(), ends_at: z.string() }).nullable(),
  has_authority: z.boolean(),
  account: Account.nullable(),
  ...{ created_at: z.string(), changed_at: z.string() },
});
export type Provider = z.infer<typeof Provider>;
export const Providers = z.object({ data: z.array(Provider) });
export const OneProvider = z.object({ data: Provider });
