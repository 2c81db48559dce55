import { z } from "zod";
import { CsvFormat } from "@/lib/lists/csv";
import { CursorMeta, CursorQuery } from "@/lib/lists/pagination";
import { period } from "@/lib/lists/period";
import { time } from "@/lib/time/schema";
import { TimelineItem } from "@/lib/timeline/schema";

/** What the audit can be narrowed to: the records of events, and of changes by hand. */
export const auditSubjects = [
  ...[
    "transaction",
    "refund",
    "withdrawal",
    "subscription",
    "unmatched",
    "dispute",
    "tracking",
    "dispute_file",
    "payment_link",
    "product",
    "plan",
    "plan_split",
    "webhook",
    "delivery",
  ],
  ...["credential", "public_key", "card_domain", "stored_card", "account", "adjustment", "user", "session", "mail"],
  ...[
    "sandbox",
    "sandbox_clock",
    "member",
    "invitation",
    "approval",
    "document",
    "profile_request",
    "customer_data",
    "look",
  ],
  ...["account_note", "reconcile", "comparison", "difference", "payout_stop", "provider"],
] as const;

export const actorKinds = ["person", "credential", "staff", "visitor", "payer", "rail", "system"] as const;

const text = z.string().nullable();

/** One event of an account, as its audit shows it. */
export const AuditEntry = z.object({
  id: z.uuid(),
  /** In real time. */
  at: time,
  type: z.string(),
  subject: z.string(),
  /** What people call the record as it was then. */
  name: text,
  /** The record that has a page, the closest one. */
  record: z.object({ subject: z.string(), id: z.string() }).nullable(),
  status: text,
  actor: TimelineItem.shape.actor,
  /** From which address it was asked. */
  ip: text,
  request_id: z.uuid().nullable(),
  /** Why it was done, in the words of who did it. */
  reason: text,
  changes: TimelineItem.shape.changes,
  /** Its number in the chain of the account's events; null until it is linked, some seconds after it happened. */
  number: z.int().nullable(),
  /** Whether it is as it was when it was linked; `redacted` where its content was given up. */
  state: z.enum(["intact", "altered", "redacted", "waiting"]),
});
export type AuditEntry = z.output<typeof AuditEntry>;

const filter = {
  /** Who did it: a kind of actor. */
  by: z.enum(actorKinds).optional(),
  /** Who did it: a person of the account, or the client id of a credential. */
  person: z.uuid().optional(),
  subject: z.enum(auditSubjects).optional(),
  ...period,
};

export const AuditQuery = CursorQuery.extend(filter);
export type AuditQuery = z.output<typeof AuditQuery>;

const AuditFilter = z.object(filter);
export type AuditFilter = z.output<typeof AuditFilter>;
export const AuditExport = AuditFilter.extend({ format: CsvFormat });
/** The head of the export's columns. */
export const exported = [
  ...["number", "at", "event", "record", "record_id", "name", "actor", "actor_name", "ip", "request_id", "reason"],
  ...["changes", "state"],
];

export const AuditPage = z.object({
  data: z.array(AuditEntry),
  meta: CursorMeta.extend({
    /** Whose events they are; null of the platform's own. */
    account: z.object({ id: z.uuid(), name: z.string(), mode: z.enum(["live", "sandbox"]) }).nullable(),
    /** Up to which event the chain was verified when it was last published, and when that event happened. */
    verified: z.object({ number: z.int(), at: time, published_at: time }).nullable(),
    /** The people and credentials by whom the list can be narrowed. */
    people: z.array(z.object({ id: z.uuid(), name: z.string() })),
  }),
});
export type AuditPage = z.output<typeof AuditPage>;

/** What was published of all chains: the root that the operator's staff was mailed. */
export const Publication = z.object({
  id: z.uuid(),
  root: z.string(),
  accounts: z.int(),
  links: z.int(),
  faults: z.int(),
  published_at: time,
});
export type Publication = z.output<typeof Publication>;
export const PublicationPage = z.object({ data: z.array(Publication) });
export type PublicationPage = z.output<typeof PublicationPage>;

/** The head of the file with the mark of each account, from which the root is made. */
export const marked = ["account_id", "number", "hash"];
