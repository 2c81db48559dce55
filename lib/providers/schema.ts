import { z } from "zod";
import { Health, ProviderFigures } from "@/lib/outside/schema";
import { Account, BacenSettings } from "@/lib/rails/pix/bacen/settings";

const settings = BacenSettings.omit({ callback_secret: true, former_callback: true, former_keys: true });

/** POST: a PSP to connect. Its name stands in addresses and records, and is kept for ever. */
export const ProviderBody = settings.extend({
  name: z
    .string()
    .max(30)
    .regex(/^(?!(simulator|cielo|cards)$)[a-z][a-z0-9-]{1,29}$/, "De 2 a 30 letras minúsculas, dígitos e hífens."),
  title: z.string().trim().min(1).max(60),
});
export type ProviderBody = z.output<typeof ProviderBody>;
export type ProviderBodySent = z.input<typeof ProviderBody>;

/** PUT: what changes of a PSP. A secret that is not named stays. */
export const ProviderChanges = settings.partial().extend({
  title: z.string().trim().min(1).max(60).optional(),
  is_default: z.literal(true).optional(),
  is_payout_default: z.boolean().optional().meta({
    description: "Whether every live payout leaves by it; where none does, each account's by the PSP of its codes",
  }),
});
export type ProviderChanges = z.output<typeof ProviderChanges>;
export type ProviderChangesSent = z.input<typeof ProviderChanges>;

/** A PSP as the staff sees it: no secret of it is ever shown. */
export const Provider = z.object({
  id: z.uuid(),
  ...{ name: z.string(), title: z.string(), is_default: z.boolean() },
  /** Whether it can send money, and whether every live payout leaves by it. */
  ...{ sends_payouts: z.boolean(), is_payout_default: z.boolean() },
  ...{ profile: z.string(), base_url: z.string(), token_url: z.string(), scope: z.string().nullable() },
  ...{ client_id: z.string(), pix_key: z.string() },
  certificate: z.object({ subject: z.string(), ends_at: z.string() }).nullable(),
  has_authority: z.boolean(),
  account: Account.nullable(),
  ...{
    account_number: z.string().nullable(),
    callback_networks: z.string().nullable(),
    callback_certificate: z.boolean(),
  },
  /** How many requests it takes in a minute, where the staff has said so; else what is known of its kind. */
  calls_per_minute: z.int().nullable(),
  /** Until when a former address of callbacks is good at most; null where the PSP has the present one alone. */
  former_address_until: z.string().nullable(),
  ...{ created_at: z.string(), changed_at: z.string() },
});
export type Provider = z.infer<typeof Provider>;
export const Providers = z.object({ data: z.array(Provider) });
export const OneProvider = z.object({ data: Provider });

/**
 * GET /api/operator/v1/pix-providers/{name}/callback: whether the PSP has our address; null where it did not answer. `is_secure`:
 * whether that is one that a PSP calls, which must be https.
 */
export const CallbackState = z.object({
  data: z.object({ is_registered: z.boolean().nullable(), is_secure: z.boolean() }),
});
export type CallbackState = z.infer<typeof CallbackState>;

/** A rail with its figures: a PSP that the staff has connected (`is_connected`), a simulator, or the acquirer. */
const RailState = ProviderFigures.extend({
  ...{ provider: z.string(), title: z.string().nullable() },
  ...{ is_connected: z.boolean(), is_default: z.boolean() },
  /** The end of the client's certificate; null where there is none. */
  certificate_ends_at: z.string().nullable(),
});
export type RailState = z.infer<typeof RailState>;

/** GET /api/operator/v1/providers */
export const RailsHealth = Health.extend({ rails: z.array(RailState) });
export type RailsHealth = z.infer<typeof RailsHealth>;
