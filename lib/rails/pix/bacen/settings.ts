import { z } from "zod";

const https = z
  .url({ protocol: /^https$/ })
  .max(300)
  .transform((url) => url.replace(/\/+$/, ""));
const pem = (kind: RegExp) => z.string().max(20_000).regex(kind);

/** What is known of PSPs that differ from the standard: lib/rails/pix/bacen/profiles.ts. */
export const profileNames = ["standard", "efi", "inter"] as const;

/** A bank account in the words of the standard. */
export const Account = z.object({
  agencia: z
    .string()
    .max(4)
    .regex(/^\d{1,4}$/)
    .optional(),
  conta: z
    .string()
    .max(20)
    .regex(/^\d{1,20}$/),
  tipoConta: z.enum(["CORRENTE", "POUPANCA", "PAGAMENTO"]),
});

const callback_secret = z.string().regex(/^[\w-]{43}$/);

/** How one PSP is reached that speaks the Central Bank's API Pix, with what it gave its client. Kept sealed. */
export const BacenSettings = z.object({
  profile: z.enum(profileNames),
  /** The address before `/cob`, with the API's version where the PSP has one in it. */
  base_url: https,
  token_url: https,
  scope: z.string().max(1_000).nullish(),
  client_id: z.string().min(1).max(300),
  client_secret: z.string().min(1).max(1_000),
  /** The client's certificate with its chain, and its key. */
  certificate: pem(/^-----BEGIN CERTIFICATE-----/).nullish(),
  private_key: pem(/^-----BEGIN (RSA |EC )?PRIVATE KEY-----/).nullish(),
  /** The authority that signs the PSP's certificate, where it is not a public one. */
  authority: pem(/^-----BEGIN CERTIFICATE-----/).nullish(),
  /** The key that codes ask to be paid to. */
  pix_key: z.string().min(1).max(77),
  /** Keys of codes that may still be paid, of before `pix_key` was changed. */
  former_keys: z.array(z.string().max(77)).max(50).optional(),
  /** The account of the key, which debits of Pix Automático are paid to. Without it a PSP has no Pix Automático. */
  account: Account.nullish(),
  /** Whence it calls back, as a comma list of networks (10.0.0.0/8); from anywhere where there is none. */
  callback_networks: z.string().max(500).nullish(),
  /** Whether only callbacks count of which a trusted proxy has verified the client's certificate. */
  callback_certificate: z.boolean().nullish(),
  /** The number of the client's account, where one client has several. */
  account_number: z
    .string()
    .max(20)
    .regex(/^\d{1,20}$/)
    .nullish(),
  /** How many requests it takes in a minute; what is known of its kind, where nothing is said. */
  calls_per_minute: z.int().min(10).max(1_000_000).nullish(),
  /** The last part of the path of its callbacks, which nobody else knows. */
  callback_secret,
  /** The one before, which is good until the PSP has the new address, and no longer than this. */
  former_callback: z.object({ secret: callback_secret, until: z.iso.datetime() }).nullish(),
});
export type BacenSettings = z.infer<typeof BacenSettings>;
