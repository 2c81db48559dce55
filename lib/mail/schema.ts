import { z } from "zod";
import { CursorQuery } from "@/lib/lists/pagination";
import { mailErrors } from "@/lib/mail/states";
import { MailStatus } from "@/prisma/client/enums";

/** As the staff see them: what was only written to the inbox is `kept`, because nobody got it. */
const statuses = [...Object.values(MailStatus), "kept"] as [MailStatus, ...MailStatus[], "kept"];

/** GET /api/operator/v1/mails: newest first. `search` is a whole address. */
export const MailsQuery = CursorQuery.extend({
  status: z.enum(statuses).optional(),
  search: z.string().trim().max(254).optional(),
});
export type MailsQuery = z.output<typeof MailsQuery>;

export type ShownStatus = (typeof statuses)[number];

/** A mail in the operator's console, without its content. */
export const MailRecord = z.object({
  id: z.uuid(),
  template: z.string(),
  recipient: z.string(),
  locale: z.string(),
  mode: z.enum(["live", "sandbox"]).nullable(),
  status: z.enum(statuses),
  attempts: z.int(),
  error: z.enum(mailErrors).nullable(),
  /** What the server said, or a code of this machine. */
  answer: z.string().nullable(),
  sent_by: z.enum(["smtp", "inbox"]).nullable(),
  created_at: z.string(),
  next_attempt_at: z.string().nullable(),
  sent_at: z.string().nullable(),
  may_retry: z.boolean(),
});
export type MailRecord = z.output<typeof MailRecord>;

/** GET /api/operator/v1/mails/{id}. */
export const MailDetail = MailRecord.extend({
  /** The live account that it belongs to. */
  account: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  /** What it says, only where mails are written to the inbox. */
  content: z.object({ subject: z.string(), text: z.string(), html: z.string() }).nullable(),
});
export type MailDetail = z.output<typeof MailDetail>;

/** Where mails go: an SMTP server, or the inbox. */
export const MailRoute = z.enum(["smtp", "inbox"]);
