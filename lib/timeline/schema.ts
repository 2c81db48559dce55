import { z } from "zod";

const text = z.string().nullable();

/** One thing that happened around a record. */
export const TimelineItem = z.object({
  id: z.string(),
  /** On the account's clock; null of what has no time there where that clock was moved around it. */
  at: text,
  /** In real time, where that is another one. */
  real_at: text,
  /** `event` and `sale` are events of the record and of its sales, `change` is what somebody did to it by hand. */
  kind: z.enum(["change", "request", "event", "sale", "delivery", "ledger", "unmatched", "mail", "card"]),
  /** The type of the event, the event that a webhook was sent, the mail's template, the card's brand, the request … */
  title: z.string(),
  status: text,
  detail: text,
  /** Why it was done, in the words of who did it. */
  reason: text,
  /** The number of the charge that it is about, and the sale that it happened to. */
  cycle_number: z.int().nullable(),
  sale: z.uuid().nullable(),
  /** The event that a webhook was sent, for who may see events. */
  event: z.uuid().nullable(),
  /** Who did it: a person's or a credential's name, a provider's; null of what nobody is known to have done. */
  actor: z
    .object({
      kind: z.enum(["person", "credential", "visitor", "payer", "staff", "rail", "system"]),
      name: text,
    })
    .nullable(),
  /** What a change by hand changed. A value that is no text, number or yes and no is left out. */
  changes: z.array(z.object({ name: z.string(), before: text, after: text })),
});
export type TimelineItem = z.output<typeof TimelineItem>;

/** What happened around a record, newest first by real time. */
export const Timeline = z.object({ data: z.array(TimelineItem) });
export type Timeline = z.output<typeof Timeline>;

/** The records of a seller that have a timeline, and those of the operator's console. */
export const timelineSubjects = [
  "transaction",
  "refund",
  "withdrawal",
  "dispute",
  "subscription",
  "payment_link",
  "product",
  "webhook",
] as const;
export type TimelineSubject = (typeof timelineSubjects)[number];
export const staffSubjects = ["account", "mail", "provider"] as const;
export type StaffSubject = (typeof staffSubjects)[number];
/** The records of sellers whose timeline the staff reads, because it decides about them. */
export const reviewedSubjects = [
  "transaction",
  "refund",
  "withdrawal",
  "dispute",
] as const satisfies readonly TimelineSubject[];
export type ReviewedSubject = (typeof reviewedSubjects)[number];
