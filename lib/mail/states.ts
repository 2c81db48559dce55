import type { States } from "@/lib/states";
import type { MailStatus } from "@/prisma/client/enums";

/**
 * The states of a mail. `failed` will be attempted again, and `exhausted` will not, until a person of the staff asks for
 * it. A mail that was sent is never sent again.
 */
export const mailStates = {
  pending: ["sent", "failed", "exhausted"],
  failed: ["sent", "failed", "exhausted", "pending"],
  exhausted: ["pending"],
  sent: [],
} as const satisfies States<MailStatus>;

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
