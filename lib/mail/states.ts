import type { Transitions } from "@/lib/states";
import type { MailStatus } from "@/prisma/client/enums";

/**
 * The transitions of a mail. A failed one will be attempted again, and an exhausted one will not, until a person of the
 * staff asks for it. That it was accepted is true whatever was decided meanwhile, and then it is never sent again.
 */
export const mailTransitions = {
  send: { from: ["pending", "failed", "exhausted"], to: "sent" },
  fail: { from: ["pending", "failed"], to: "failed" },
  exhaust: { from: ["pending", "failed"], to: "exhausted" },
  retry: { from: ["failed", "exhausted"], to: "pending" },
} as const satisfies Transitions<MailStatus>;

/** The statuses of mails that will still be attempted. */
export const openMails: readonly MailStatus[] = mailTransitions.fail.from;

/** Why a mail was not accepted, as the staff see it. */
export const mailErrors = [
  "unreachable",
  "timeout",
  "unanswered",
  "tls",
  "sign_in_refused",
  "sender_refused",
  "try_later",
  "recipient_refused",
  "mail_refused",
  "invalid_address",
  "not_written",
  "not_rendered",
  "daily_limit",
] as const;
export type MailError = (typeof mailErrors)[number];

/** Errors that another attempt would meet again. */
export const isFinal = (error: MailError) =>
  error === "recipient_refused" || error === "mail_refused" || error === "invalid_address" || error === "not_rendered";
