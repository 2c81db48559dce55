import { z } from "zod";
import { CursorQuery } from "@/lib/lists/pagination";
import { byFee } from "@/lib/methods/methods";
import { centsOf, MAX_AMOUNT } from "@/lib/money";
import { MAX_EMAIL } from "@/lib/typed/emails";
import { Document, Email } from "@/lib/typed/fields";
import { locales } from "@/messages";
import { AccountStatus } from "@/prisma/client/enums";

/** What an account may be allowed to do. */
export const features = ["cards", "refunds", "recurring", "cash_out"] as const;
export type Feature = (typeof features)[number];

/** GET /balance: decimal strings; `balance` can be withdrawn now. */
export const Balance = z.object({
  balance: z.string(),
  pending: z.string(),
  blocked: z.string(),
  currency: z.literal("BRL"),
});
export type Balance = z.output<typeof Balance>;

/** The same for the account itself and the operator, with what withdrawals under way hold. */
export const OwnBalance = Balance.extend({ held: z.string() });
export type OwnBalance = z.output<typeof OwnBalance>;

/** GET /profile. */
export const Profile = z.object({
  name: z.string(),
  email: z.string(),
  status: z.enum(AccountStatus),
  document: z.string(),
  phone: z.string().nullable(),
  address: z.record(z.string(), z.unknown()).nullable(),
  legalRepresentative: z.record(z.string(), z.unknown()).nullable(),
});

/** The largest number of characters of each; sign-in does not look up anything longer. */
export const longest = { email: MAX_EMAIL, password: 200, code: 40 };

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
 * GET /api/operator/v1/accounts: sellers' live accounts, newest first. `search` is part of a name, an e-mail or,
 * for who sees it whole, part of one, a document, or the account's id.
 */
export const AccountsQuery = CursorQuery.extend({
  status: z.enum(AccountStatus).optional(),
  search: z.string().trim().max(255).optional(),
});
export type AccountsQuery = z.output<typeof AccountsQuery>;

/** A number with up to two decimals as a string, as hundredths up to `most`. */
const hundredths = (most: number) =>
  z
    .string()
    .max(20)
    .refine((text) => (centsOf(text) ?? -1) >= 0 && (centsOf(text) ?? 0) <= most)
    .transform((text) => centsOf(text) ?? 0);

const LARGEST_FEE = 100_000;
const inReais = hundredths(LARGEST_FEE);
const feeOf = { percentage: hundredths(10_000), fixed: inReais, minimum: inReais };

/** What a withdrawal costs, and how much may go out: in one, on a day, in a night, and while something is new. */
export const withdrawalTerms = [
  "withdrawal_fee",
  "withdrawal_limit",
  "withdrawal_day_limit",
  "withdrawal_night_limit",
  "new_key_limit",
] as const;
export type WithdrawalTerm = (typeof withdrawalTerms)[number];

const byTerm = <T>(make: (name: WithdrawalTerm) => T) =>
  Object.fromEntries(withdrawalTerms.map((name) => [name, make(name)])) as Record<WithdrawalTerm, T>;

/** Fees (percent, and reais as cents) and limits of an account, as the staff set them; the storage is that of 30 days, and above
 * `approval_above` a person of the account needs a second one, never where it is null. */
export const TermsInput = z.object({
  ...byFee(() => z.object(feeOf)),
  refund_fee: inReais,
  chargeback_fee: inReais,
  ...byTerm((name) => (name === "withdrawal_fee" ? inReais : hundredths(MAX_AMOUNT))),
  card_settlement_days: z.int().min(0).max(365),
  storage_limit_mb: z.int().min(1).max(10_485_760),
  approval_above: hundredths(MAX_AMOUNT).nullable(),
});
export type TermsInput = z.output<typeof TermsInput>;

const shown = z.string().max(20);
const Fee = z.object({ percentage: shown.nullable(), fixed: shown, minimum: shown });

/** The same as they are. A fee without a percentage is none yet. */
export const Terms = z.object({
  ...byFee(() => Fee),
  refund_fee: shown,
  chargeback_fee: shown,
  ...byTerm(() => shown),
  card_settlement_days: z.int(),
  storage_limit_mb: z.int(),
  approval_above: shown.nullable(),
});
export type Terms = z.output<typeof Terms>;

/** A seller in the operator's console. `terms` of one that waits are those that its approval would give. */
export const SellerAccount = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string(),
  document: z.string(),
  phone: z.string().nullable(),
  status: z.enum(AccountStatus),
  features: z.array(z.enum(features)).max(features.length),
  terms: Terms,
  created_at: z.string(),
  /** Since when it waits for its review; null while something is missing. */
  review_asked_at: z.string().nullable(),
  allowed_statuses: z.array(z.enum(AccountStatus)),
});
export type SellerAccount = z.output<typeof SellerAccount>;

/**
 * One of them alone, with what it says of its company and the newest others that have the same CPF or CNPJ, which is allowed: a company may have several
 * accounts, and whoever approves one should know.
 */
export const SellerDetail = SellerAccount.extend({
  address: z.record(z.string(), z.unknown()).nullable(),
  legal_representative: z.record(z.string(), z.unknown()).nullable(),
  same_document: z.array(SellerAccount.pick({ id: true, name: true, status: true })),
  /** The PSP of its Pix; null for the platform's default. */
  pix_provider: z.string().nullable(),
});
export type SellerDetail = z.output<typeof SellerDetail>;

/** PUT /api/operator/v1/accounts/{id}/rail: the PSP of an account's Pix by its name; null for the platform's default. */
export const AccountRail = z.object({ provider: z.string().max(30).nullable() });
export type AccountRail = z.output<typeof AccountRail>;

/** What the staff change of an account by one form. */
export const Conditions = SellerAccount.pick({ features: true, terms: true });
export type Conditions = z.output<typeof Conditions>;

/**
 * PATCH /api/operator/v1/accounts/{id}: fields that are not given stay as they are. `seen` is what the form showed: the
 * change is refused where somebody else has changed that meanwhile. Without it the last change wins.
 */
export const AccountChange = z
  .object({
    status: z.enum(["approved", "suspended"]).optional(),
    features: z.array(z.enum(features)).max(features.length).optional(),
    terms: TermsInput.optional(),
    seen: Conditions.optional(),
  })
  .refine(({ status, features, terms }) => status ?? features ?? terms, "Informe status, features ou terms.");
export type AccountChange = z.output<typeof AccountChange>;
/** The same as it is sent. */
export type AccountChangeBody = z.input<typeof AccountChange>;
