import { env } from "@/lib/env";
import { line } from "@/lib/mail/clean";
import type { Message } from "@/lib/mail/port";

/**
 * A mail in the form that nodemailer composes. It may read no file and no address by itself. The Message-ID follows from
 * the mail's id, so that whoever gets a mail twice can tell.
 */
export const composed = ({ id, to, from, subject, text, html }: Message) => ({
  from,
  to: { name: "", address: to },
  envelope: { from: addressOf(from), to: [to] },
  subject: line(subject, 300),
  text,
  html,
  messageId: `<${id}@${new URL(env.APP_URL).hostname.replace(/[[\]]/g, "")}>`,
  headers: { "Auto-Submitted": "auto-generated" },
  disableFileAccess: true,
  disableUrlAccess: true,
});

/** The address within `Name <address>`. */
const addressOf = (from: string) => /<([^<>]+)>$/.exec(from)?.[1] ?? from;
