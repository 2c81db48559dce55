import { z } from "zod";
import { accountStates } from "@/lib/accounts/states";
import { MAX_EMAIL } from "@/lib/emails";
import { CursorQuery } from "@/lib/pagination";
import { Document, Email } from "@/lib/people";
import { locales } from "@/messages";

const statuses = Object.keys(accountStates) as [keyof typeof accountStates, ...(keyof typeof accountStates)[]];

/** What an account may be allowed to do (domain.md section 7). */
export const features = ["cards", "refunds", "recurring", "cash_out"] as const;
export type Feature = (typeof features)[number];

/** GET /balance (operations.md section 1): decimal strings; `balance` can be withdrawn now. */
export const Balance = z.object({
  balance: z.string(),
  pending: z.string(),
  blocked: z.string(),
  currency: z.literal("BRL"),
});
export type Balance = z.output<typeof Balance>;

/** GET /profile (operations.md section 1). */
export const Profile = z.object({
  name: z.string(),
  email: z.string(),
  status: z.enum(statuses),
  document: z.string(),
  phone: z.string().nullable(),
  address: z.record(z.string(), z.unknown()).nullable(),
  legalRepresentative: z.record(z.string(), z.unknown()).nullable(),
});

/** The largest number of characters of each; sign-in does not look up anything longer. */
export const longest = { email: MAX_EMAIL, password: 200 };

/** A password that a person chooses. */
export const NewPassword = z.string().min(12, "A senha precisa de pelo menos 12 caracteres.").max(longest.password);

/** The secret of a link that was sent by mail; anything else of its length is a link that does not open. */
export const LinkSecret = z.string().max(64);

/**
 * POST /api/public/v1/sign-up: a company and its first person. `locale` is the language of the mails to them, `invite` the
 * secret of an invitation's link, which proves the e-mail that it was sent to.
 */
export const SignUpBody = z.object({
  company: z.string().trim().min(2, "Informe o nome da empresa.").max(120),
  document: Document,
  name: z.string().trim().min(2, "Informe o seu nome.").max(120),
  email: Email,
  password: NewPassword,
  locale: z.enum(locales).optional(),
  invite: LinkSecret.optional(),
});
export type SignUpBody = z.output<typeof SignUpBody>;

/** `mailed`: the rest is in a mail, whatever it says. `created`: the e-mail was proved already. */
export const SignUpAnswer = z.object({ message: z.string(), status: z.enum(["mailed", "created"]) });
export type SignUpAnswer = z.output<typeof SignUpAnswer>;

/**
 * GET /api/operator/v1/accounts: sellers' live accounts, newest first. `search` is part of a name or e-mail, or a
 * document.
 */
export const AccountsQuery = CursorQuery.extend({
  status: z.enum(statuses).optional(),
  search: z.string().trim().max(255).optional(),
});
export type AccountsQuery = z.output<typeof AccountsQuery>;

/** A seller in the operator's console. */
export const SellerAccount = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string(),
  document: z.string(),
  phone: z.string().nullable(),
  status: z.enum(statuses),
  features: z.array(z.enum(features)),
  created_at: z.string(),
  allowed_statuses: z.array(z.enum(statuses)),
});
export type SellerAccount = z.output<typeof SellerAccount>;

/** PATCH /api/operator/v1/accounts/{id}: fields that are not given stay as they are. */
export const AccountChange = z
  .object({
    status: z.enum(["approved", "suspended"]).optional(),
    features: z.array(z.enum(features)).max(features.length).optional(),
  })
  .refine(({ status, features }) => status ?? features, "Informe status ou features.");
export type AccountChange = z.output<typeof AccountChange>;
