import { z } from "zod";
import { type FeeField, methodNames, methods } from "@/lib/methods/methods";
import {
  ApprovalKind,
  BillingMethod,
  DocumentKind,
  RejectionCategory,
  Role,
  TransactionMethod,
} from "@/prisma/client/enums";

const text = z.string();
const instant = z.iso.datetime({ offset: true });
/** Cents. */
const amount = z.int().min(0);
/** Basis points: 1,250 are 12.5 %. */
const percentage = z.int().min(0).max(10_000);

/** Basis points, and cents of each sale. */
const fee = z.object({ basisPoints: percentage, fixed: amount, minimum: amount.default(0) });

/** What is made of each method, by the name that a mail has for its fee. */
export const feesOfMail = <T>(make: (name: TransactionMethod) => T) =>
  Object.fromEntries(methodNames.map((name) => [methods[name].fee.field, make(name)])) as Record<FeeField, T>;

/** What an account may do, pays and may store. Mails of earlier versions lack what has a default. */
const conditions = {
  seller: text,
  features: z.array(z.enum(["cards", "refunds", "recurring", "cash_out"])),
  /** A mail that is older than a method has no fee of it. */
  ...feesOfMail(() => fee.optional()),
  /** Cents of each refund. */
  refundFee: amount.nullable().default(null),
  /** Cents of each card dispute that is lost. */
  chargebackFee: amount.nullable().default(null),
  /** The days after a sale until a card's money is available. */
  cardSettlementDays: z.int().min(0).nullable().default(null),
  /** Megabytes of 30 days. */
  storageLimitMb: z.int().min(1).nullable().default(null),
  /** Cents: of each withdrawal, and how much may go out in one, on a day, in a night, and while something is new. */
  withdrawalFee: amount.nullable().default(null),
  withdrawalLimit: amount.nullable().default(null),
  withdrawalDayLimit: amount.nullable().default(null),
  withdrawalNightLimit: amount.nullable().default(null),
  newKeyLimit: amount.nullable().default(null),
  /** Cents above which a person of the account needs a second one. */
  approvalAbove: amount.nullable().default(null),
  url: text,
};

const day = z.iso.date();
const dayOrNull = day.nullable().default(null);

/**
 * A charge of a subscription, as its subscriber reads of it; `name` is the subscriber's, `nextDay` is when the next one is
 * due, and `payerUrl` leads to their own page of the subscription, where the mail is for them alone. `isDueToday` is of the day on which the mail is written.
 * Mails of earlier versions lack what has a default.
 */
const charge = {
  ...{ seller: text, plan: text, name: text, amount, dueDay: day, url: text },
  isDueToday: z.boolean().default(false),
  product: text.nullable().default(null),
  nextDay: dayOrNull,
  payerUrl: text.nullable().default(null),
  /** How the plan is paid; null of mails that did not say. */
  method: z.enum(BillingMethod).nullable().default(null),
  /** What an unpaid charge is written about: that it is there, once more, or because it has a new code. */
  notice: z.enum(["made", "reminder", "fresh_code"]).default("made"),
  /** Whether no other mail about the charge comes before what follows if it is not paid. */
  isLast: z.boolean().default(false),
  /** The last day of the code by which it can be paid, to its end. */
  codeDay: dayOrNull,
  /** When the subscription is suspended if it is not paid. */
  suspendedOn: dayOrNull,
  /** When the card, or the debit, is tried again. */
  triedOn: dayOrNull,
  /** The last day of a subscription that was asked to end. */
  lastDay: dayOrNull,
  isCancelled: z.boolean().default(false),
};

/**
 * The end of a subscription, as its subscriber reads of it; `url` leads to their own page of it. `dropped` is the open charge
 * that need not be paid any more.
 */
const end = {
  ...{ seller: text, plan: text, name: text, url: text },
  product: text.nullable(),
  dropped: amount.nullable(),
};

/** A refund, as its seller reads of it: `name` is the payer's and `what` is what was sold, where the sale says so. */
const refund = { name: text.nullable(), what: text.nullable(), amount, url: text };

/** A dispute, as its seller reads of it, and until when it can be defended. */
const dispute = { ...refund, deadline: instant };
/** A withdrawal, as its team reads of it: `owner` is whose key it goes to. */
const withdrawal = { seller: text, amount, owner: text, at: instant, url: text };

/** What may change in how a person signs in. */
const SECURITY = [
  "new_device",
  "second_factor_on",
  "second_factor_off",
  "recovery_codes_renewed",
  "recovery_code_used",
  "codes_guessed",
  "credential_created",
  "removed_from_team",
  "factor_reset_asked",
] as const;

/**
 * What each template says. Every `url` that a reader may follow is a page of ours; `receiver` is somebody's webhook and is
 * never a link. The rest may hold what people wrote (names, titles): it is made harmless where it is rendered.
 */
export const MailContent = z.discriminatedUnion("template", [
  z.object({
    template: z.literal("split_invited"),
    seller: text,
    sellerEmail: text,
    plan: text,
    amount,
    periodicityDays: z.int().min(1),
    percentage,
    url: text,
  }),
  z.object({
    template: z.literal("split_accepted"),
    recipient: text,
    plan: text,
    product: text.nullable(),
    percentage,
    url: text,
  }),
  z.object({ template: z.literal("split_cancelled"), seller: text, plan: text }),
  z.object({ template: z.literal("charge_due"), ...charge }),
  z.object({ template: z.literal("charge_overdue"), ...charge }),
  z.object({ template: z.literal("charge_paid"), ...charge }),
  z.object({ template: z.literal("card_failed"), ...charge }),
  z.object({
    template: z.literal("card_expiring"),
    ...{ seller: text, plan: text, name: text, url: text },
    last4: z.string().regex(/^\d{4}$/),
    /** The last day on which the card can be charged. */
    expiresOn: day,
  }),
  z.object({ template: z.literal("subscription_ending"), ...end, by: z.enum(["payer", "seller"]), lastDay: day }),
  /** `by` is null where it ends on the day that was said before. */
  z.object({ template: z.literal("subscription_cancelled"), ...end, by: z.enum(["payer", "seller"]).nullable() }),
  z.object({ template: z.literal("subscription_suspended"), ...charge }),
  /** To the seller; `name` is the subscriber's, and `lastDay` is null where it ended at once. */
  z.object({
    template: z.literal("cancelled_by_payer"),
    ...{ name: text, plan: text, product: text.nullable(), amount, lastDay: day.nullable(), url: text },
  }),
  /** To the seller, of the first subscriptions that a day suspended because they were not paid; `name` is of one of them. */
  z.object({
    template: z.literal("suspensions_of_day"),
    ...{ count: z.int().min(1), name: text, plan: text, day, url: text },
  }),
  /** A payment of a link; `what` is what was paid for, and `name` is the payer's. */
  z.object({
    template: z.literal("link_paid"),
    ...{ seller: text, name: text, what: text, amount, url: text, at: instant },
    method: z.enum(TransactionMethod),
  }),
  /** To the seller; `what` names the link, which was paid `count` times and may be paid `most`. */
  z.object({ template: z.literal("link_oversold"), what: text, most: z.int(), count: z.int(), url: text }),
  /**
   * To the payer, of money that went back by the method by which it came; `what` was paid for, `paid` is all that was paid,
   * and `last4` is the card's. `url` leads to the receipt, where there is one.
   */
  z.object({
    template: z.literal("payer_refunded"),
    ...{ seller: text, name: text.nullable(), what: text, amount, paid: amount, at: instant, url: text.nullable() },
    ...{ method: z.enum(TransactionMethod), last4: text.nullable() },
  }),
  /** To the seller, of the first refunds that others asked for on a day; `amount`, `by` and `who` are of one of them. */
  z.object({
    template: z.literal("refund_requests_of_day"),
    ...{ count: z.int().min(1), amount, by: z.enum(["person", "credential"]), who: text.nullable(), day, url: text },
  }),
  z.object({
    template: z.literal("refund_rejected"),
    ...{ ...refund, category: z.enum(RejectionCategory), reason: text },
  }),
  z.object({ template: z.literal("refund_failed"), ...refund }),
  z.object({
    template: z.literal("refund_completed"),
    ...{ ...refund, fee: amount, method: z.enum(TransactionMethod) },
  }),
  z.object({ template: z.literal("dispute_opened"), ...dispute }),
  /** To the seller, so many hours before the deadline of a dispute that is not defended. */
  z.object({ template: z.literal("dispute_reminder"), ...dispute, hours: z.int().min(1) }),
  z.object({
    template: z.literal("dispute_ended"),
    ...{ ...refund, outcome: z.enum(["won", "lost", "cancelled"]), lost: amount },
  }),
  /** To a seller's team, of a withdrawal that was asked for, of `amount` to a key of `owner`; `waits` for a second person. */
  z.object({
    template: z.literal("withdrawal_asked"),
    ...{ ...withdrawal, fee: amount, waits: z.boolean() },
    ...{ by: z.enum(["person", "credential"]), who: text.nullable() },
  }),
  /** The same of one that did not arrive, that nobody approved in time, or that came back; `reason` is the rail's. */
  z.object({
    template: z.literal("withdrawal_ended"),
    ...{ ...withdrawal, outcome: z.enum(["failed", "lapsed", "returned"]), reason: text.nullable() },
  }),
  /** To the operator's staff, of the refund that waits for the longest time. */
  z.object({ template: z.literal("refund_waiting"), seller: text, amount, at: instant, url: text }),
  /** To the operator's staff, of live money that one of them moved by hand; `who` is null where the person is gone. */
  z.object({
    template: z.literal("staff_moved_money"),
    ...{ act: z.enum(["credited", "debited", "matched"]), seller: text, amount, reason: text },
    ...{ who: text.nullable(), at: instant, url: text },
  }),
  /** To the operator's staff: the root of all chains of events, in hexadecimal, and how many of them have a fault. */
  z.object({
    template: z.literal("audit_published"),
    ...{ root: text, accounts: z.int().min(0), links: z.int().min(0), faults: z.int().min(0), at: instant, url: text },
  }),
  /** To the operator's admins: the certificate with which a PSP is reached ends in so many days, or in less than one (0). */
  z.object({
    template: z.literal("certificate_ending"),
    ...{ provider: text, days: z.int().min(0), endsAt: instant, url: text },
  }),
  /** To the operator's staff, of a seller that waits for the review of its account, or of a change of its profile. */
  z.object({ template: z.literal("review_waiting"), seller: text, about: z.enum(["account", "profile"]), url: text }),
  z.object({ template: z.literal("document_refused"), kind: z.enum(DocumentKind), reason: text, url: text }),
  /** `reason` is why it was refused. */
  z.object({
    template: z.literal("profile_decided"),
    ...{ outcome: z.enum(["approved", "rejected"]), reason: text.nullable(), url: text },
  }),
  z.object({ template: z.literal("account_closed"), seller: text, at: instant }),
  z.object({ template: z.literal("confirm_address"), name: text, url: text }),
  z.object({ template: z.literal("reset_password"), url: text, minutes: z.int().min(1) }),
  z.object({ template: z.literal("password_changed"), name: text, at: instant }),
  /** `from` is the address of the device, where one did it. */
  z.object({
    template: z.literal("security_changed"),
    name: text,
    what: z.enum(SECURITY),
    from: text.nullable(),
    at: instant,
  }),
  z.object({
    template: z.literal("team_invited"),
    seller: text,
    inviter: text,
    role: z.enum(Role),
    url: text,
    until: instant,
  }),
  z.object({ template: z.literal("member_factor_reset"), name: text, at: instant }),
  z.object({ template: z.literal("staff_invited"), name: text, url: text, days: z.int().min(1) }),
  z.object({
    template: z.literal("approval_asked"),
    seller: text,
    name: text,
    kind: z.enum(ApprovalKind),
    at: instant,
    url: text,
  }),
  z.object({ template: z.literal("address_already_known"), name: text, signInUrl: text, resetUrl: text }),
  z.object({
    template: z.literal("webhook_failing"),
    title: text,
    receiver: text,
    since: instant,
    /** The first instant at which it may be disabled. */
    disabledAt: instant,
    url: text,
  }),
  z.object({ template: z.literal("account_approved"), ...conditions }),
  z.object({ template: z.literal("account_changed"), ...conditions }),
  z.object({
    template: z.literal("rail_missing"),
    seller: text,
    method: z.enum([...methodNames, "payout"]),
    url: text,
  }),
  z.object({ template: z.literal("webhook_disabled"), title: text, receiver: text, since: instant, url: text }),
]);
export type MailContent = z.output<typeof MailContent>;
export type Template = MailContent["template"];

/** The content of one template. */
export type ContentOf<T extends Template> = Extract<MailContent, { template: T }>;
